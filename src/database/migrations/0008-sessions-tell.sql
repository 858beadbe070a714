-- Servers remember for a few seconds who a session is (features/session/known-sessions.server.ts). What ends or changes one is told to all of
-- them at once, as every change of a record is; a mere use of a session is not.
create function tell_of_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('homeroom_change', tg_table_name);
  return null;
end
$$;

create trigger tell_of_change after update on session for each row
  when (new."endedAt" is distinct from old."endedAt" or new."createdAt" <> old."createdAt" or new."usedAt" < old."usedAt"
     or new.account <> old.account or new.hash <> old.hash or new.companion <> old.companion)
  execute function tell_of_change();
create trigger tell_of_deletion after delete on session for each statement execute function tell_of_change();
create trigger tell_of_change after update on account for each row
  when (new.tenant <> old.tenant or new.name <> old.name or new."azureID" <> old."azureID") execute function tell_of_change();
create trigger tell_of_change after insert or update or delete on super_admin_binding for each statement execute function tell_of_change();
