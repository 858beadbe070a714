-- Search: every record a second time, as words. `search_doc` has one row for each record, and for a person one for each role they hold, with the places where
-- they hold it: 'principal lodi' finds the principal there, and nobody who is principal elsewhere and registrar in Lodi. Triggers keep the copy true, whoever
-- writes. Words are compared in lower case and without accents.

------------------------------------------------------------------------------------------------------------------------------------------------
-- Tables
------------------------------------------------------------------------------------------------------------------------------------------------

-- Nicknames, in both directions (0005-nicknames.sql).
create table nickname (
  name text not null,
  also text not null,
  primary key (name, also)
);

create table search_doc (
  _id bigint generated always as identity primary key,
  kind text not null,
  record text collate "C" not null,
  role text collate "C", -- the role of this row, for a person who holds one
  title text not null, -- the normalized name
  names tsvector not null, -- words of the name (A) and of other names (B): nicknames, initials, an abbreviation
  words tsvector not null, -- those, the role and the place (C), and the surroundings (D): state, region, charter, brand
  -- Orders equal matches by what is looked for most: a principal before a technician, an open site before a closed one.
  rank integer not null
);
create index search_doc_record on search_doc (record);
create index search_doc_person_names on search_doc using gin (names) with (fastupdate = off) where kind = 'person';
create index search_doc_person_words on search_doc using gin (words) with (fastupdate = off) where kind = 'person';
create index search_doc_other_names on search_doc using gin (names) with (fastupdate = off) where kind <> 'person';
create index search_doc_other_words on search_doc using gin (words) with (fastupdate = off) where kind <> 'person';
create index search_doc_title on search_doc using gin (title gin_trgm_ops) with (fastupdate = off);
create index search_doc_beginning on search_doc (title text_pattern_ops);

-- Every word, to find those that begin with, contain or resemble what was typed. Not unique, so that two transactions with the same new word never wait for
-- each other.
create table search_word (
  word text collate "C" not null
);
create index search_word_exact on search_word (word);
create index search_word_part on search_word using gin (word gin_trgm_ops) with (fastupdate = off);

-- Every word with each of its letters left out once: two words with a common part are at most two typos apart.
create table search_typo (
  part text collate "C" not null,
  word text collate "C" not null
);
create index search_typo_part on search_typo (part);

-- Phone numbers and ids, reduced to letters and digits. Rows marked `from_affair` (CDS codes and charter numbers that stand only in a charter affair) are
-- found only by people who may open the affair.
create table search_number (
  kind text not null,
  record text collate "C" not null,
  field text not null,
  number text collate "C" not null,
  from_affair boolean not null default false
);
create index search_number_record on search_number (record);
create index search_number_beginning on search_number (number);
create index search_number_last_seven on search_number (right(number, 7));
create index search_number_part on search_number using gin (number gin_trgm_ops) with (fastupdate = off);

-- The words a site adds to the people who hold a role there: made once for each site instead of once for each person and site.
create table search_place (
  site text collate "C" primary key,
  places text not null,
  surroundings text not null,
  open boolean not null
);

------------------------------------------------------------------------------------------------------------------------------------------------
-- Words from texts
------------------------------------------------------------------------------------------------------------------------------------------------

-- 'Ángela “Angie” O’Rourke-Lee' -> 'angela angie orourke lee'
create function search_normalize(value text) returns text language sql stable parallel safe strict as $$
  select btrim(regexp_replace(regexp_replace(lower(unaccent(value)), '[''’‘ʼ`´]', '', 'g'),
                              '[][\s!"#$%&()*+,./:;<=>?@\\^_{|}~“”„«»…‐‑‒–—―־·•¿¡№-]+', ' ', 'g'))
$$;

-- Other spellings of a name: 'o rourke', 'orourkelee', 'delacruz', 'stclair'.
create function search_variants(value text) returns text language sql stable parallel safe strict as $$
  select concat_ws(' ',
    case when value ~ '[''’‘ʼ]' then search_normalize(regexp_replace(value, '[''’‘ʼ]', ' ', 'g')) end,
    case when value ~ '[[:alpha:]][‐‑־-][[:alpha:]]' then search_normalize(regexp_replace(value, '[‐‑־-]', '', 'g')) end,
    case when search_normalize(value) ~ '\m(de|la|las|los|le|el|al|del|della|di|da|dos|van|von|der|den|st|san|santa|mac|mc|o|bin|ben|el) \w'
         then regexp_replace(search_normalize(value), '\m(de|la|las|los|le|el|al|del|della|di|da|dos|van|von|der|den|st|san|santa|mac|mc|o|bin|ben|el) (?=\w)', '\1', 'g') end)
$$;

create function search_letters(value text) returns text language sql stable parallel safe strict as $$ select regexp_replace(lower(unaccent(value)), '[^a-z0-9]', '', 'g') $$;

-- The first letter of each word: 'meridian delta charter' -> 'mdc'
create function search_initials(value text) returns text language sql stable parallel safe strict as $$
  select case when value ~ ' ' then regexp_replace(regexp_replace(value, '(\w)\w*', '\1', 'g'), ' ', '', 'g') end
$$;

-- Other names of a role.
create function search_role_aliases(name text) returns text language sql immutable parallel safe strict as $$
  select case name
    when 'Regional SRM' then 'rsrm regional student relations manager'
    when 'Student Relations Manager' then 'srm'
    when 'Regional Vice President' then 'rvp vp'
    when 'Assistant Principal' then 'ap vice'
    when 'Area Superintendent' then 'as supt super asup'
    when 'Learning Center Coordinator' then 'lcc'
    when 'School Operations Manager' then 'som ops'
    when 'Administrative Assistant' then 'aa admin'
    when 'Warehouse Manager' then 'wm'
    when 'Warehouse Technician' then 'wt tech'
    when 'Front Desk Staff' then 'frontdesk reception receptionist'
    when 'School Psychologist' then 'psych'
    when 'Counselor' then 'counsellor'
    when 'Lead Counselor' then 'counsellor lc'
    when 'SPED Specialist' then 'special education'
    when 'SPED Technician' then 'special education tech'
    when 'SPED Data Tech' then 'special education technician'
    when 'ELD Lead' then 'english language development'
    when 'ELD SST' then 'english language development'
    when 'ELD Specialist' then 'english language development'
    else '' end
