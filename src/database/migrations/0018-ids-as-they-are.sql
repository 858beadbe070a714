-- Records keep the `_id` they had in the program they came from, whatever its form (decision 039). So the ids of records, and whatever points at
-- them, are text. Accounts, sessions, requests and mails are no records of the network: theirs stay as they are.
-- "C" orders and compares byte by byte: a uuid as text stands where the uuid stood.

create temporary table pointing on commit drop as
  select conrelid::regclass as "table", conname as name, pg_get_constraintdef(oid) ||
    -- The rows of the first start (0004) may take over the ids they had elsewhere.
    case when confrelid in ('region'::regclass, 'role'::regclass, 'program_type'::regclass) then ' on update cascade' else '' end as definition
  from pg_constraint
  where contype = 'f' and confrelid in (
    'region'::regclass, 'brand'::regclass, 'charter'::regclass, 'site'::regclass, 'facility'::regclass, 'enrollment'::regclass,
    'program_type'::regclass, 'site_program_type'::regclass, 'person'::regclass, 'role'::regclass, 'site_person'::regclass,
    'sis_site'::regclass, 'charter_affair'::regclass, 'authorizer_board_member'::regclass, 'center_district'::regclass, 'permission'::regclass);

-- A column that points at a record, wherever it is, and the ids themselves.
create temporary table identifying on commit drop as
  select distinct a.attrelid::regclass as "table", a.attname as name, a.attndims > 0 or a.atttypid = 'uuid[]'::regtype as is_list
  from pg_attribute as a
  where a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype) and not a.attisdropped and (
    exists (select from pg_constraint as c join pointing on pointing."table" = c.conrelid and pointing.name = c.conname
      where c.conrelid = a.attrelid and a.attnum = any(c.conkey))
    or (a.attname = '_id' and a.attrelid in (
      'region'::regclass, 'brand'::regclass, 'charter'::regclass, 'site'::regclass, 'program_type'::regclass, 'site_program_type'::regclass,
      'person'::regclass, 'role'::regclass, 'site_person'::regclass, 'sis_site'::regclass, 'charter_affair'::regclass,
      'authorizer_board_member'::regclass, 'center_district'::regclass, 'permission'::regclass))
    or (a.attname in ('record', 'role') and a.attrelid in (
      'former_slug'::regclass, 'favourite'::regclass, 'recently_viewed'::regclass, 'search_doc'::regclass, 'search_number'::regclass))
    or (a.attname = 'given' and a.attrelid = 'departure'::regclass));

-- Some triggers name such a column, and PostgreSQL changes no type under them.
create temporary table watching on commit drop as
  select tgrelid::regclass as "table", tgname as name, pg_get_triggerdef(oid) as definition
  from pg_trigger where not tgisinternal and (tgattr <> '' or tgqual is not null) and tgrelid in (select "table" from identifying);

do $$
declare
  it record;
begin
  for it in select * from watching loop
    execute format('drop trigger %I on %s', it.name, it."table");
  end loop;
  for it in select * from pointing loop
    execute format('alter table %s drop constraint %I', it."table", it.name);
  end loop;
  for it in select "table",
      string_agg(format('alter column %1$I drop default, alter column %1$I type %2$s using %1$I::%3$s', name,
        case when is_list then 'text[] collate "C"' else 'text collate "C"' end, case when is_list then 'text[]' else 'text' end), ', ') as changes,
      bool_or(name = '_id') filter (where name = '_id') as has_id
    from identifying group by "table" loop
    execute format('alter table %s %s', it."table", it.changes);
    if it.has_id then execute format('alter table %s alter column _id set default gen_random_uuid()::text', it."table"); end if;
  end loop;
  for it in select * from pointing loop
    execute format('alter table %s add constraint %I %s', it."table", it.name, it.definition);
  end loop;
  for it in select * from watching loop
    execute it.definition;
  end loop;
end
$$;

-- The functions that take ids are the same as before, letter for letter, but for the type. Of `record_change` the account stays a uuid.
do $$
declare
  it record;
begin
  for it in
    select oid, oid::regprocedure as signature, prorettype = 'trigger'::regtype as is_trigger, pg_get_functiondef(oid) as definition
    from pg_proc
    where pronamespace = current_schema()::regnamespace and prokind = 'f'
      and (proname = 'touch_parent' or proname = 'record_change' or proname = 'record_hit' or proname = 'refuse_place_of_who_left' or proname like 'search\_%')
      and pg_get_functiondef(oid) ~ '\muuid\M'
  loop
    if not it.is_trigger then execute format('drop function %s', it.signature); end if;
    execute regexp_replace(it.definition, '(?<!actor''\)::)\muuid\M', 'text', 'g');
  end loop;
end
$$;

-- Which of the 256 locks a record has: its id need not begin with two hexadecimal digits any more, and many of one program begin alike.
create or replace function search_lock(records text[]) returns void language sql as $$
  select pg_advisory_xact_lock(key) from (
    select distinct 7041904 + ('x' || substr(md5(record), 1, 2))::bit(8)::integer as key from unnest(records) as record order by key) as keys
$$;
