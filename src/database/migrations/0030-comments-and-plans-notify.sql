-- Comments and planned changes have no history, from which open pages learn of changes: servers are told of them.
create trigger notify_change after insert or update or delete on comment for each statement execute function notify_table_change();
create trigger notify_change after insert or update or delete on planned_change for each statement execute function notify_table_change();
