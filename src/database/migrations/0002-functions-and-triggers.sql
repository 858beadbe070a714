-- Functions and triggers of the records: versions, history, notifications, and rules that hold whoever writes.

------------------------------------------------------------------------------------------------------------------------------------------------
-- Versions and history. Every record table has two triggers: one sets the version and the moment before a row is written, one writes the history
-- afterwards, from the row as it was stored: an insert that gives way to an existing row (`on conflict do nothing`) leaves no history.
-- Who and why come from settings of the transaction (homeroom.actor, .actor_name, .request, .based_on, .at), so that no write can forget them.
------------------------------------------------------------------------------------------------------------------------------------------------

create function setting_or_null(name text) returns text language sql stable as $$ select nullif(current_setting(name, true), '') $$;

-- A change of a part counts as a change of its record: whoever changed a part last has changed the record last. A change with an earlier moment (of a
-- transaction that began earlier) changes nothing, nor does a second part changed at the same moment. Two static statements, because their plans are cached.
create function touch_parent(parent_table text, parent text, moment timestamptz, actor_name text) returns void language plpgsql as $$
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

create function ids_of(field text, row_before jsonb, row_after jsonb) returns text[] language sql immutable as $$
  select array(select distinct id from unnest(array[row_before ->> field, row_after ->> field]) as id where id is not null)
$$;

-- Tells the servers which records a transaction changed, so that they read only those again. A line is the table's name and an object: `_id` the records,
-- `site` and `person` those the rows name or named, `x` the transaction; in a transaction of many records the lines name tables only. The lines are kept in
-- the setting homeroom.touched as well: a repeated line is sent once, and the server that saves reads them there.
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

-- The arguments of the trigger are for rows shown on the page of a parent: the parent's table, and the column that names the parent.
create function record_change() returns trigger language plpgsql as $$
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
    if tg_when = 'BEFORE' then return new; end if;
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

create trigger keep_change before insert or update on region for each row execute function record_change();
create trigger keep_change before insert or update on brand for each row execute function record_change();
create trigger keep_change before insert or update on charter for each row execute function record_change();
create trigger keep_change before insert or update on site for each row execute function record_change();
create trigger keep_change before insert or update on facility for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update on enrollment for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update on program_type for each row execute function record_change();
create trigger keep_change before insert or update on site_program_type for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update on sis_site for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update on person for each row execute function record_change();
create trigger keep_change before insert or update on role for each row execute function record_change();
create trigger keep_change before insert or update on site_person for each row execute function record_change('site', 'site');
create trigger keep_change before insert or update on charter_affair for each row execute function record_change();
create trigger keep_change before insert or update on authorizer_board_member for each row execute function record_change('charter_affair', 'charter_affair');
create trigger keep_change before insert or update on center_district for each row execute function record_change('charter_affair', 'charter_affair');
create trigger keep_change before insert or update on permission for each row execute function record_change();
create trigger keep_change before insert or update on setting for each row execute function record_change();
create trigger keep_change before insert or update on request for each row execute function record_change();

create trigger a_change_kept after insert or update or delete on region for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on brand for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on charter for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on site for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on facility for each row execute function record_change('site', 'site');
create trigger a_change_kept after insert or update or delete on enrollment for each row execute function record_change('site', 'site');
create trigger a_change_kept after insert or update or delete on program_type for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on site_program_type for each row execute function record_change('site', 'site');
create trigger a_change_kept after insert or update or delete on sis_site for each row execute function record_change('site', 'site');
create trigger a_change_kept after insert or update or delete on person for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on role for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on site_person for each row execute function record_change('site', 'site');
create trigger a_change_kept after insert or update or delete on charter_affair for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on authorizer_board_member for each row execute function record_change('charter_affair', 'charter_affair');
create trigger a_change_kept after insert or update or delete on center_district for each row execute function record_change('charter_affair', 'charter_affair');
create trigger a_change_kept after insert or update or delete on permission for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on setting for each row execute function record_change();
create trigger a_change_kept after insert or update or delete on request for each row execute function record_change();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Rules that hold whoever writes
------------------------------------------------------------------------------------------------------------------------------------------------

