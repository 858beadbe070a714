-- Search (issue "Find anything in a second"). Records are kept a second time as words: `search_doc` has one row a record, and for a person one
-- row a role held, with the places where it is held, so that 'principal lodi' finds who is principal there and not who is principal elsewhere
-- and registrar in Lodi. Triggers on the records keep it true whoever writes. Words are compared in plain letters: accents dropped, lower case.

-- Nicknames, both ways; one line a name, kept by hand.
create table nickname (
  name text not null,
  also text not null,
  primary key (name, also)
);

create table search_doc (
  _id bigint generated always as identity primary key,
  kind text not null,
  record uuid not null,
  role uuid, -- of a person who holds one
  title text not null, -- the name in plain letters
  names tsvector not null, -- words of the name (A) and what else it is called (B): nicknames, initials, an abbreviation
  words tsvector not null, -- those, the role and the place (C), and what is further round it (D): state, region, charter, brand
  -- Among equals, who is asked for more often comes first: a principal before a technician, an open site before a closed one.
  rank integer not null
);
create index search_doc_record on search_doc (record);
create index search_doc_person_names on search_doc using gin (names) with (fastupdate = off) where kind = 'person';
create index search_doc_person_words on search_doc using gin (words) with (fastupdate = off) where kind = 'person';
create index search_doc_other_names on search_doc using gin (names) with (fastupdate = off) where kind <> 'person';
create index search_doc_other_words on search_doc using gin (words) with (fastupdate = off) where kind <> 'person';
create index search_doc_title on search_doc using gin (title gin_trgm_ops) with (fastupdate = off);
create index search_doc_beginning on search_doc (title text_pattern_ops);

-- Every word there is, for what begins with, contains or resembles what was typed. Not unique, so that two who save the same new word at the
-- same moment never wait for each other.
create table search_word (
  word text collate "C" not null
);
create index search_word_exact on search_word (word);
create index search_word_part on search_word using gin (word gin_trgm_ops) with (fastupdate = off);

-- Every word with each of its letters left out once: two words that share such a part are one typo or one swap apart, or two at most.
create table search_typo (
  part text collate "C" not null,
  word text collate "C" not null
);
create index search_typo_part on search_typo (part);

-- Phone numbers and ids, as their letters and digits alone.
create table search_number (
  kind text not null,
  record uuid not null,
  what text not null,
  number text collate "C" not null
);
create index search_number_record on search_number (record);
create index search_number_beginning on search_number (number);
create index search_number_last_seven on search_number (right(number, 7));
create index search_number_part on search_number using gin (number gin_trgm_ops) with (fastupdate = off);

-- 'Ángela “Angie” O’Rourke-Lee' -> 'angela angie orourke lee'
create function search_text(value text) returns text language sql stable strict parallel safe as $$
  select btrim(regexp_replace(regexp_replace(lower(unaccent(value)), '[''’‘ʼ`´]', '', 'g'),
                              '[][\s!"#$%&()*+,./:;<=>?@\\^_{|}~“”„«»…‐‑‒–—―־·•¿¡№-]+', ' ', 'g'))
$$;

-- Other ways to write a name: 'o rourke', 'orourkelee', 'delacruz', 'stclair'.
create function search_variants(value text) returns text language sql stable strict parallel safe as $$
  select concat_ws(' ',
    case when value ~ '[''’‘ʼ]' then search_text(regexp_replace(value, '[''’‘ʼ]', ' ', 'g')) end,
    case when value ~ '[[:alpha:]][‐‑־-][[:alpha:]]' then search_text(regexp_replace(value, '[‐‑־-]', '', 'g')) end,
    case when search_text(value) ~ '\m(de|la|las|los|le|el|al|del|della|di|da|dos|van|von|der|den|st|san|santa|mac|mc|o|bin|ben|el) \w'
         then regexp_replace(search_text(value), '\m(de|la|las|los|le|el|al|del|della|di|da|dos|van|von|der|den|st|san|santa|mac|mc|o|bin|ben|el) (?=\w)', '\1', 'g') end)
