-- A check is what someone confirmed, or a form that was saved with all of it seen (homeroom.seen). Until now each change that was saved with an account
-- was one: a corrected fax said that the address and the hours are right as well. Who adds a record has entered all of it. Checks so far stay.
create or replace function set_check() returns trigger language plpgsql as $$
declare
  is_part boolean := setting_or_null('homeroom.skip_history') is not null;
  unchecked record;
begin
  if tg_op = 'UPDATE' then
    unchecked := new;
    unchecked.version := old.version;
    unchecked."updatedAt" := old."updatedAt";
    unchecked."updatedBy" := old."updatedBy";
    unchecked."checkedAt" := old."checkedAt";
    unchecked."checkedBy" := old."checkedBy";
    if not is_part and unchecked is not distinct from old then
      new.version := old.version;
      new."updatedAt" := old."updatedAt";
      new."updatedBy" := old."updatedBy";
    end if;
  end if;
  if setting_or_null('homeroom.actor') is not null
    and (tg_op = 'INSERT' or (setting_or_null('homeroom.seen') is not null and not is_part and new.version <> old.version)) then
    new."checkedAt" := new."updatedAt";
    new."checkedBy" := new."updatedBy";
  end if;
  if tg_op = 'INSERT' then
    new."checkVersion" := 0;
  else
    new."checkVersion" := old."checkVersion"
      + (new."checkedAt" is distinct from old."checkedAt" or new."checkedBy" is distinct from old."checkedBy")::integer;
  end if;
  return new;
end
$$;

-- Read the texts without a date again: weekdays are counted in the calendar, and the reasons have changed.
insert into deadline_pending (source, record) select 'charter_affair', _id from charter_affair on conflict do nothing;
insert into deadline_pending (source, record) select 'authorizer_board_member', _id from authorizer_board_member where board_term is not null on conflict do nothing;
