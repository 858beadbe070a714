-- Functions and triggers of the records: versions, history, notifications, and rules that hold whoever writes.

------------------------------------------------------------------------------------------------------------------------------------------------
-- Versions and history. Every record table has two triggers: one sets the version and the moment before a row is written, one writes the history
-- afterwards, from the row as it was stored: an insert that gives way to an existing row (`on conflict do nothing`) leaves no history.
-- Who and why come from settings of the transaction (homeroom.actor, .actor_name, .request, .based_on, .at), so that no write can forget them.
------------------------------------------------------------------------------------------------------------------------------------------------

create function setting_or_null(name text) returns text language sql stable as $$ select nullif(current_setting(name, true), '') $$;

-- A change of a part counts as a change of its record: whoever changed a part last has changed the record last. A change with an earlier moment (of a
-- transaction that began earlier) changes nothing, nor does a second part changed at the same moment. Two static statements, because their plans are cached.
create function update_parent_timestamp(parent_table text, parent text, moment timestamptz, actor_name text) returns void language plpgsql as $$
begin
  perform set_config('homeroom.skip_history', 'yes', true);
  if parent_table = 'site' then
    update site set "updatedAt" = moment, "updatedBy" = actor_name
    where _id = parent and ("updatedAt" < moment or ("updatedAt" = moment and "updatedBy" is distinct from actor_name));
  else
    update charter_affair set "updatedAt" = moment, "updatedBy" = actor_name
    where _id = parent and ("updatedAt" < moment or ("updatedAt" = moment and "updatedBy" is distinct from actor_name));
  end if;
  perform set_config('homeroom.skip_history', '', true);
end
$$;

create function get_ids(field text, row_before jsonb, row_after jsonb) returns text[] language sql immutable as $$
  select array(select distinct id from unnest(array[row_before ->> field, row_after ->> field]) as id where id is not null)
$$;

-- Tells the servers which records a transaction changed, so that they read only those again. A line is the table's name and an object: `_id` the records,
-- `site` and `person` those the rows name or named, `x` the transaction; in a transaction of many records the lines name tables only. The lines are kept in
-- the setting homeroom.changed_records as well: a repeated line is sent once, and the server that saves reads them there. With homeroom.skip_notify set,
-- nothing is sent: transactions that notify commit one after the other, and the servers find single updates in `change`.
create function notify_record_change(changed_table text, records jsonb) returns void language plpgsql as $$
declare
  lines text := coalesce(setting_or_null('homeroom.changed_records'), E'\n');
  line text := jsonb_build_object('x', pg_current_xact_id()::text)::text;
begin
  if setting_or_null('homeroom.skip_notify') is not null then
    return;
  end if;
  if length(lines) < 6000 then
    line := (line::jsonb || records)::text;
  end if;
  line := changed_table || ' ' || line;
  if position(E'\n' || line || E'\n' in lines) = 0 then
    perform set_config('homeroom.changed_records', lines || line || E'\n', true);
    perform pg_notify('homeroom_record', line);
  end if;
end
$$;

-- Sets version, moment and author. An update that changes nothing is stored as the row was; these three columns are not compared.
-- With homeroom.skip_history set, the row is stored as given: a part marks its parent as changed, which is no change of the parent itself.
create function set_version() returns trigger language plpgsql as $$
declare
  moment timestamptz := coalesce(setting_or_null('homeroom.at')::timestamptz, now());
begin
  if setting_or_null('homeroom.skip_history') is not null then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    new.version := old.version;
    new."updatedAt" := old."updatedAt";
    new."updatedBy" := old."updatedBy";
    if new is not distinct from old then
      return old;
    end if;
    new.version := old.version + 1;
  end if;
  new."updatedAt" := moment;
  new."updatedBy" := setting_or_null('homeroom.actor_name');
  if tg_table_name = 'charter' then -- nested, because only this table has the column
    if (case tg_op when 'UPDATE' then to_jsonb(old) ->> 'studentCount' end) is distinct from new."studentCount"::text then
      new."studentCountUpdatedAt" := moment;
    end if;
  end if;
  return new;
end
$$;

-- Writes the row before and after to `change`, marks the parent as changed and notifies the servers. The arguments are for rows shown on the page of a
-- parent: the parent's table, and the column that names the parent.
create function record_history() returns trigger language plpgsql as $$
declare
  moment timestamptz := coalesce(setting_or_null('homeroom.at')::timestamptz, now());
  actor_name text := setting_or_null('homeroom.actor_name');
  row_before jsonb;
  row_after jsonb;
  record_id text;
  parent_id text;