$$;

create function search_letters(value text) returns text language sql stable strict parallel safe as
$$ select regexp_replace(lower(unaccent(value)), '[^a-z0-9]', '', 'g') $$;

-- The first letters of each word: 'Meridian Delta Charter' -> 'mdc', and without a last word that all have, 'md'.
create function search_initials(value text) returns text language sql stable strict parallel safe as $$
  select case when value ~ ' ' then regexp_replace(regexp_replace(value, '(\w)\w*', '\1', 'g'), ' ', '', 'g') end
$$;

-- What else a role is called.
create function search_role(name text) returns text language sql immutable strict parallel safe as $$
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

create function search_state(code text) returns text language sql immutable strict parallel safe as $$
  select case upper(code) when 'CA' then 'ca california calif' when 'MI' then 'mi michigan' when 'OH' then 'oh ohio'
                          when 'SC' then 'sc south carolina' when 'TX' then 'tx texas' else lower(code) end
$$;

create function search_vector(value text, weight "char") returns tsvector language sql immutable parallel safe as
$$ select setweight(to_tsvector('simple', coalesce(value, '')), weight) $$;

-- The word itself, and the word with each letter left out once.
create function search_parts(word text) returns setof text language sql immutable strict parallel safe as $$
  select word
  union
  select overlay(word placing '' from n for 1) from generate_series(1, length(word)) as n
  where length(word) between 3 and 24 and word !~ '[0-9]'
$$;

-- One letter wrong, missing or too many, or two neighbours swapped.
create function search_one_apart(a text, b text) returns boolean language plpgsql immutable strict parallel safe as $$
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

create function search_learn(words text[]) returns void language sql set jit = off set enable_seqscan = off as $$
  with new_words as (
    insert into search_word (word)
    select distinct given.word from unnest(words) as given(word)
    where length(given.word) between 2 and 40 and not exists (select from search_word as known where known.word = given.word)
    returning word)
  insert into search_typo (part, word)
  select part, new_words.word from new_words, search_parts(new_words.word) as part where length(new_words.word) > 2
$$;

-- Whoever writes a record's words holds its lock until the end of the transaction; otherwise two who change two roles of one person at the
-- same moment would each miss the other's. 256 locks for all records: one for each of a large import would not fit PostgreSQL's table of locks.
create function search_lock(records uuid[]) returns void language sql as $$
  select pg_advisory_xact_lock(key) from (
    select distinct 7041904 + ('x' || substr(record::text, 1, 2))::bit(8)::integer as key from unnest(records) as record order by key) as keys
$$;

