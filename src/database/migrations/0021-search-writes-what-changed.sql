-- A save writes only the words it changed (decision 019). Before, whatever was saved of a site, the words of everybody who holds a role there were written anew, each with the words
-- of all their places made again: with a thousand sites 30 ms, under locks that nearly all saves shared. Planning these statements anew takes longer than running
-- them; they are small ones by key, whoever asks.

-- The words that a site lends to those who hold a role there: made once for a site, and not once for each person and place.
create table search_place (
  site text collate "C" primary key,
  places text not null,
  around text not null,
  open boolean not null
);

-- Each kind has locks of its own, and whoever needs several kinds takes them in one order, a site before its people. In one space for all, two who renamed two
-- sites could each hold what the other's people needed. 256 locks for all people: one for each of a large import would not fit PostgreSQL's table of locks.
drop function search_lock(text[]);
create function search_lock(kind text, records text[]) returns void language sql as $$
  select pg_advisory_xact_lock(space, key) from (
    select distinct 7041904 + array_position(array['region', 'brand', 'charter', 'site', 'person'], kind) as space,
           ('x' || substr(md5(record), 1, 2))::bit(8)::integer % case kind when 'person' then 256 else 64 end as key
    from unnest(records) as record order by key) as keys
$$;
do $$
declare
  it record;
begin
  for it in
    select pg_get_functiondef(f.oid) as definition, k.kind, k.name
    from (values ('region', 'regions'), ('brand', 'brands'), ('charter', 'charters')) as k(kind, name)
    join pg_proc as f on f.proname = 'search_index_' || k.name and f.pronamespace = current_schema()::regnamespace
  loop
    execute replace(it.definition, format('search_lock(%s)', it.name), format('search_lock(%L, %s)', it.kind, it.name));
    execute format('alter function search_index_%s(text[]) set plan_cache_mode = force_generic_plan', it.name);
  end loop;
end
$$;

alter function search_learn(text[]) set plan_cache_mode = force_generic_plan;

-- As before, but that a person's row is written only where a word or the rank is another one.
create or replace function search_index_people(people text[]) returns void language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan as $$
declare
  learned text[];
