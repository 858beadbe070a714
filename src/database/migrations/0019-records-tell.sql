-- Listeners are told which records a transaction changed, so that a server reads just those again (decision 040). A line is the table's name and an object:
-- `_id` the records, `site` and `person` what the rows name or named, `x` the transaction. A transaction of many records names its tables alone.
-- The channel homeroom_change goes on as it was, for a server of the version before that still runs.

create function ids_of(field text, row_before jsonb, row_after jsonb) returns text[] language sql immutable as $$
  select array(select distinct id from unnest(array[row_before ->> field, row_after ->> field]) as id where id is not null)
$$;

-- What was told stands in the transaction's setting homeroom.touched, a line each: said twice it is told once, and the writer knows it too.
create function tell_change(changed_table text, records jsonb) returns void language plpgsql as $$
declare
  touched text := coalesce(setting_or_null('homeroom.touched'), E'\n');
  line text := jsonb_build_object('x', pg_current_xact_id()::text)::text;
begin
  if length(touched) < 6000 then
    line := (line::jsonb || records)::text;
  end if;
  line := changed_table || ' ' || line;
  if position(E'\n' || line || E'\n' in touched) = 0 then
    if position(E'\n' || changed_table || ' ' in touched) = 0 then
      perform pg_notify('homeroom_change', changed_table);
    end if;
    perform set_config('homeroom.touched', touched || line || E'\n', true);
    perform pg_notify('homeroom_record', line);
  end if;
end
$$;

create or replace function record_change() returns trigger language plpgsql as $$
declare
  moment timestamptz := coalesce(setting_or_null('homeroom.at')::timestamptz, now());
  actor_name text := setting_or_null('homeroom.actor_name');
  row_before jsonb;
  row_after jsonb;
  record_id text;
  parent_id text;
begin
  -- A child marking its parent as changed is no change of the parent itself: no version, no history.
  if setting_or_null('homeroom.touching') is not null then
    return new;
  end if;
  if tg_op <> 'INSERT' then row_before := to_jsonb(old); end if;
  if tg_op = 'UPDATE' then
    -- A row written as it was is no change; what this trigger keeps is not compared.
    new.version := old.version;
    new."updatedAt" := old."updatedAt";
    new."updatedBy" := old."updatedBy";
    if new is not distinct from old then
      return old;
    end if;
    new.version := old.version + 1;
  end if;
  if tg_op <> 'DELETE' then
    new."updatedAt" := moment;
    new."updatedBy" := actor_name;
    if tg_table_name = 'charter' then -- D22; a condition of its own, because only this table has the column
      if (row_before ->> 'studentCount') is distinct from new."studentCount"::text then
        new."studentCountUpdatedAt" := moment;
      end if;
    end if;
    row_after := to_jsonb(new);
  end if;

  record_id := coalesce(coalesce(row_after, row_before) ->> '_id', coalesce(row_after, row_before) ->> 'site', coalesce(row_after, row_before) ->> 'name');
  parent_id := record_id;
  if tg_nargs = 2 then
    parent_id := coalesce(row_after, row_before) ->> tg_argv[1];
    perform touch_parent(tg_argv[0], parent_id, moment, actor_name);
    if tg_op = 'UPDATE' and row_before ->> tg_argv[1] is distinct from parent_id then
      perform touch_parent(tg_argv[0], row_before ->> tg_argv[1], moment, actor_name);
    end if;
  end if;

  insert into change (at, "table", record, parent, action, actor, "actorName", request, "basedOn", before, after)
  values (moment, tg_table_name, record_id, parent_id, lower(tg_op), setting_or_null('homeroom.actor')::uuid, actor_name,
          setting_or_null('homeroom.request'), setting_or_null('homeroom.based_on')::integer, row_before, row_after);

  perform tell_change(tg_table_name, jsonb_build_object('_id', array[record_id], 'site', ids_of('site', row_before, row_after), 'person', ids_of('person', row_before, row_after)));
  if tg_nargs = 2 then
    perform tell_change(tg_argv[0], jsonb_build_object('_id', ids_of(tg_argv[1], row_before, row_after)));
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;

create or replace function tell_of_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('homeroom_change', tg_table_name);
  perform pg_notify('homeroom_record', tg_table_name);
  return null;
end
$$;