begin
  if setting_or_null('homeroom.skip_history') is not null then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if new.version = old.version then -- nothing changed (set_version)
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then row_before := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then row_after := to_jsonb(new); end if;

  record_id := coalesce(coalesce(row_after, row_before) ->> '_id', coalesce(row_after, row_before) ->> 'site', coalesce(row_after, row_before) ->> 'name');
  parent_id := record_id;
  if tg_nargs = 2 then
    parent_id := coalesce(row_after, row_before) ->> tg_argv[1];
    perform update_parent_timestamp(tg_argv[0], parent_id, moment, actor_name);
    if tg_op = 'UPDATE' and row_before ->> tg_argv[1] is distinct from parent_id then
      perform update_parent_timestamp(tg_argv[0], row_before ->> tg_argv[1], moment, actor_name);
    end if;
  end if;

  insert into change (at, "table", record, parent, action, actor, "actorName", request, "basedOn", "suggestedBy", changeset, before, after)
  values (moment, tg_table_name, record_id, parent_id, lower(tg_op), setting_or_null('homeroom.actor')::uuid, actor_name,
          setting_or_null('homeroom.request'), setting_or_null('homeroom.based_on')::integer,
          setting_or_null('homeroom.suggested_by'), setting_or_null('homeroom.changeset')::uuid, row_before, row_after);

  perform notify_record_change(tg_table_name, jsonb_build_object(
    '_id', array[record_id], 'site', get_ids('site', row_before, row_after), 'person', get_ids('person', row_before, row_after)));
  if tg_nargs = 2 then
    perform notify_record_change(tg_argv[0], jsonb_build_object('_id', get_ids(tg_argv[1], row_before, row_after)));
  end if;
  return null;
end
$$;

create trigger set_version before insert or update on region for each row execute function set_version();
create trigger set_version before insert or update on brand for each row execute function set_version();
create trigger set_version before insert or update on charter for each row execute function set_version();
create trigger set_version before insert or update on site for each row execute function set_version();
create trigger set_version before insert or update on facility for each row execute function set_version();
create trigger set_version before insert or update on enrollment for each row execute function set_version();
create trigger set_version before insert or update on program_type for each row execute function set_version();
create trigger set_version before insert or update on site_program_type for each row execute function set_version();
create trigger set_version before insert or update on sis_site for each row execute function set_version();
create trigger set_version before insert or update on person for each row execute function set_version();
create trigger set_version before insert or update on role for each row execute function set_version();
create trigger set_version before insert or update on site_person for each row execute function set_version();
create trigger set_version before insert or update on charter_affair for each row execute function set_version();
create trigger set_version before insert or update on authorizer_board_member for each row execute function set_version();
create trigger set_version before insert or update on center_district for each row execute function set_version();
create trigger set_version before insert or update on permission for each row execute function set_version();
create trigger set_version before insert or update on setting for each row execute function set_version();
create trigger set_version before insert or update on request for each row execute function set_version();

-- Triggers of one event run in the order of their names: this one comes before those that write parts, so that a site's line in the history stands before
-- those of its facility and enrollment.
create trigger record_history after insert or update or delete on region for each row execute function record_history();
create trigger record_history after insert or update or delete on brand for each row execute function record_history();
create trigger record_history after insert or update or delete on charter for each row execute function record_history();
create trigger record_history after insert or update or delete on site for each row execute function record_history();
create trigger record_history after insert or update or delete on facility for each row execute function record_history('site', 'site');
create trigger record_history after insert or update or delete on enrollment for each row execute function record_history('site', 'site');
create trigger record_history after insert or update or delete on program_type for each row execute function record_history();
create trigger record_history after insert or update or delete on site_program_type for each row execute function record_history('site', 'site');
create trigger record_history after insert or update or delete on sis_site for each row execute function record_history('site', 'site');
create trigger record_history after insert or update or delete on person for each row execute function record_history();
create trigger record_history after insert or update or delete on role for each row execute function record_history();
create trigger record_history after insert or update or delete on site_person for each row execute function record_history('site', 'site');
create trigger record_history after insert or update or delete on charter_affair for each row execute function record_history();
create trigger record_history after insert or update or delete on authorizer_board_member for each row execute function record_history('charter_affair', 'charter_affair');
create trigger record_history after insert or update or delete on center_district for each row execute function record_history('charter_affair', 'charter_affair');
create trigger record_history after insert or update or delete on permission for each row execute function record_history();
create trigger record_history after insert or update or delete on setting for each row execute function record_history();
create trigger record_history after insert or update or delete on request for each row execute function record_history();

-- Slugs that were replaced are few, and read again as a whole.
create function notify_former_slugs() returns trigger language plpgsql as $$
begin
  perform notify_record_change('former_slug', '{}');
  return null;
