-- One function on every record table: bumps version and updatedAt, keeps the change, marks the parent as changed, tells listeners.
-- Who and why come from transaction-local settings (homeroom.actor, .actor_name, .request, .based_on, .at); no write path can forget it.
-- Arguments: the parent's table and this table's column that names it, for rows that are shown on their parent's page.

create function setting_or_null(name text) returns text language sql stable as
$$ select nullif(current_setting(name, true), '') $$;

-- The last to change a part is the last to have changed the record; an earlier moment (of a transaction that began earlier) changes
-- nothing, and neither does a second part changed in the same moment. Plain statements for each parent: their plans are kept.
create function touch_parent(parent_table text, parent uuid, moment timestamptz, actor_name text) returns void language plpgsql as $$
begin
  perform set_config('homeroom.touching', 'yes', true);
  if parent_table = 'site' then
    update site set "updatedAt" = moment, "updatedBy" = actor_name
    where _id = parent and ("updatedAt" < moment or ("updatedAt" = moment and "updatedBy" is distinct from actor_name));
  else
    update charter_affair set "updatedAt" = moment, "updatedBy" = actor_name
    where _id = parent and ("updatedAt" < moment or ("updatedAt" = moment and "updatedBy" is distinct from actor_name));
  end if;
  perform set_config('homeroom.touching', '', true);
end
$$;

create function record_change() returns trigger language plpgsql as $$
declare
  moment timestamptz := coalesce(setting_or_null('homeroom.at')::timestamptz, now());
  actor_name text := setting_or_null('homeroom.actor_name');
  row_before jsonb;
  row_after jsonb;
  record_id text;
  parent_id text;
  touched text;
  changed_table text;
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
    perform touch_parent(tg_argv[0], parent_id::uuid, moment, actor_name);
    if tg_op = 'UPDATE' and row_before ->> tg_argv[1] is distinct from parent_id then
      perform touch_parent(tg_argv[0], (row_before ->> tg_argv[1])::uuid, moment, actor_name);
    end if;
  end if;

  insert into change (at, "table", record, parent, action, actor, "actorName", request, "basedOn", before, after)
  values (moment, tg_table_name, record_id, parent_id, lower(tg_op), setting_or_null('homeroom.actor')::uuid, actor_name,
          setting_or_null('homeroom.request'), setting_or_null('homeroom.based_on')::integer, row_before, row_after);

  touched := coalesce(setting_or_null('homeroom.touched'), ' ');
  foreach changed_table in array array[tg_table_name::text] || coalesce(tg_argv[0:0], '{}')::text[] loop
    if position(' ' || changed_table || ' ' in touched) = 0 then
      touched := touched || changed_table || ' ';
      perform set_config('homeroom.touched', touched, true);
      perform pg_notify('homeroom_change', changed_table);
    end if;
  end loop;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;

create trigger keep_change before insert or update or delete on region for each row execute function record_change();
create trigger keep_change before insert or update or delete on brand for each row execute function record_change();
create trigger keep_change before insert or update or delete on charter for each row execute function record_change();
create trigger keep_change before insert or update or delete on site for each row execute function record_change();
create trigger keep_change before insert or update or delete on facility for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update or delete on enrollment for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update or delete on program_type for each row execute function record_change();
create trigger keep_change before insert or update or delete on site_program_type for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update or delete on person for each row execute function record_change();
create trigger keep_change before insert or update or delete on role for each row execute function record_change();
create trigger keep_change before insert or update or delete on site_person for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update or delete on sis_site for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update or delete on charter_affair for each row execute function record_change();
create trigger keep_change before insert or update or delete on authorizer_board_member for each row execute function record_change('charter_affair', 'charter_affair');
create trigger keep_change before insert or update or delete on center_district for each row execute function record_change('charter_affair', 'charter_affair');
create trigger keep_change before insert or update or delete on permission for each row execute function record_change();
create trigger keep_change before insert or update or delete on setting for each row execute function record_change();

-- Every site has a facility and an enrollment record, empty at first, so that no read finds one missing.
create function add_site_parts() returns trigger language plpgsql as $$
begin
  insert into facility (site) values (new._id);
  insert into enrollment (site) values (new._id);
  return null;
end
$$;
create trigger add_parts after insert on site for each row execute function add_site_parts();