-- The plans are small ones by key, whatever PostgreSQL believes of tables it has not counted yet.
create function search_index_people(people uuid[]) returns void language plpgsql set jit = off set enable_seqscan = off set enable_hashjoin = off as $$
begin
  if coalesce(cardinality(people), 0) = 0 then return; end if;
  perform search_lock(people);
  delete from search_doc where record = any(people);
  delete from search_number where record = any(people);

  insert into search_doc (kind, record, role, title, names, words, rank)
  select 'person', called._id, held.role, called.title, called.names,
         called.names || search_vector(held.role_words, 'C') || search_vector(held.places, 'C')
                      || search_vector(concat_ws(' ', held.around, called.mail), 'D'),
         coalesce(held.rank, 60) + case when held.open then 0 else 30 end
  from (
    select p._id, plain.title,
           search_vector(plain.title, 'A') || search_vector(concat_ws(' ', search_variants(p.name),
             (select string_agg(distinct n.also, ' ') from unnest(string_to_array(plain.title, ' ')) as word join nickname as n on n.name = word)), 'B') as names,
           search_text(split_part(p.email, '@', 1)) as mail
    from person as p, lateral (select search_text(p.name) as title offset 0) as plain
    where p._id = any(people) offset 0
  ) as called
  left join lateral (
    select sp.role, min(search_text(r.name) || ' ' || search_role(r.name)) as role_words,
           string_agg(distinct search_text(concat_ws(' ', s."displayName", s.name, s.city)), ' ') as places,
           string_agg(distinct concat_ws(' ', search_state(s.state), search_text(re.name), search_text(c.name), search_text(c.abbreviation)), ' ') as around,
           bool_or(position('CLOSED' in s.status) = 0) as open,
           min(case r.name when 'Principal' then 0 when 'Student Relations Manager' then 4 when 'Regional SRM' then 6 when 'Area Superintendent' then 8
                           when 'Regional Vice President' then 10 when 'Assistant Principal' then 12 else case r."group" when 'LEADERSHIP' then 20 else 30 end end)
             + least(count(*), 10)::integer / 5 as rank
    from site_person as sp
    join role as r on r._id = sp.role
    join site as s on s._id = sp.site
    left join region as re on re._id = s.region
    left join charter as c on c._id = s.charter
    where sp.person = called._id
    group by sp.role
  ) as held on true;

  insert into search_number (kind, record, what, number)
  select 'person', p._id, n.what, n.number
  from person as p, lateral (values
    ('phone', regexp_replace(regexp_replace(p.phone, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
    ('fax', regexp_replace(p.fax, '\D', '', 'g')),
    ('PersonID', search_letters(p.sql_person_id)),
    ('email', lower(p.email))) as n(what, number)
  where p._id = any(people) and n.number <> '';

  perform search_learn((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(people)));
end
$$;

create function search_index_sites(sites uuid[]) returns void language plpgsql set jit = off set enable_seqscan = off set enable_hashjoin = off as $$
begin
  if coalesce(cardinality(sites), 0) = 0 then return; end if;
  perform search_lock(sites);
  delete from search_doc where record = any(sites);
  delete from search_number where record = any(sites);

  insert into search_doc (kind, record, title, names, words, rank)
  select 'site', s._id, search_text(s."displayName"), called.names,
         called.names || search_vector(search_text(concat_ws(' ', s.city, s.address_1, s.address_2, s.category)), 'C')
                      || search_vector(concat_ws(' ', s.zip, search_state(s.state), search_text(concat_ws(' ', re.name, c.name, c.abbreviation, f.county))), 'D'),
         case when position('CLOSED' in s.status) > 0 then 40 when s.status = 'PENDING' then 20 else 0 end
  from site as s
  left join region as re on re._id = s.region
  left join charter as c on c._id = s.charter
  left join facility as f on f.site = s._id
  cross join lateral (
    select search_vector(search_text(s."displayName"), 'A') || search_vector(search_text(s.name), 'A')
           || search_vector(concat_ws(' ', search_variants(s."displayName"), search_initials(search_text(s."displayName"))), 'B') as names) as called
  where s._id = any(sites);

  insert into search_number (kind, record, what, number)
  select 'site', s._id, n.what, n.number
  from site as s left join facility as f on f.site = s._id, lateral (values
    ('phone', regexp_replace(regexp_replace(s.phone, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
    ('phone_2', regexp_replace(regexp_replace(f.phone_2, '\s*(x|ext).*$', '', 'i'), '\D', '', 'g')),
    ('fax', regexp_replace(s.fax, '\D', '', 'g')),
    ('finance_id', search_letters(s.finance_id)),
    ('CDS', search_letters(s.directory_id))) as n(what, number)
  where s._id = any(sites) and n.number <> '';

  perform search_learn((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(sites)));
end
$$;

-- A charter's CDS code and charter number stand in several of its affair's sections, as typed there.
create function search_index_charters(charters uuid[]) returns void language plpgsql set jit = off set enable_seqscan = off set enable_hashjoin = off as $$
begin
  if coalesce(cardinality(charters), 0) = 0 then return; end if;
  perform search_lock(charters);
  delete from search_doc where record = any(charters);
  delete from search_number where record = any(charters);

  insert into search_doc (kind, record, title, names, words, rank)
  select 'charter', c._id, plain.title, called.names, called.names || search_vector(search_text(b."brandName"), 'D'),
         case when position('CLOSED' in c.status) > 0 then 40 when c.status = 'PENDING' then 20 else 0 end
  from charter as c
  join brand as b on b._id = c.brand
  cross join lateral (select search_text(c.name) as title) as plain
  cross join lateral (
    select search_vector(plain.title, 'A') || search_vector(concat_ws(' ', search_text(c.abbreviation), search_letters(c.abbreviation), search_variants(c.name),
             search_initials(plain.title), search_initials(regexp_replace(plain.title, ' (charter|charters|school|schools|academy)+$', ''))), 'B') as names) as called
  where c._id = any(charters);

  insert into search_number (kind, record, what, number)
  select distinct 'charter', c._id, n.what, n.number
  from charter as c left join charter_affair as a on a.charter = c._id, lateral (values
    ('phone', regexp_replace(c."charterContactnumber", '\D', '', 'g')),
    ('CDS', search_letters(c.directory_id)),
    ('charter_number', search_letters(c.charter_number)),
    ('CDS', search_letters(a.charter_no_cds ->> 'cds_code')), ('CDS', search_letters(a.overview ->> 'cds_code')), ('CDS', search_letters(a.funding ->> 'cds_code')),
    ('charter_number', search_letters(a.charter_no_cds ->> 'charter_number')), ('charter_number', search_letters(a.overview ->> 'charter_number')),
    ('charter_number', search_letters(a.funding ->> 'charter_number'))) as n(what, number)
  where c._id = any(charters) and n.number <> '';

  perform search_learn((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(charters)));
end
$$;

create function search_index_brands(brands uuid[]) returns void language plpgsql set jit = off set enable_seqscan = off set enable_hashjoin = off as $$
begin
  if coalesce(cardinality(brands), 0) = 0 then return; end if;
  perform search_lock(brands);
  delete from search_doc where record = any(brands);
  insert into search_doc (kind, record, title, names, words, rank)
  select 'brand', b._id, plain.title, called.names, called.names, case when position('CLOSED' in b.status) > 0 then 40 else 0 end
  from brand as b
  cross join lateral (select search_text(b."brandName") as title) as plain
  cross join lateral (
    select search_vector(plain.title, 'A') || search_vector(concat_ws(' ', search_variants(b."brandName"), search_initials(plain.title)), 'B') as names) as called
  where b._id = any(brands);
  perform search_learn((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(brands)));
end
$$;

create function search_index_regions(regions uuid[]) returns void language plpgsql set jit = off set enable_seqscan = off set enable_hashjoin = off as $$
begin
  if coalesce(cardinality(regions), 0) = 0 then return; end if;
  perform search_lock(regions);
  delete from search_doc where record = any(regions);
  insert into search_doc (kind, record, title, names, words, rank)
  select 'region', r._id, plain.title, called.names, called.names, 0
  from region as r
  cross join lateral (select search_text(r.name) as title) as plain
  cross join lateral (
    select search_vector(plain.title, 'A') || search_vector(case plain.title when 'california' then 'ca' when 'michigan' then 'mi' when 'ohio' then 'oh'
             when 'south carolina' then 'sc' when 'texas' then 'tx' end, 'B') as names) as called
  where r._id = any(regions);
  perform search_learn((select array_agg(distinct word) from search_doc as d, unnest(tsvector_to_array(d.words)) as word where d.record = any(regions)));
end
$$;

-- One trigger function for each table: which records' words change with it. What shows a name of something else changes with that name.
create function search_follow() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  -- Whoever writes a whole network at once sets this and calls search_index_everything() at the end of the transaction.
  if setting_or_null('homeroom.index_later') is not null then return null; end if;
  if tg_op = 'DELETE' then
    select array_agg(_id) into changed from old_rows;
    if changed is null then return null; end if;
    delete from search_doc where record = any(changed);
    delete from search_number where record = any(changed);
    return null;
  end if;
  if tg_op = 'INSERT' then
    select array_agg(_id) into changed from new_rows;
  else
    -- What the change trigger keeps is not compared: a part that marks its site as changed changes no word.
    select array_agg(n._id) into changed from new_rows as n join old_rows as o on o._id = n._id
    where to_jsonb(n) - '{version,updatedAt,updatedBy}'::text[] is distinct from to_jsonb(o) - '{version,updatedAt,updatedBy}'::text[];
  end if;
  if changed is null then return null; end if;
  case tg_table_name
    when 'person' then perform search_index_people(changed);
    when 'site' then
      perform search_index_sites(changed);
      if tg_op = 'UPDATE' then
        perform search_index_people((select array_agg(distinct person) from site_person where site = any(changed)));
      end if;
    when 'charter' then
      perform search_index_charters(changed);
      if tg_op = 'UPDATE' then
        perform search_index_sites((select array_agg(_id) from site where charter = any(changed)));
        perform search_index_people((select array_agg(distinct sp.person) from site_person as sp join site as s on s._id = sp.site where s.charter = any(changed)));
      end if;
    when 'brand' then
      perform search_index_brands(changed);
      if tg_op = 'UPDATE' then perform search_index_charters((select array_agg(_id) from charter where brand = any(changed))); end if;
    when 'region' then
      perform search_index_regions(changed);
      if tg_op = 'UPDATE' then
        perform search_index_sites((select array_agg(_id) from site where region = any(changed)));
        perform search_index_people((select array_agg(distinct sp.person) from site_person as sp join site as s on s._id = sp.site where s.region = any(changed)));
      end if;
    when 'role' then
      if tg_op = 'UPDATE' then perform search_index_people((select array_agg(distinct person) from site_person where role = any(changed))); end if;
  end case;
  return null;
end
$$;

-- The same for rows that are part of another record: a place held belongs to its person, an affair to its charter, a facility to its site.
create function search_follow_part() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if setting_or_null('homeroom.index_later') is not null then return null; end if;
  if tg_table_name = 'site_person' then
    if tg_op = 'INSERT' then select array_agg(distinct person) into changed from new_rows;
    elsif tg_op = 'DELETE' then select array_agg(distinct person) into changed from old_rows;
    else select array_agg(distinct person) into changed from (select person from new_rows union select person from old_rows) as both_rows;
    end if;
    perform search_index_people(changed);
  elsif tg_table_name = 'charter_affair' then
    if tg_op = 'DELETE' then select array_agg(charter) into changed from old_rows;
    else select array_agg(charter) into changed from new_rows;
    end if;
    perform search_index_charters(changed);
  else
    select array_agg(n.site) into changed from new_rows as n join old_rows as o on o.site = n.site
    where (n.county, n.phone_2) is distinct from (o.county, o.phone_2);
    perform search_index_sites(changed);
  end if;
  return null;
end
$$;

do $$
declare
  followed text;
begin
  foreach followed in array array['person', 'site', 'charter', 'brand', 'region', 'role'] loop
    execute format('create trigger search_insert after insert on %I referencing new table as new_rows for each statement execute function search_follow()', followed);
    execute format('create trigger search_update after update on %I referencing old table as old_rows new table as new_rows for each statement execute function search_follow()', followed);
    execute format('create trigger search_delete after delete on %I referencing old table as old_rows for each statement execute function search_follow()', followed);
  end loop;
  foreach followed in array array['site_person', 'charter_affair'] loop
    execute format('create trigger search_insert after insert on %I referencing new table as new_rows for each statement execute function search_follow_part()', followed);
    execute format('create trigger search_update after update on %I referencing old table as old_rows new table as new_rows for each statement execute function search_follow_part()', followed);
    execute format('create trigger search_delete after delete on %I referencing old table as old_rows for each statement execute function search_follow_part()', followed);
  end loop;
end
$$;
create trigger search_update after update on facility referencing old table as old_rows new table as new_rows for each statement execute function search_follow_part();

-- A name, then what people who bear it are called. Each of a line finds the others of it.
insert into nickname (name, also)
select distinct a.word, b.word
from regexp_split_to_table(btrim($names$
  aaron ron ronnie
  abigail abby abbie gail
  abraham abe bram
  adelaide addie della
  adriana adri ana
  adrian ade
  agnes aggie
  agnieszka aga agnes
  albert al bert bertie
  alejandro alex ale jandro
  alejandra alex ale
  alexander alex al alec sandy xander lex sasha
  alexandra alex sandra sandy lexi sasha alexa
  alfonso al fonzo poncho
  alfred al fred alfie
  alfredo al fredo freddy
  alice ali allie
  alicia ali lisa licha
  allison ali allie
  alonzo al lon lonnie
  amanda mandy mandi
  amelia amy mia millie
  anastasia stacy ana
  andre andy dre
  andrea andie andy drea
  andreas andy
  andrew andy drew
  angela angie ange
  angelica angie gely
  angelina angie lina
  anna ann annie anne nan
  anneliese anne liese annie
  annika anna annie
  anthony tony ant
  antonio tony tono toni
  antoinette toni nettie
  archibald archie
  arnold arnie
  arthur art artie
  arturo art turo
  augustus gus augie
  barbara barb barbie babs bobbie
  bartholomew bart
  beatrice bea trixie bee
  beatriz bea betty bety
  benedict ben
  benjamin ben benji benny
  bernard bernie barney
  bernadette bernie detta
  bertha bertie
  bradley brad
  brandon bran
  brenda bren
  brian bry
  bridget biddy bridie bridge
  bruce brucie
  byron by
  caleb cal
  calvin cal
  cameron cam
  camille cami millie
  carmen carmie
  carol carrie
  caroline carol carrie caro lina
  carolyn carol lynn carrie
  carlos carlitos charlie
  carlota carla lottie
  cassandra cass cassie sandra
  catalina cat cata lina
  catherine cathy kate katie cat kitty kat kathy
  cecilia cece celia cecily cissy
  cesar chayo
  charles charlie chuck chas chip
  charlotte charlie lottie char lotte
  chester chet
  cheryl cher sherry
  christian chris
  christina chris tina chrissy christy
  christine chris tina chrissy christy
  christopher chris topher kit
  clarence clare
  claudia claude
  clifford cliff
  clinton clint
  clyde cly
  concepcion concha connie
  constance connie
  consuelo chelo connie
  corinne cory corrie rinne
  cornelius neil connie
  courtney court
  craig craigie
  crystal cris
  curtis curt
  cynthia cindy cyndi
  damian dame
  daniel dan danny dani
  daniela dani ela
  danielle dani elle
  darlene darla
  darnell dar
  darrell darry
  david dave davey davy
  dawn dawnie
  deborah deb debbie debby debra
  deirdre dee
  delphine del
  delores dee lola
  denise dee denny nise
  dennis den denny
  derek del
  desmond des desi
  diana di dee
  dolores lola dee
  dominic dom nick
  dominique dom nikki
  donald don donnie donny
  donna don
  dorothy dot dottie dolly dora
  douglas doug dougie
  duane dewey
  dwight ike
  edgar ed eddie
  edmund ed eddie ned ted
  eduardo ed eddie lalo
  edward ed eddie ted ned teddy
  edwin ed eddie win
  efrain efra
  elaine lainie ellie
  eleanor ellie nora nell lenny
  elena ellie lena nena
  elijah eli
  elizabeth liz lizzie beth betsy betty eliza lisa libby bess ellie lizbeth
  ella ellie
  ellen ellie nell
  emily em emmy millie
  emma em emmy
  enrique rick quique kike
  eric rick ricky
  ernest ernie
  ernesto ernie neto
  esperanza espi hope
  esther essie hettie
  ethan eth
  eugene gene
  evelyn eve evie lynn
  everett ev rhett
  ezekiel zeke
  ezra ez
  fatima fati
  felicia fel
  felix fee
  fernando fern nando
  florence flo flossie
  frances fran frannie francie
  francis frank fran frankie
  francisco frank paco pancho cisco kiko
  franklin frank
  frederick fred freddy freddie rick fritz
  gabriel gabe gabby
  gabriela gabby gaby gabi
  gabrielle gabby elle
  gavin gav
  genevieve gen evie viv
  geoffrey geoff jeff
  george georgie geo
  georgia georgie
  gerald gerry jerry
  geraldine gerry
  gerardo gerry lalo
  gilbert gil bert
  giovanni gio vanni
  gloria glo
  gordon gord gordy
  grace gracie
  gregory greg gregg
  greta gretchen
  griselda zelda gris
  guadalupe lupe lupita
  guillermo memo will
  gustavo gus tavo
  hannah hanna
  harold harry hal
  harriet hattie harry
  harrison harry
  harry hank
  harvey harv
  hector tito
  heather hetty
  helen nell lena nellie
  henry hank harry hal
  herbert herb bert
  hollis holly
  howard howie
  hubert hugh bert
  ibrahim abe ibra
  ignacio nacho
  imogen immy
  ines agnes
  ingrid inga
  irene rene
  isaac ike zac
  isabel izzy bella bel isa belle
  isabella izzy bella bel isa
  isaiah ike
  ivan van
  jacob jake jay
  jacqueline jackie jacqui
  james jim jimmy jamie jem
  jamal jam
  jane janie
  janet jan
  janice jan
  jason jay jase
  javier javi xavi
  jean jeannie
  jeffrey jeff geoff
  jeffery jeff
  jennifer jen jenny jenn
  jeremiah jerry jem
  jeremy jerry jem
  jerome jerry
  jessica jess jessie
  jesus chuy chucho
  joan joanie
  joanna jo joanie
  joaquin quino joe
  jocelyn joss joy
  jonah joe
  john johnny jack jon jonny
  jonathan jon jonny john nathan
  jorge george coque
  jose pepe joe chepe
  josefina josie fina pepa
  joseph joe joey jo
  josephine jo josie fina
  joshua josh
  juan johnny juanito
  juanita nita
  judith judy jude
  julia julie jules
  julian jules
  julie jules
  justin jus
  karen kari
  katherine kate katie kathy kat kitty kay kathie
  kathleen kathy kate katie kay
  kathryn kathy kate katie kat kay
  katarina kat kate kati rina
  keith kei
  kelly kel
  kenneth ken kenny
  kevin kev
  kimberly kim kimmy
  kristen kris kristy
  kristina kris tina kristy
  kwame kwa
  lamar mar
  lawrence larry laurie lars
  leilani lani
  leonard len lenny leo
  leonardo leo nardo
  leopold leo
  leroy roy lee
  leslie les
  leticia letty tish lety
  lewis lew lou
  lillian lil lily lilly
  linda lin lindy
  lindsay lin
  lloyd loy
  lorraine lori lorrie rainey
  louis lou louie
  louise lou lulu
  lucas luke
  lucia lucy lucha
  lucille lucy lucille
  lucinda lucy cindy
  luis lou lucho
  lydia liddy
  madeline maddie maddy
  magdalena magda maggie lena
  malcolm mal
  manuel manny manolo
  marcia marcy
  marcus marc mark
  margaret maggie meg peggy marge margie madge rita greta daisy
  margarita margo rita maggie
  marguerite margo maggie daisy rita margie
  maria mary mia mari
  mariama mari
  maribel mari bel
  maricela mari chela
  marilyn mary lynn
  marisol mari sol
  marjorie marge margie
  mark marc
  martha marty mattie
  martin marty mart
  marvin marv
  mary molly polly mae
  mateo matt teo
  matilda tilly mattie
  matthew matt matty
  maureen mo
  maurice mo
  maximilian max
  maximiliana max maxi
  maxwell max
  melanie mel
  melinda mel mindy
  melissa mel missy lissa
  melvin mel
  mercedes mercy meche
  meredith merry
  micah mike
  michael mike mikey mick mickey
  micheal mike
  michelle shelly mich chelle
  miguel mike mickey
  mildred millie
  miriam mimi mim
  mitchell mitch
  mohammed mo
  monica mo moni
  montgomery monty
  morris mo
  moses moe
  muhammad mo
  nadia nadi
  nancy nan
  naomi nomi
  nathan nate nat
  nathaniel nate nat nathan
  nicholas nick nicky nico
  nicolas nico nick
  nicole nikki nicky nic
  noelle ellie nell
  nolan nole
  norman norm
  octavia tavia tavy
  oliver ollie
  olivia liv livvy ollie
  osvaldo ozzie valdo
  oscar oz ozzie
  pamela pam
  paloma pal
  patricia pat patty trish tricia patsy
  patrick pat paddy rick
  paul paulie
  paula polly
  pauline paula polly
  pedro pete
  penelope penny nell
  percival percy
  peter pete
  philip phil pip
  phillip phil pip
  philippa pippa pip
  phoebe fee
  phyllis phil
  priscilla cilla prissy
  priyanka pri priya
  rachel rae
  rafael rafa ralph
  ramon ray moncho
  randall randy
  randolph randy
  rashad rash
  raul ralph
  raymond ray
  rebecca becca becky bec
  reginald reggie reg
  reggie reg
  regina gina reggie
  renee ren
  rene ren
  ricardo rick ricky rico
  richard rick dick rich ricky richie
  robert bob bobby rob robbie bert robby
  roberta bobbie robbie berta
  roberto bob bobby beto rob
  rodney rod
  rodrigo rod rigo
  rogelio roger roy
  roger rodge
  roland rollie
  ronald ron ronnie
  rosa rosie rosita
  rosalind roz rosie lindy
  rosemary rose rosie
  rosario charo
  rose rosie
  ruben rube benny
  rudolph rudy
  rudolfo rudy
  russell russ rusty
  ruth ruthie
  salvador sal chava
  samantha sam sammy
  samuel sam sammy
  sandra sandy
  sanjay jay
  santiago santi diego
  sarah sally sadie
  sebastian seb bas
  sergio serge checo
  sharon shari
  shirley shirl
  sigrid siri
  silas si
  silvia sil
  simon si
  simone mona
  siobhan shiv
  soledad sole
  sofia sofi
  sophia soph sophie
  stanley stan
  stella stel
  stephanie steph stevie
  stephen steve stevie steph
  steven steve stevie
  stuart stu
  sunita suni sunny
  susan sue susie suzie
  susana susy susie
  suzanne sue suzie
  sydney syd
  sylvia syl
  tamara tammy tam mara
  tamsin tam tammy
  teresa terry tess tere
  terence terry
  terrence terry
  thaddeus tad thad
  theodore ted teddy theo
  theresa terry tess tessa
  thomas tom tommy
  timothy tim timmy
  tobias toby tobe
  todd toddy
  tracy trace
  trevor trev
  tyler ty
  tyrone ty
  ursula ursie
  valentina val tina
  valerie val
  vanessa nessa van
  vernon vern
  veronica ronnie vero roni
  vicente chente vince
  victor vic
  victoria vicky tori vic
  vincent vince vinny
  virginia ginny ginger
  vivian viv vivi
  walter walt wally
  warren ren
  wendell wen dell
  wesley wes
  wilfred will fred wilf
  wilhelmina mina billie willa
  william bill billy will willy liam willie
  winifred winnie fred
  winston win
  xavier xavi zave
  ximena xime mena
  xiomara xio mara
  yesenia yesi jessie
  yolanda yoli yola
  yvonne von vonnie
  zachary zach zack
  zainab zee
  zoe zo
$names$, E' \n'), E'\n') as line,
     regexp_split_to_table(btrim(line), ' +') with ordinality as a(word, at), regexp_split_to_table(btrim(line), ' +') with ordinality as b(word, at)
where a.word <> b.word;

-- All records again, in steps that fit any memory.
create function search_index_everything() returns void language plpgsql as $$
declare
  ids uuid[];
begin
  truncate search_doc, search_word, search_typo, search_number;
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