end
$$;
create trigger notify_change after insert or update or delete on former_slug for each statement execute function notify_former_slugs();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Rules that hold whoever writes
------------------------------------------------------------------------------------------------------------------------------------------------

-- Every site has a facility and an enrollment row from its creation on, so that no reader finds one missing.
create function insert_site_parts() returns trigger language plpgsql as $$
begin
  insert into facility (site) values (new._id);
  insert into enrollment (site) values (new._id);
  return null;
end
$$;
create trigger site_parts_insert after insert on site for each row execute function insert_site_parts();

-- The enrollment form shows the program types too: adding or removing one makes an edit that was begun before stale. The enrollment's version rises
-- without a line in its history, since the row of site_program_type has its own.
create function update_enrollment_version() returns trigger language plpgsql as $$
begin
  perform set_config('homeroom.skip_history', 'yes', true);
  update enrollment set version = version + 1 where site = coalesce(new.site, old.site);
  perform set_config('homeroom.skip_history', '', true);
  perform notify_record_change('enrollment', jsonb_build_object('_id', array[coalesce(new.site, old.site)]));
  return null;
end
$$;
create trigger update_enrollment_version after insert or update or delete on site_program_type for each row execute function update_enrollment_version();

-- Nobody who left holds a role, whoever writes it: a form, a restored change, an import. The lock waits for a departure that is being saved.
create function validate_person_has_not_left() returns trigger language plpgsql as $$
declare
  left_at timestamptz;
begin
  select "leftAt" into left_at from person where _id = new.person for key share;
  if left_at is not null then raise exception 'This person has left' using errcode = 'check_violation', constraint = 'person_has_not_left'; end if;
  return new;
end
$$;
create trigger validate_person_has_not_left before insert or update of person on site_person for each row execute function validate_person_has_not_left();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Sessions and API tokens. Servers remember for a few seconds who a session or token belongs to, and are told at once when one ends or changes. A mere
-- use is no change.
------------------------------------------------------------------------------------------------------------------------------------------------

create function notify_table_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('homeroom_record', tg_table_name);
  return null;
end
$$;

create trigger notify_change after update on session for each row
  when (new."endedAt" is distinct from old."endedAt" or new."createdAt" <> old."createdAt" or new."usedAt" < old."usedAt"
     or new.account <> old.account or new.hash <> old.hash or new.companion <> old.companion)
  execute function notify_table_change();
create trigger notify_deletion after delete on session for each statement execute function notify_table_change();
create trigger notify_change after update on api_token for each row
  when (new."endedAt" is distinct from old."endedAt" or new."expiresAt" <> old."expiresAt" or new."accessLevel" <> old."accessLevel"
     or new.account <> old.account or new.hash <> old.hash or new.name <> old.name)
  execute function notify_table_change();
create trigger notify_deletion after delete on api_token for each statement execute function notify_table_change();
create trigger notify_change after update on account for each row
  when (new.tenant <> old.tenant or new.name <> old.name or new."azureID" <> old."azureID" or new."closedAt" is distinct from old."closedAt")
  execute function notify_table_change();
create trigger notify_change after insert or update or delete on super_admin_binding for each statement execute function notify_table_change();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Search columns of HR employees
------------------------------------------------------------------------------------------------------------------------------------------------

create function hr_normalize(value text) returns text language sql stable parallel safe as $$
  select btrim(regexp_replace(lower(unaccent(coalesce(value, ''))), '\s+', ' ', 'g'))
$$;

create function hr_letter_pairs(value text) returns text[] language sql immutable parallel safe as $$
  select array(select distinct substr(value, n, 2) from generate_series(1, length(value) - 1) as n where substr(value, n + 1, 1) <> ' ')
$$;

-- Words and addresses begin with a space, so that '% ma%' finds the beginning of any of them.
create function set_hr_search_columns() returns trigger language plpgsql as $$
begin
  new.normalized_name := hr_normalize(concat_ws(' ', new."FirstName", new."LastName"));
  new.normalized_words := ' ' || concat_ws(' ', new.normalized_name, hr_normalize(new."PersonID"),
    hr_normalize(split_part(new."EmailAddress", '@', 1)), hr_normalize(split_part(new."Hris_EmailAddress", '@', 1)));
  new.normalized_addresses := ' ' || concat_ws(' ', hr_normalize(new."EmailAddress"), hr_normalize(new."Hris_EmailAddress"));
  new.letter_pairs := hr_letter_pairs(new.normalized_words);
  return new;
end
$$;
create trigger set_hr_search_columns before insert or update on hr_person for each row execute function set_hr_search_columns();