-- Every site has a facility and an enrollment row from its creation on, so that no reader finds one missing.
create function add_site_parts() returns trigger language plpgsql as $$
begin
  insert into facility (site) values (new._id);
  insert into enrollment (site) values (new._id);
  return null;
end
$$;
create trigger add_parts after insert on site for each row execute function add_site_parts();

-- The enrollment form shows the program types too: adding or removing one makes an edit that was begun before stale. The enrollment's version rises
-- without a line in its history, since the row of site_program_type has its own.
create function count_enrollment_up() returns trigger language plpgsql as $$
begin
  perform set_config('homeroom.touching', 'yes', true);
  update enrollment set version = version + 1 where site = coalesce(new.site, old.site);
  perform set_config('homeroom.touching', '', true);
  return null;
end
$$;
create trigger count_enrollment_up after insert or update or delete on site_program_type for each row execute function count_enrollment_up();

-- Nobody who left holds a role, whoever writes it: a form, a restored change, an import. The lock waits for a departure that is being saved.
create function refuse_place_of_who_left() returns trigger language plpgsql as $$
declare
  gone timestamptz;
begin
  select "leftAt" into gone from person where _id = new.person for key share;
  if gone is not null then raise exception 'This person has left' using errcode = 'check_violation', constraint = 'nobody_who_left'; end if;
  return new;
end
$$;
create trigger refuse_who_left before insert or update of person on site_person for each row execute function refuse_place_of_who_left();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Sessions and API tokens. Servers remember for a few seconds who a session or token belongs to, and are told at once when one ends or changes. A mere
-- use is no change.
------------------------------------------------------------------------------------------------------------------------------------------------

create function tell_of_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('homeroom_change', tg_table_name);
  perform pg_notify('homeroom_record', tg_table_name);
  return null;
end
$$;

create trigger tell_of_change after update on session for each row
  when (new."endedAt" is distinct from old."endedAt" or new."createdAt" <> old."createdAt" or new."usedAt" < old."usedAt"
     or new.account <> old.account or new.hash <> old.hash or new.companion <> old.companion)
  execute function tell_of_change();
create trigger tell_of_deletion after delete on session for each statement execute function tell_of_change();
create trigger tell_of_change after update on api_token for each row
  when (new."endedAt" is distinct from old."endedAt" or new."expiresAt" <> old."expiresAt" or new."accessLevel" <> old."accessLevel"
     or new.account <> old.account or new.hash <> old.hash or new.name <> old.name)
  execute function tell_of_change();
create trigger tell_of_deletion after delete on api_token for each statement execute function tell_of_change();
create trigger tell_of_change after update on account for each row
  when (new.tenant <> old.tenant or new.name <> old.name or new."azureID" <> old."azureID" or new."closedAt" is distinct from old."closedAt")
  execute function tell_of_change();
create trigger tell_of_change after insert or update or delete on super_admin_binding for each statement execute function tell_of_change();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Search columns of HR employees
------------------------------------------------------------------------------------------------------------------------------------------------

create function hr_plain(value text) returns text language sql stable parallel safe as $$
  select btrim(regexp_replace(lower(unaccent(coalesce(value, ''))), '\s+', ' ', 'g'))
$$;

create function hr_pairs(plain text) returns text[] language sql immutable parallel safe as $$
  select array(select distinct substr(plain, n, 2) from generate_series(1, length(plain) - 1) as n where substr(plain, n + 1, 1) <> ' ')
$$;

-- Words and addresses begin with a space, so that '% ma%' finds the beginning of any of them.
create function hr_person_plain() returns trigger language plpgsql as $$
begin
  new.plain_name := hr_plain(concat_ws(' ', new."FirstName", new."LastName"));
  new.plain_words := ' ' || concat_ws(' ', new.plain_name, hr_plain(new."PersonID"),
    hr_plain(split_part(new."EmailAddress", '@', 1)), hr_plain(split_part(new."Hris_EmailAddress", '@', 1)));
  new.plain_addresses := ' ' || concat_ws(' ', hr_plain(new."EmailAddress"), hr_plain(new."Hris_EmailAddress"));
  new.plain_pairs := hr_pairs(new.plain_words);
  return new;
end
$$;
create trigger hr_person_plain before insert or update on hr_person for each row execute function hr_person_plain();