begin
  if coalesce(cardinality(people), 0) = 0 then return; end if;
  perform search_lock('person', people);

  with made as materialized (
    select called._id as record, held.role, called.title, called.names,
           called.names || search_vector(held.role_words, 'C') || search_vector(held.places, 'C')
                        || search_vector(concat_ws(' ', held.around, called.mail), 'D') as words,
           coalesce(held.rank, 60) + case when held.open then 0 else 30 end as rank
    from (
      select p._id, plain.title,
             search_vector(plain.title, 'A') || search_vector(concat_ws(' ', search_variants(p.name),
               (select string_agg(distinct n.also, ' ') from unnest(string_to_array(plain.title, ' ')) as word join nickname as n on n.name = word)), 'B') as names,
             search_text(split_part(p.email, '@', 1)) as mail
      from person as p, lateral (select search_text(p.name) as title offset 0) as plain
      where p._id = any(people) offset 0
    ) as called
    left join lateral (
      select held_there.role, search_text(r.name) || ' ' || search_role(r.name) as role_words, held_there.places, held_there.around, held_there.open,
             case r.name when 'Principal' then 0 when 'Student Relations Manager' then 4 when 'Regional SRM' then 6 when 'Area Superintendent' then 8
                         when 'Regional Vice President' then 10 when 'Assistant Principal' then 12 else case r."group" when 'LEADERSHIP' then 20 else 30 end end
               + least(held_there.number, 10)::integer / 5 as rank
      from (
        select sp.role, string_agg(distinct at.places, ' ') as places, string_agg(distinct at.around, ' ') as around, bool_or(at.open) as open, count(*) as number
        from site_person as sp join search_place as at on at.site = sp.site
        where sp.person = called._id
        group by sp.role offset 0) as held_there
      join role as r on r._id = held_there.role
    ) as held on true
  ), gone as (
    delete from search_doc as d where d.record = any(people) and not exists (
      select from made as m where (m.record, m.title, m.names, m.words, m.rank) = (d.record, d.title, d.names, d.words, d.rank) and m.role is not distinct from d.role)
  ), added as (
    insert into search_doc (kind, record, role, title, names, words, rank)
    select 'person', m.* from made as m where not exists (
      select from search_doc as d where (m.record, m.title, m.names, m.words, m.rank) = (d.record, d.title, d.names, d.words, d.rank) and m.role is not distinct from d.role)
    returning words)
  select array_agg(distinct word) into learned from added, unnest(tsvector_to_array(words)) as word;
  perform search_learn(learned);

  with made as materialized (
    select p._id as record, n.what, n.number
    from person as p, lateral (values
      ('phone', regexp_replace(regexp_replace(p.phone, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
      ('fax', regexp_replace(p.fax, '\D', '', 'g')),
      ('PersonID', search_letters(p.sql_person_id)),
      ('email', lower(p.email))) as n(what, number)
    where p._id = any(people) and n.number <> ''
  ), gone as (
    delete from search_number as n where n.record = any(people) and not exists (select from made as m where (m.record, m.what, m.number) = (n.record, n.what, n.number)))
  insert into search_number (kind, record, what, number)
  select 'person', m.* from made as m where not exists (select from search_number as n where (m.record, m.what, m.number) = (n.record, n.what, n.number));
end
$$;

-- The same of sites; answers those that now lend other words to the people there than before.
drop function search_index_sites(text[]);
create function search_index_sites(sites text[]) returns text[] language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan as $$
declare
  learned text[];
  lending text[];
begin
  if coalesce(cardinality(sites), 0) = 0 then return null; end if;
  perform search_lock('site', sites);

  with made as materialized (
    select s._id as record, search_text(s."displayName") as title, called.names,
           called.names || search_vector(search_text(concat_ws(' ', s.city, s.address_1, s.address_2, s.category)), 'C')
                        || search_vector(concat_ws(' ', s.zip, search_state(s.state), search_text(concat_ws(' ', re.name, c.name, c.abbreviation, f.county))), 'D') as words,
           case when position('CLOSED' in s.status) > 0 then 40 when s.status = 'PENDING' then 20 else 0 end as rank
    from site as s
    left join region as re on re._id = s.region
    left join charter as c on c._id = s.charter
    left join facility as f on f.site = s._id
    cross join lateral (
      select search_vector(search_text(s."displayName"), 'A') || search_vector(search_text(s.name), 'A')
             || search_vector(concat_ws(' ', search_variants(s."displayName"), search_initials(search_text(s."displayName"))), 'B') as names) as called
    where s._id = any(sites)
  ), gone as (
    delete from search_doc as d where d.record = any(sites) and not exists (
      select from made as m where (m.record, m.title, m.names, m.words, m.rank) = (d.record, d.title, d.names, d.words, d.rank))
  ), added as (
    insert into search_doc (kind, record, title, names, words, rank)
    select 'site', m.* from made as m where not exists (
      select from search_doc as d where (m.record, m.title, m.names, m.words, m.rank) = (d.record, d.title, d.names, d.words, d.rank))
    returning words)
  select array_agg(distinct word) into learned from added, unnest(tsvector_to_array(words)) as word;
  perform search_learn(learned);

  with made as materialized (
    select s._id as record, n.what, n.number
    from site as s left join facility as f on f.site = s._id, lateral (values
      ('phone', regexp_replace(regexp_replace(s.phone, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
      ('phone_2', regexp_replace(regexp_replace(f.phone_2, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
      ('fax', regexp_replace(s.fax, '\D', '', 'g')),
      ('finance_id', search_letters(s.finance_id)),
      ('CDS', search_letters(s.directory_id))) as n(what, number)
    where s._id = any(sites) and n.number <> ''
  ), gone as (
    delete from search_number as n where n.record = any(sites) and not exists (select from made as m where (m.record, m.what, m.number) = (n.record, n.what, n.number)))
  insert into search_number (kind, record, what, number)
  select 'site', m.* from made as m where not exists (select from search_number as n where (m.record, m.what, m.number) = (n.record, n.what, n.number));

  delete from search_place as gone where site = any(sites) and not exists (select from site as s where s._id = gone.site);
  with lent as (
    insert into search_place as known (site, places, around, open)
    select s._id, search_text(concat_ws(' ', s."displayName", s.name, s.city)),
           concat_ws(' ', search_state(s.state), search_text(re.name), search_text(c.name), search_text(c.abbreviation)), position('CLOSED' in s.status) = 0
    from site as s
    left join region as re on re._id = s.region
    left join charter as c on c._id = s.charter
    where s._id = any(sites)
    on conflict (site) do update set (places, around, open) = (excluded.places, excluded.around, excluded.open)
    where (known.places, known.around, known.open) is distinct from (excluded.places, excluded.around, excluded.open)
    returning site)
  select array_agg(site) into lending from lent;
  return lending;
end
$$;

create function search_people_at(sites text[]) returns text[] language sql stable as $$ select array_agg(distinct person) from site_person where site = any(sites) $$;

-- Words are written when a transaction commits: once for each record, however many of its parts changed, and with nothing between the locks and the commit that
-- waits for the server. What is to be written is noted until then in a setting of the transaction, a line each: of what it is, and its id as JSON,
-- which may hold anything.
create function search_note(what text, records text[]) returns void language plpgsql as $$
declare
  noted text;
begin
  if coalesce(cardinality(records), 0) = 0 then return; end if;
  noted := concat(setting_or_null('homeroom.search_noted'), (select string_agg(what || ' ' || to_json(record) || e'\n', '') from unnest(records) as record));
  perform set_config('homeroom.search_noted', noted, true);
  -- Of a large import a part at a time.
  if length(noted) > 50000 then perform search_write_noted(); end if;
end
$$;

create function search_write_noted() returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  noted text := setting_or_null('homeroom.search_noted');
  regions text[]; brands text[]; charters text[]; sites text[]; people text[];
begin
  if noted is null then return; end if;
  perform set_config('homeroom.search_noted', '', true);
  with line as materialized (
    select distinct split_part(text, ' ', 1) as what, substr(text, position(' ' in text) + 1)::json #>> '{}' as record from string_to_table(rtrim(noted, e'\n'), e'\n') as text)
  select (select array_agg(record) from line where what = 'region'),
         (select array_agg(record) from line where what = 'brand'),
         (select array_agg(record) from (
            select record from line where what = 'charter'
            union select c._id from charter as c join line on line.what = 'brand_name' and line.record = c.brand) as found),
         (select array_agg(record) from (
            select record from line where what = 'site'
            union select s._id from site as s join line on line.what = 'charter_name' and line.record = s.charter
            union select s._id from site as s join line on line.what = 'region_name' and line.record = s.region) as found),
         (select array_agg(record) from (
            select record from line where what = 'person'
            union select sp.person from site_person as sp join line on line.what = 'role' and line.record = sp.role) as found)
  into regions, brands, charters, sites, people;
  perform search_index_regions(regions);
  perform search_index_brands(brands);
  perform search_index_charters(charters);
  people := people || search_people_at(search_index_sites(sites));
  perform search_index_people(people);
end
$$;

-- Which records' words change with a row. What shows a name of something else changes with that name. What the change trigger keeps is not compared: a part
-- that marks its site as changed changes no word.
create or replace function search_follow() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  changed text[];
  renamed text[];
begin
  -- Whoever writes a whole network at once sets this and calls search_index_everything() at the end of the transaction.
  if setting_or_null('homeroom.index_later') is not null then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(_id) into changed from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(_id) into changed from old_rows;
  else
    select array_agg(n._id), array_agg(n._id) filter (where array[to_jsonb(n) -> 'name', to_jsonb(n) -> 'brandName', to_jsonb(n) -> 'abbreviation']
                                                         is distinct from array[to_jsonb(o) -> 'name', to_jsonb(o) -> 'brandName', to_jsonb(o) -> 'abbreviation'])
    into changed, renamed
    from new_rows as n join old_rows as o on o._id = n._id
    where to_jsonb(n) - '{version,updatedAt,updatedBy}'::text[] is distinct from to_jsonb(o) - '{version,updatedAt,updatedBy}'::text[];
  end if;
  perform search_note(tg_table_name, changed);
  if tg_table_name in ('brand', 'charter', 'region') then perform search_note(tg_table_name || '_name', renamed); end if;
  return null;
end
$$;

-- The same for rows that are part of another record: a place held belongs to its person, an affair to its charter, a facility to its site. (Whoever gets a place and whoever
-- renames its site come one after the other: both write the row of the site.)
create or replace function search_follow_part() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  changed text[];
begin
  if setting_or_null('homeroom.index_later') is not null then return null; end if;
  if tg_table_name = 'site_person' then
    if tg_op = 'INSERT' then select array_agg(distinct person) into changed from new_rows;
    elsif tg_op = 'DELETE' then select array_agg(distinct person) into changed from old_rows;
    else select array_agg(distinct person) into changed from (select person from new_rows union select person from old_rows) as both_rows;
    end if;
    perform search_note('person', changed);
  elsif tg_table_name = 'charter_affair' then
    if tg_op = 'DELETE' then select array_agg(charter) into changed from old_rows;
    else select array_agg(charter) into changed from new_rows;
    end if;
    perform search_note('charter', changed);
  else
    select array_agg(n.site) into changed from new_rows as n join old_rows as o on o.site = n.site
    where (n.county, n.phone_2) is distinct from (o.county, o.phone_2);
    perform search_note('site', changed);
  end if;
  return null;
end
$$;

create function search_at_commit() returns trigger language plpgsql as $$
begin
  perform search_write_noted();
  return null;
end
$$;
do $$
declare
  followed text;
begin
  foreach followed in array array['person', 'site', 'charter', 'brand', 'region', 'role', 'site_person', 'charter_affair', 'facility'] loop
    execute format('create constraint trigger search_at_commit after insert or update or delete on %I deferrable initially deferred
                    for each row when (setting_or_null(''homeroom.index_later'') is null) execute function search_at_commit()', followed);
  end loop;
end
$$;

create or replace function search_index_everything() returns void language plpgsql as $$
declare
  ids text[];
begin
  truncate search_doc, search_word, search_typo, search_number, search_place;
  perform search_index_regions((select array_agg(_id) from region));
  perform search_index_brands((select array_agg(_id) from brand));
  perform search_index_charters((select array_agg(_id) from charter));
  for ids in select array_agg(_id) from (select _id, row_number() over (order by "displayName") / 500 as step from site) as s group by step loop
    perform search_index_sites(ids);
  end loop;
  for ids in select array_agg(_id) from (select _id, row_number() over (order by name) / 500 as step from person) as p group by step loop
    perform search_index_people(ids);
  end loop;
end
$$;
select search_index_everything();