$$;

create function search_state_aliases(code text) returns text language sql immutable parallel safe strict as $$
  select case upper(code) when 'CA' then 'ca california calif' when 'MI' then 'mi michigan' when 'OH' then 'oh ohio'
                          when 'SC' then 'sc south carolina' when 'TX' then 'tx texas' else lower(code) end
$$;

create function search_vector(value text, weight "char") returns tsvector language sql immutable parallel safe as $$ select setweight(to_tsvector('simple', coalesce(value, '')), weight) $$;

-- The word itself, and the word with each of its letters left out once.
create function search_deletions(word text) returns setof text language sql immutable parallel safe strict as $$
  select word
  union
  select overlay(word placing '' from n for 1) from generate_series(1, length(word)) as n
  where length(word) between 3 and 24 and word !~ '[0-9]'
$$;

-- Whether two words differ by one letter that is wrong, missing or too many, or by two adjacent letters swapped.
create function search_is_one_typo_apart(a text, b text) returns boolean language plpgsql immutable parallel safe strict as $$
declare
  at integer := 1;
  shorter integer := least(length(a), length(b));
begin
  if abs(length(a) - length(b)) > 1 then return false; end if;
  while at <= shorter and substr(a, at, 1) = substr(b, at, 1) loop at := at + 1; end loop;
  return substr(a, at + 1) = substr(b, at + 1) or substr(a, at) = substr(b, at + 1) or substr(a, at + 1) = substr(b, at)
      or (substr(a, at + 2) = substr(b, at + 2) and substr(a, at, 1) = substr(b, at + 1, 1) and substr(a, at + 1, 1) = substr(b, at, 1));
end
$$;

------------------------------------------------------------------------------------------------------------------------------------------------
-- Writing the words of records. Only rows that change are written: everybody who holds a role at a site shares its words, and writing them all anew at every
-- save of a site would take long, under locks that nearly all saves share. The plans are small ones by key, whatever PostgreSQL assumes of tables it has not
-- analyzed yet; making a plan takes longer than running it, so generic ones are cached.
------------------------------------------------------------------------------------------------------------------------------------------------

create function search_add_words(words text[]) returns void language sql
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
  with new_words as (
    insert into search_word (word)
    select distinct candidate.word from unnest(words) as candidate(word)
    where length(candidate.word) between 2 and 40 and not exists (select from search_word as stored where stored.word = candidate.word)
    returning word)
  insert into search_typo (part, word)
  select part, new_words.word from new_words, search_deletions(new_words.word) as part where length(new_words.word) > 2
$$;

-- Whoever writes the words of a record holds its lock until the end of the transaction; otherwise two transactions that change two roles of one person would
-- each miss the other's. Each kind has its own locks and the kinds are locked in one order, sites before people, so that no two transactions wait for each
-- other. Locks are shared between records: one for each record of a large import would not fit PostgreSQL's lock table.
create function search_lock(kind text, records text[]) returns void language sql as $$
  select pg_advisory_xact_lock(space, key) from (
    select distinct 7041904 + array_position(array['region', 'brand', 'charter', 'site', 'person'], kind) as space,
           ('x' || substr(md5(record), 1, 2))::bit(8)::integer % case kind when 'person' then 256 else 64 end as key
    from unnest(records) as record order by key) as keys
$$;

create function search_index_people(people text[]) returns void language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  new_words text[];
begin
  if coalesce(cardinality(people), 0) = 0 then return; end if;
  perform search_lock('person', people);

  with computed as materialized (
    select named._id as record, assignment.role, named.title, named.names,
           named.names || search_vector(assignment.role_words, 'C') || search_vector(assignment.places, 'C')
                        || search_vector(concat_ws(' ', assignment.surroundings, named.mail), 'D') as words,
           coalesce(assignment.rank, 60) + case when assignment.open then 0 else 30 end as rank
    from (
      select p._id, normalized.title,
             search_vector(normalized.title, 'A') || search_vector(concat_ws(' ', search_variants(p.name),
               (select string_agg(distinct n.also, ' ') from unnest(string_to_array(normalized.title, ' ')) as word join nickname as n on n.name = word)), 'B') as names,
             search_normalize(split_part(p.email, '@', 1)) as mail
      from person as p, lateral (select search_normalize(p.name) as title offset 0) as normalized
      where p._id = any(people) offset 0
    ) as named
    left join lateral (
      select assigned.role, search_normalize(r.name) || ' ' || search_role_aliases(r.name) as role_words, assigned.places, assigned.surroundings, assigned.open,
             case r.name when 'Principal' then 0 when 'Student Relations Manager' then 4 when 'Regional SRM' then 6 when 'Area Superintendent' then 8
                         when 'Regional Vice President' then 10 when 'Assistant Principal' then 12 else case r."group" when 'LEADERSHIP' then 20 else 30 end end
               + least(assigned.number, 10)::integer / 5 as rank
      from (
        select sp.role, string_agg(distinct place.places, ' ') as places, string_agg(distinct place.surroundings, ' ') as surroundings, bool_or(place.open) as open, count(*) as number
        from site_person as sp join search_place as place on place.site = sp.site
        where sp.person = named._id
        group by sp.role offset 0) as assigned
      join role as r on r._id = assigned.role
    ) as assignment on true
  ), deleted as (
    delete from search_doc as d where d.record = any(people) and not exists (
      select from computed as c where (c.record, c.title, c.names, c.words, c.rank) = (d.record, d.title, d.names, d.words, d.rank) and c.role is not distinct from d.role)
  ), inserted as (
    insert into search_doc (kind, record, role, title, names, words, rank)
    select 'person', c.* from computed as c where not exists (
      select from search_doc as d where (c.record, c.title, c.names, c.words, c.rank) = (d.record, d.title, d.names, d.words, d.rank) and c.role is not distinct from d.role)
    returning words)
  select array_agg(distinct word) into new_words from inserted, unnest(tsvector_to_array(words)) as word;
  perform search_add_words(new_words);

  with computed as materialized (
    select p._id as record, n.field, n.number
    from person as p, lateral (values
      ('phone', regexp_replace(regexp_replace(p.phone, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
      ('fax', regexp_replace(p.fax, '\D', '', 'g')),
      ('PersonID', search_letters(p.sql_person_id)),
      ('email', lower(p.email))) as n(field, number)
    where p._id = any(people) and n.number <> ''
  ), deleted as (
    delete from search_number as n where n.record = any(people) and not exists (select from computed as c where (c.record, c.field, c.number) = (n.record, n.field, n.number)))
  insert into search_number (kind, record, field, number)
  select 'person', c.* from computed as c where not exists (select from search_number as n where (c.record, c.field, c.number) = (n.record, n.field, n.number));
end
$$;

-- Returns the sites whose words for the people there have changed.
create function search_index_sites(sites text[]) returns text[] language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan
as $$
declare
  new_words text[];
  changed_sites text[];
begin
  if coalesce(cardinality(sites), 0) = 0 then return null; end if;
  perform search_lock('site', sites);

  with computed as materialized (
    select s._id as record, search_normalize(s."displayName") as title, named.names,
           named.names || search_vector(search_normalize(concat_ws(' ', s.city, s.address_1, s.address_2, s.category)), 'C')
                        || search_vector(concat_ws(' ', s.zip, search_state_aliases(s.state), search_normalize(concat_ws(' ', re.name, c.name, c.abbreviation, f.county))), 'D') as words,
           case when position('CLOSED' in s.status) > 0 then 40 when s.status = 'PENDING' then 20 else 0 end as rank
    from site as s
    left join region as re on re._id = s.region
    left join charter as c on c._id = s.charter
    left join facility as f on f.site = s._id
    cross join lateral (
      select search_vector(search_normalize(s."displayName"), 'A') || search_vector(search_normalize(s.name), 'A')
             || search_vector(concat_ws(' ', search_variants(s."displayName"), search_initials(search_normalize(s."displayName"))), 'B') as names) as named
    where s._id = any(sites)
  ), deleted as (
    delete from search_doc as d where d.record = any(sites) and not exists (
      select from computed as c where (c.record, c.title, c.names, c.words, c.rank) = (d.record, d.title, d.names, d.words, d.rank))
  ), inserted as (
    insert into search_doc (kind, record, title, names, words, rank)
    select 'site', c.* from computed as c where not exists (
      select from search_doc as d where (c.record, c.title, c.names, c.words, c.rank) = (d.record, d.title, d.names, d.words, d.rank))
    returning words)
  select array_agg(distinct word) into new_words from inserted, unnest(tsvector_to_array(words)) as word;
  perform search_add_words(new_words);

  with computed as materialized (
    select s._id as record, n.field, n.number
    from site as s left join facility as f on f.site = s._id, lateral (values
      ('phone', regexp_replace(regexp_replace(s.phone, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
      ('phone_2', regexp_replace(regexp_replace(f.phone_2, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
      ('fax', regexp_replace(s.fax, '\D', '', 'g')),
      ('finance_id', search_letters(s.finance_id)),
      ('CDS', search_letters(s.directory_id))) as n(field, number)
    where s._id = any(sites) and n.number <> ''
  ), deleted as (
    delete from search_number as n where n.record = any(sites) and not exists (select from computed as c where (c.record, c.field, c.number) = (n.record, n.field, n.number)))
  insert into search_number (kind, record, field, number)
  select 'site', c.* from computed as c where not exists (select from search_number as n where (c.record, c.field, c.number) = (n.record, n.field, n.number));

  delete from search_place as deleted where site = any(sites) and not exists (select from site as s where s._id = deleted.site);
  with changed as (
    insert into search_place as stored (site, places, surroundings, open)
    select s._id, search_normalize(concat_ws(' ', s."displayName", s.name, s.city)),
           concat_ws(' ', search_state_aliases(s.state), search_normalize(re.name), search_normalize(c.name), search_normalize(c.abbreviation)), position('CLOSED' in s.status) = 0
    from site as s
    left join region as re on re._id = s.region
    left join charter as c on c._id = s.charter
    where s._id = any(sites)
    on conflict (site) do update set (places, surroundings, open) = (excluded.places, excluded.surroundings, excluded.open)
    where (stored.places, stored.surroundings, stored.open) is distinct from (excluded.places, excluded.surroundings, excluded.open)
    returning site)
  select array_agg(site) into changed_sites from changed;
  return changed_sites;
end
$$;

-- CDS code and charter number also stand in several sections of the charter affair.
create function search_index_charters(charters text[]) returns void language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan
as $$
begin
  if coalesce(cardinality(charters), 0) = 0 then return; end if;
  perform search_lock('charter', charters);
  delete from search_doc where record = any(charters);
  delete from search_number where record = any(charters);

  insert into search_doc (kind, record, title, names, words, rank)
  select 'charter', c._id, normalized.title, named.names, named.names || search_vector(search_normalize(b."brandName"), 'D'),
         case when position('CLOSED' in c.status) > 0 then 40 when c.status = 'PENDING' then 20 else 0 end
  from charter as c
  join brand as b on b._id = c.brand
  cross join lateral (select search_normalize(c.name) as title) as normalized
  cross join lateral (
    select search_vector(normalized.title, 'A') || search_vector(concat_ws(' ', search_normalize(c.abbreviation), search_letters(c.abbreviation), search_variants(c.name),
             search_initials(normalized.title), search_initials(regexp_replace(normalized.title, ' (charter|charters|school|schools|academy)+$', ''))), 'B') as names) as named
  where c._id = any(charters);

  insert into search_number (kind, record, field, number, from_affair)
  select distinct 'charter', c._id, n.field, n.number, n.from_affair
  from charter as c left join charter_affair as a on a.charter = c._id, lateral (values
    ('phone', regexp_replace(c."charterContactnumber", '\D', '', 'g'), false),
    ('CDS', search_letters(c.directory_id), false),
    ('charter_number', search_letters(c.charter_number), false),
    ('CDS', search_letters(a.charter_no_cds ->> 'cds_code'), true), ('CDS', search_letters(a.overview ->> 'cds_code'), true), ('CDS', search_letters(a.funding ->> 'cds_code'), true),
    ('charter_number', search_letters(a.charter_no_cds ->> 'charter_number'), true), ('charter_number', search_letters(a.overview ->> 'charter_number'), true),
    ('charter_number', search_letters(a.funding ->> 'charter_number'), true)) as n(field, number, from_affair)
  where c._id = any(charters) and n.number <> '';

  perform search_add_words((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(charters)));
end
$$;

create function search_index_brands(brands text[]) returns void language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan
as $$
begin
  if coalesce(cardinality(brands), 0) = 0 then return; end if;
  perform search_lock('brand', brands);
  delete from search_doc where record = any(brands);
  insert into search_doc (kind, record, title, names, words, rank)
  select 'brand', b._id, normalized.title, named.names, named.names, case when position('CLOSED' in b.status) > 0 then 40 else 0 end
  from brand as b
  cross join lateral (select search_normalize(b."brandName") as title) as normalized
  cross join lateral (
    select search_vector(normalized.title, 'A') || search_vector(concat_ws(' ', search_variants(b."brandName"), search_initials(normalized.title)), 'B') as names) as named
  where b._id = any(brands);
  perform search_add_words((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(brands)));
end
$$;

create function search_index_regions(regions text[]) returns void language plpgsql
set jit = off set enable_seqscan = off set enable_hashjoin = off set plan_cache_mode = force_generic_plan
as $$
begin
  if coalesce(cardinality(regions), 0) = 0 then return; end if;
  perform search_lock('region', regions);
  delete from search_doc where record = any(regions);
  insert into search_doc (kind, record, title, names, words, rank)
  select 'region', r._id, normalized.title, named.names, named.names, 0
  from region as r
  cross join lateral (select search_normalize(r.name) as title) as normalized
  cross join lateral (
    select search_vector(normalized.title, 'A') || search_vector(case normalized.title when 'california' then 'ca' when 'michigan' then 'mi' when 'ohio' then 'oh'
             when 'south carolina' then 'sc' when 'texas' then 'tx' end, 'B') as names) as named
  where r._id = any(regions);
  perform search_add_words((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(regions)));
end
$$;

-- All records, in steps that fit any memory.
create function search_index_everything() returns void language plpgsql as $$
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

------------------------------------------------------------------------------------------------------------------------------------------------
-- Following changes. Triggers note changed records in a setting of the transaction, a line each: the kind, and the id as JSON, which may contain anything.
-- The words are written at the commit: once for each record, however many of its parts changed, and with nothing between the locks and the commit that waits
-- for the server. Whoever writes a whole network at once sets homeroom.defer_search_index and calls search_index_everything() at the end of the transaction.
------------------------------------------------------------------------------------------------------------------------------------------------

create function search_people_at_sites(sites text[]) returns text[] language sql stable as $$ select array_agg(distinct person) from site_person where site = any(sites) $$;

create function search_update_queued() returns void language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  queue text := setting_or_null('homeroom.search_queue');
  regions text[]; brands text[]; charters text[]; sites text[]; people text[];
begin
  if queue is null then return; end if;
  perform set_config('homeroom.search_queue', '', true);
  with queued as materialized (
    select distinct split_part(text, ' ', 1) as kind, substr(text, position(' ' in text) + 1)::json #>> '{}' as record from string_to_table(rtrim(queue, e'\n'), e'\n') as text)
  select (select array_agg(record) from queued where kind = 'region'),
         (select array_agg(record) from queued where kind = 'brand'),
         (select array_agg(record) from (
            select record from queued where kind = 'charter'
            union select c._id from charter as c join queued on queued.kind = 'brand_name' and queued.record = c.brand) as affected),
         (select array_agg(record) from (
            select record from queued where kind = 'site'
            union select s._id from site as s join queued on queued.kind = 'charter_name' and queued.record = s.charter
            union select s._id from site as s join queued on queued.kind = 'region_name' and queued.record = s.region) as affected),
         (select array_agg(record) from (
            select record from queued where kind = 'person'
            union select sp.person from site_person as sp join queued on queued.kind = 'role' and queued.record = sp.role) as affected)
  into regions, brands, charters, sites, people;
  perform search_index_regions(regions);
  perform search_index_brands(brands);
  perform search_index_charters(charters);
  people := people || search_people_at_sites(search_index_sites(sites));
  perform search_index_people(people);
end
$$;

create function search_queue(kind text, records text[]) returns void language plpgsql as $$
declare
  queue text;
begin
  if coalesce(cardinality(records), 0) = 0 then return; end if;
  queue := concat(setting_or_null('homeroom.search_queue'), (select string_agg(kind || ' ' || to_json(record) || e'\n', '') from unnest(records) as record));
  perform set_config('homeroom.search_queue', queue, true);
  -- A large import is written in parts.
  if length(queue) > 50000 then perform search_update_queued(); end if;
end
$$;

-- What shows a name of another record changes with that name. Version, moment and author are not compared: a changed part that marks its site as changed
-- changes no word.
create function search_queue_records() returns trigger language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  changed text[];
  renamed text[];
begin
  if setting_or_null('homeroom.defer_search_index') is not null then return null; end if;
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
  perform search_queue(tg_table_name, changed);
  if tg_table_name in ('brand', 'charter', 'region') then perform search_queue(tg_table_name || '_name', renamed); end if;
  return null;
end
$$;

-- The same for rows that are part of another record: a role held belongs to its person, an affair to its charter, a facility to its site.
-- (Giving somebody a role and renaming its site come one after the other: both update the row of the site.)
create function search_queue_parents() returns trigger language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
  changed text[];
begin
  if setting_or_null('homeroom.defer_search_index') is not null then return null; end if;
  if tg_table_name = 'site_person' then
    if tg_op = 'INSERT' then select array_agg(distinct person) into changed from new_rows;
    elsif tg_op = 'DELETE' then select array_agg(distinct person) into changed from old_rows;
    else select array_agg(distinct person) into changed from (select person from new_rows union select person from old_rows) as both_rows;
    end if;
    perform search_queue('person', changed);
  elsif tg_table_name = 'charter_affair' then
    if tg_op = 'DELETE' then select array_agg(charter) into changed from old_rows;
    else select array_agg(charter) into changed from new_rows;
    end if;
    perform search_queue('charter', changed);
  else
    select array_agg(n.site) into changed from new_rows as n join old_rows as o on o.site = n.site
    where (n.county, n.phone_2) is distinct from (o.county, o.phone_2);
    perform search_queue('site', changed);
  end if;
  return null;
end
$$;

create function search_update_at_commit() returns trigger language plpgsql as $$
begin
  perform search_update_queued();
  return null;
end
$$;

create trigger search_insert after insert on person referencing new table as new_rows for each statement execute function search_queue_records();
create trigger search_update after update on person referencing old table as old_rows new table as new_rows for each statement execute function search_queue_records();
create trigger search_delete after delete on person referencing old table as old_rows for each statement execute function search_queue_records();
create trigger search_insert after insert on site referencing new table as new_rows for each statement execute function search_queue_records();
create trigger search_update after update on site referencing old table as old_rows new table as new_rows for each statement execute function search_queue_records();
create trigger search_delete after delete on site referencing old table as old_rows for each statement execute function search_queue_records();
create trigger search_insert after insert on charter referencing new table as new_rows for each statement execute function search_queue_records();
create trigger search_update after update on charter referencing old table as old_rows new table as new_rows for each statement execute function search_queue_records();
create trigger search_delete after delete on charter referencing old table as old_rows for each statement execute function search_queue_records();
create trigger search_insert after insert on brand referencing new table as new_rows for each statement execute function search_queue_records();
create trigger search_update after update on brand referencing old table as old_rows new table as new_rows for each statement execute function search_queue_records();
create trigger search_delete after delete on brand referencing old table as old_rows for each statement execute function search_queue_records();
create trigger search_insert after insert on region referencing new table as new_rows for each statement execute function search_queue_records();
create trigger search_update after update on region referencing old table as old_rows new table as new_rows for each statement execute function search_queue_records();
create trigger search_delete after delete on region referencing old table as old_rows for each statement execute function search_queue_records();
create trigger search_insert after insert on role referencing new table as new_rows for each statement execute function search_queue_records();
create trigger search_update after update on role referencing old table as old_rows new table as new_rows for each statement execute function search_queue_records();
create trigger search_delete after delete on role referencing old table as old_rows for each statement execute function search_queue_records();
create trigger search_insert after insert on site_person referencing new table as new_rows for each statement execute function search_queue_parents();
create trigger search_update after update on site_person referencing old table as old_rows new table as new_rows for each statement execute function search_queue_parents();
create trigger search_delete after delete on site_person referencing old table as old_rows for each statement execute function search_queue_parents();
create trigger search_insert after insert on charter_affair referencing new table as new_rows for each statement execute function search_queue_parents();
create trigger search_update after update on charter_affair referencing old table as old_rows new table as new_rows for each statement execute function search_queue_parents();
create trigger search_delete after delete on charter_affair referencing old table as old_rows for each statement execute function search_queue_parents();
create trigger search_update after update on facility referencing old table as old_rows new table as new_rows for each statement execute function search_queue_parents();

create constraint trigger search_update_at_commit after insert or update or delete on person deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on site deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on charter deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on brand deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on region deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on role deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on site_person deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on charter_affair deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();
create constraint trigger search_update_at_commit after insert or update or delete on facility deferrable initially deferred
  for each row when (setting_or_null('homeroom.defer_search_index') is null) execute function search_update_at_commit();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Finding. Every typed word is looked up in four circles, each wider than the one before: the word itself, words that begin with it, words one typo away,
-- words that contain or resemble it. All words must match; the wider circles are searched only where the narrower ones leave room. Every lookup is bounded,
-- so that a hundred thousand people cost little more than ten.
------------------------------------------------------------------------------------------------------------------------------------------------

-- Words that say nothing about what is looked for, dropped where others are left.
create function search_is_stop_word(word text) returns boolean language sql immutable parallel safe strict as $$
  select word in ('the', 'of', 'at', 'in', 'for', 'and', 'a', 'an', 'is', 'who', 'whose', 'what', 'where', 'to', 'phone', 'number', 'email', 'mail', 'call', 'contact')
$$;

-- Words one typo away, the most likely first: those with the same first letter.
create function search_typo_words(typed text) returns text[] language sql stable parallel safe as $$
  select array(
    select word from (
      select distinct t.word from search_deletions(typed) as part join search_typo as t on t.part = part.part
      where length(typed) > 2 and typed !~ '[0-9]' and t.word <> typed) as candidate(word)
    where search_is_one_typo_apart(typed, word)
    order by left(word, 1) <> left(typed, 1), abs(length(word) - length(typed)), word
    limit 24)
$$;

-- Words that contain what was typed, or resemble it.
create function search_similar_words(typed text) returns text[] language sql stable parallel safe as $$
  select array(
    select distinct word from (
      (select word from search_word where length(typed) > 2 and word like '%' || typed || '%' limit 24)
      union all
      (select word from search_word where length(typed) > 3 and typed !~ '[0-9]' and word % typed order by similarity(word, typed) desc, word limit 8)
    ) as candidates)
$$;

-- Any of the words, each only where `suffix` says so: (a, b), ':A' -> 'a':A | 'b':A
create function search_any_of(words text[], suffix text) returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || word || '''' || suffix, ' | ')::tsquery from unnest(words) as word
$$;

-- The matching records, the best of each kind first: at most `max_per_kind` of each kind, of `only_kind` alone where it is not null. `total` counts
-- the matches of a kind as far as they were looked at, `more` says that there are more. `marks` are the words that matched.
-- Order and limits never depend on the database's collation or on where rows are stored, so that a restored database answers the same.
create function search_records(typed text, only_kind text, max_per_kind integer, with_affairs boolean)
returns table (kind text, record text, role text, score real, match text, place bigint, total bigint, more boolean, marks text[])
language plpgsql stable
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set pg_trgm.similarity_threshold = 0.35
as $$
#variable_conflict use_column
declare
  max_rows constant integer := 120;
  max_number_rows constant integer := 200;
  -- '209-555-0143 x12' is the number without its extension.
  without_extension text := regexp_replace(typed, '(\d)\s*(x|ext\.?)\s*\d+\s*$', '\1', 'i');
  normalized_text text := search_normalize(without_extension);
  numbers text[] := '{}';
  typed_words text[];
  word text;
  typo_words text[];
  similar_words text[];
  matched_words text[] := '{}';
  exact_name tsquery[] := '{}'; exact_alias tsquery[] := '{}'; exact_near tsquery[] := '{}'; exact_all tsquery[] := '{}';
  prefix_name tsquery[] := '{}'; prefix_all tsquery[] := '{}';
  typo_name tsquery[] := '{}'; typo_all tsquery[] := '{}'; similar_all tsquery[] := '{}';
  exact_query tsquery; prefix_query tsquery; typo_query tsquery; similar_query tsquery; shorter_query tsquery;
  people bigint[] := '{}'; others bigint[] := '{}';
  number_matches text[] := '{}';
  matches text[];
  for_people boolean;
  has_more_people boolean := false; has_more_others boolean := false;
  want_people boolean := only_kind is null or only_kind = 'person';
  want_others boolean := only_kind is null or only_kind <> 'person';
  -- A search for a role means the place where it is held, rather than somebody with the name of the place.
  mentions_role boolean;
  is_id boolean := false;
  -- A state alone means the state, not the tens of thousands who work there.
  is_wide boolean;
  -- Too many words begin with two letters; names that begin with them are enough.
  is_short boolean;
begin
  -- Numbers: '(209) 555-0143', '+1 209 555 0143 x12', '5550143', an id, an address with an @.
  if position('@' in typed) > 0 then
    numbers := array[lower(btrim(typed))];
    normalized_text := '';
  elsif btrim(without_extension) !~ '\s' and search_letters(without_extension) ~ '^[a-z]{1,4}[0-9][a-z0-9]{2,}$' then
    numbers := array[search_letters(without_extension)];
    is_id := true;
  else
    select coalesce(array_agg(case when length(digits) = 11 then regexp_replace(digits, '^1', '') else digits end), '{}') into numbers
    from (select regexp_replace(run[1], '\D', '', 'g') as digits
          from regexp_matches(without_extension, '(?:^|[^[:alnum:]])(\d[\d\s().+/-]*\d)(?![[:alnum:]])', 'g') as run) as runs
    where length(digits) > 2;
  end if;
  if cardinality(numbers) > 0 then
    -- The whole number or its beginning, a phone without its area code; only then any part of it. People and other kinds are searched
    -- separately, so that each has its own limit.
    foreach for_people in array array[true, false] loop
      continue when only_kind is not null and (only_kind = 'person') <> for_people;
      matches := array(select n.record from search_number as n
        where n.number >= numbers[1] and n.number < (numbers[1] || '~')
          and (n.kind = 'person') = for_people and (with_affairs or not n.from_affair) and (only_kind is null or n.kind = only_kind) limit max_number_rows);
      if length(numbers[1]) = 7 then
        matches := matches || array(select n.record from search_number as n
          where right(n.number, 7) = numbers[1] and (n.kind = 'person') = for_people and (with_affairs or not n.from_affair) and (only_kind is null or n.kind = only_kind) limit max_number_rows);
      end if;
      if cardinality(matches) = 0 or length(numbers[1]) < 6 then
        matches := matches || array(select n.record from search_number as n
          where n.number like '%' || replace(replace(numbers[1], '_', '\_'), '%', '\%') || '%'
            and (n.kind = 'person') = for_people and (with_affairs or not n.from_affair) and (only_kind is null or n.kind = only_kind) limit max_number_rows);
      end if;
      if cardinality(matches) >= max_number_rows then
        has_more_people := has_more_people or for_people;
        has_more_others := has_more_others or not for_people;
      end if;
      number_matches := number_matches || matches;
    end loop;
  end if;

  select array_agg(w order by at) into typed_words from (
    select w, min(at) as at from unnest(string_to_array(normalized_text, ' ')) with ordinality as t(w, at)
    where w <> '' and length(w) <= 60 and not (cardinality(numbers) > 0 and w ~ '^[0-9]+$' and length(w) < 5) group by w order by min(at) limit 8) as each_once;
  typed_words := coalesce(typed_words, '{}');
  if exists (select from unnest(typed_words) as w where not search_is_stop_word(w)) then
    typed_words := array(select w from unnest(typed_words) with ordinality as t(w, at) where not search_is_stop_word(w) order by at);
  end if;
  -- Digits that matched as a number are not searched as words; zip codes and house numbers are.
  if cardinality(number_matches) > 0 then
    typed_words := case when is_id then '{}' else array(select w from unnest(typed_words) with ordinality as t(w, at) where w !~ '^[0-9]+$' order by at) end;
  end if;

  mentions_role := cardinality(typed_words) > 1 and exists (select from role as r, unnest(typed_words) as w
    where ' ' || search_normalize(r.name) || ' ' || search_role_aliases(r.name) || ' ' like '% ' || w || ' %'
      and w not in ('area', 'site', 'front', 'school', 'student', 'center', 'learning', 'data', 'lead', 'community', 'special', 'as', 'super', 'vice'));

  is_wide := not exists (select from unnest(typed_words) as w where w <> all (array['ca', 'mi', 'oh', 'sc', 'tx']
    || array(select unnest(string_to_array(search_normalize(r.name), ' ')) from region as r)));
  is_short := cardinality(typed_words) = 1 and length(typed_words[1]) = 2;

  foreach word in array typed_words loop
    typo_words := search_typo_words(word);
    similar_words := search_similar_words(word);
    exact_name := exact_name || search_any_of(array[word], ':A');
    exact_alias := exact_alias || search_any_of(array[word], ':B');
    exact_near := exact_near || search_any_of(array[word], ':C');
    exact_all := exact_all || search_any_of(array[word], '');
    prefix_name := prefix_name || search_any_of(array[word], case when length(word) > 2 or (length(word) = 2 and cardinality(typed_words) > 1) then ':*A' else ':A' end);
    prefix_all := prefix_all || search_any_of(array[word], case when length(word) > 2 or (length(word) = 2 and cardinality(typed_words) > 1) then ':*' else '' end);
    typo_name := typo_name || search_any_of(array[word] || typo_words, ':A');
    typo_all := typo_all || (prefix_all[cardinality(prefix_all)] || coalesce(search_any_of(typo_words, ''), prefix_all[cardinality(prefix_all)]));
    similar_all := similar_all || (typo_all[cardinality(typo_all)] || coalesce(search_any_of(similar_words, ''), typo_all[cardinality(typo_all)]));
    matched_words := matched_words || word || typo_words || similar_words || array(select also from nickname where name = word);
  end loop;

  if cardinality(typed_words) > 0 then
    exact_query := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(exact_all) as q);
    prefix_query := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(prefix_all) as q);
    typo_query := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(typo_all) as q);
    similar_query := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(similar_all) as q);
    if cardinality(number_matches) > 0 then
      people := array(select _id from search_doc as d where d.record = any(number_matches) and d.kind = 'person' and d.words @@ similar_query limit max_rows);
      others := array(select _id from search_doc as d where d.record = any(number_matches) and d.kind <> 'person' and d.words @@ similar_query limit max_rows);
      number_matches := '{}';
    else
      if want_people then
        people := array(select _id from search_doc as d where d.kind = 'person' and d.names @@ exact_query limit max_rows);
        if is_short then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.title ~>=~ typed_words[1] and d.title ~<~ (typed_words[1] || '~') limit max_rows);
        end if;
        if not is_wide then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ exact_query limit max_rows);
        end if;
        if cardinality(people) < max_rows then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.names @@ prefix_query limit max_rows);
          if not is_wide then
            people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ prefix_query limit max_rows);
          end if;
        end if;
        has_more_people := cardinality(people) >= max_rows;
        if cardinality(people) < 12 and not is_wide then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ typo_query limit max_rows);
        end if;
        if cardinality(people) < 12 and not is_wide then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ similar_query limit max_rows);
        end if;
      end if;
      if want_others then
        others := array(select _id from search_doc as d where is_short and d.kind <> 'person' and d.title ~>=~ typed_words[1] and d.title ~<~ (typed_words[1] || '~')
                          and (only_kind is null or d.kind = only_kind) limit max_rows)
               || array(select _id from search_doc as d where d.kind <> 'person' and d.names @@ exact_query and (only_kind is null or d.kind = only_kind) limit max_rows)
               || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ exact_query and (only_kind is null or d.kind = only_kind) limit max_rows);
        if cardinality(others) < max_rows then
          others := others || array(select _id from search_doc as d where d.kind <> 'person' and d.names @@ prefix_query and (only_kind is null or d.kind = only_kind) limit max_rows)
                           || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ prefix_query and (only_kind is null or d.kind = only_kind) limit max_rows);
        end if;
        has_more_others := cardinality(others) >= max_rows;
        if cardinality(others) < 12 then
          others := others || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ typo_query and (only_kind is null or d.kind = only_kind) limit max_rows);
        end if;
        if cardinality(others) < 12 then
          others := others || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ similar_query and (only_kind is null or d.kind = only_kind) limit max_rows);
        end if;
      end if;
      -- Nothing contains all words: one may be left out, and titles similar to the whole text count as well.
      if cardinality(people) + cardinality(others) = 0 then
        if cardinality(typed_words) > 1 then
          for at in 1 .. cardinality(typed_words) loop
            shorter_query := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(similar_all) with ordinality as t(q, n) where n <> at);
            people := people || array(select _id from search_doc as d where want_people and d.kind = 'person' and d.names @@ shorter_query limit 40)
                             || array(select _id from search_doc as d where want_people and d.kind = 'person' and d.words @@ shorter_query limit 40);
            others := others || array(select _id from search_doc as d where want_others and d.kind <> 'person' and d.words @@ shorter_query and (only_kind is null or d.kind = only_kind) limit 40);
          end loop;
        end if;
        others := others || array(select _id from search_doc as d where d.title % normalized_text and (only_kind is null or d.kind = only_kind)
                                  order by similarity(d.title, normalized_text) desc, d.record limit 10);
      end if;
    end if;
  end if;

  return query
  with scored as (
    select d.kind, d.record, d.role, d.title, d.rank,
           (coalesce(sum(case
             when d.names @@ exact_name[at] then case when mentions_role and d.kind = 'person' then 7 else 10 end
             when d.names @@ exact_alias[at] then case when mentions_role and d.kind = 'person' then 6 when d.kind = 'charter' then 12 else 8.5 end
             when d.words @@ exact_near[at] then case when mentions_role and d.kind = 'person' then 7.2 else 7 end
             when d.words @@ exact_all[at] then 5
             when d.names @@ prefix_name[at] then 6
             when d.names @@ typo_name[at] then case when length(typed_words[at]) > 3 then 5.5 else 3 end
             when d.words @@ prefix_all[at] then 4.5
             when d.words @@ typo_all[at] then case when length(typed_words[at]) > 3 then 4 else 2.5 end
             when d.words @@ similar_all[at] then 2 else 0 end), 0)
             + case when not (mentions_role and d.kind = 'person') and similarity(d.title, normalized_text) > 0.3 then 4 * similarity(d.title, normalized_text) else 0 end
             + case max(case when d.words @@ exact_all[at] then 0 when d.words @@ prefix_all[at] then 1 else 2 end) when 0 then 4 when 1 then 2 else 0 end
             - 0.02 * d.rank)::real as score,
           coalesce(max(case when d.words @@ exact_all[at] then 0 when d.words @@ prefix_all[at] then 1 else 2 end), 2) as distance
    from search_doc as d left join generate_series(1, cardinality(typed_words)) as at on true
    where d._id = any(people || others)
    group by d._id
    union all
    select d.kind, d.record, d.role, d.title, d.rank,
           (max(case when n.number = numbers[1] then 14 when n.number like numbers[1] || '%' or n.number like '%' || numbers[1] then 12 else 10 end
                - case n.field when 'fax' then 1 else 0 end))::real,
           min(case when n.number = numbers[1] then 0 else 1 end)
    from search_number as n join search_doc as d on d.record = n.record
    where n.record = any(number_matches) and (with_affairs or not n.from_affair) and n.number like '%' || replace(replace(numbers[1], '_', '\_'), '%', '\%') || '%'
    group by d._id
  ), best as (
    select distinct on (s.record) s.* from scored as s order by s.record, s.score desc, s.rank, s.title collate "C", s.role
  ), ranked as (
    select b.kind, b.record, b.role, b.score, (array['exact', 'prefix', 'close'])[b.distance + 1] as match,
           row_number() over (partition by b.kind order by b.score desc, b.rank, b.title collate "C", b.record) as place,
           count(*) over (partition by b.kind) as total,
           case when b.kind = 'person' then has_more_people else has_more_others end as more
    from best as b
  )
  select p.kind, p.record, p.role, p.score, p.match, p.place, p.total, p.more, matched_words from ranked as p where p.place <= max_per_kind order by p.score desc, p.kind collate "C", p.place;
end
$$;

-- A record in one line, as the API's RecordHit; null where there is none. A person is shown with the role that was found or their first one, and with
-- the place that was searched for.
create function record_hit(wanted_kind text, wanted_id text, found_role text, searched_words text[]) returns json language plpgsql stable
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  hit json;
begin
  case wanted_kind
    when 'person' then
      select json_build_object('kind', 'person', '_id', p._id, 'slug', p.slug, 'name', p.name,
               'detail', case when assignment.name is null then case when p."leftAt" is null then 'No role assigned' else 'Left' end else concat_ws(' · ', assignment.name, case when assignment.places > 1 and place.is_searched is not true
                 then assignment.places || ' sites' else place."displayName" || case when assignment.places > 1 then ' and ' || assignment.places - 1 || ' more' else '' end end) end,
               'phone', p.phone, 'email', p.email, 'status', null, 'version', p.version)
      into hit
      from person as p
      left join lateral (
        select sp.role, r.name, count(*) as places from site_person as sp join role as r on r._id = sp.role
        where sp.person = p._id and (found_role is null or sp.role = found_role)
        group by sp.role, r.name, r."group" order by r."group" collate "C", r.name <> 'Principal', r.name collate "C", sp.role limit 1) as assignment on true
      left join lateral (
        select s."displayName", exists (select from unnest(searched_words) as word
                 where length(word) > 1 and ' ' || search_normalize(concat_ws(' ', s."displayName", s.city)) like '% ' || word || '%') as is_searched
        from site_person as sp join site as s on s._id = sp.site
        where sp.person = p._id and sp.role = assignment.role and assignment.places <= 60
        order by 2 desc, position('CLOSED' in s.status), s."displayName" collate "C", s._id limit 1) as place on true
      where p._id = wanted_id;
    when 'site' then
      select json_build_object('kind', 'site', '_id', s._id, 'slug', s.slug, 'name', s."displayName",
               'detail', concat_ws(' · ', nullif(concat_ws(', ', s.city, s.state), ''), s.category, 'Finance no. ' || s.finance_id),
               'phone', s.phone, 'email', null, 'status', s.status, 'version', s.version)
      into hit from site as s where s._id = wanted_id;
    when 'charter' then
      select json_build_object('kind', 'charter', '_id', c._id, 'slug', c.slug, 'name', c.name,
               'detail', concat_ws(' · ', to_char(c."studentCount", 'FM999,999,990') || case c."studentCount" when 1 then ' student' else ' students' end,
                 (select count(*) || case count(*) when 1 then ' site' else ' sites' end from site as s where s.charter = c._id)),
               'phone', c."charterContactnumber", 'email', null, 'status', c.status, 'version', c.version)
      into hit from charter as c where c._id = wanted_id;
    when 'brand' then
      select json_build_object('kind', 'brand', '_id', b._id, 'slug', b.slug, 'name', b."brandName",
               'detail', (select count(*) || case count(*) when 1 then ' charter' else ' charters' end from charter as c where c.brand = b._id),
               'phone', null, 'email', null, 'status', b.status, 'version', b.version)
      into hit from brand as b where b._id = wanted_id;
    when 'region' then
      select json_build_object('kind', 'region', '_id', r._id, 'slug', r.slug, 'name', r.name,
               'detail', (select count(*) || case count(*) when 1 then ' site' else ' sites' end from site as s where s.region = r._id),
               'phone', null, 'email', null, 'status', null, 'version', r.version)
      into hit from region as r where r._id = wanted_id;
    else hit := null;
  end case;
  return hit;
end
$$;

-- Rows that were there before.
select search_index_everything();
