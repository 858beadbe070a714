-- How search finds (see 0006 for what it searches). For every word typed there are four circles, each wider than the one before: the word itself,
-- words that begin with it, words a typo or a swap away, words that contain or resemble it. All words must be found; the wider circles are
-- looked at only where the narrower ones leave room. Every look is bounded, so that a hundred thousand people cost little more than ten.

-- Words that say nothing about what is looked for, dropped where others are left.
create function search_idle(word text) returns boolean language sql immutable strict parallel safe as $$
  select word in ('the', 'of', 'at', 'in', 'for', 'and', 'a', 'an', 'is', 'who', 'whose', 'what', 'where', 'to', 'phone', 'number', 'email', 'mail', 'call', 'contact')
$$;

-- Words one typo or swap away, the likeliest first: those that share the first letter.
create function search_close_words(typed text) returns text[] language sql stable parallel safe as $$
  select array(
    select word from (
      select distinct t.word from search_parts(typed) as part join search_typo as t on t.part = part.part
      where length(typed) > 2 and typed !~ '[0-9]' and t.word <> typed) as near(word)
    where search_one_apart(typed, word)
    order by left(word, 1) <> left(typed, 1), abs(length(word) - length(typed)), word
    limit 24)
$$;

-- Words that contain what was typed, or look like it.
create function search_like_words(typed text) returns text[] language sql stable parallel safe as $$
  select array(
    select distinct word from (
      (select word from search_word where length(typed) > 2 and word like '%' || typed || '%' limit 24)
      union all
      (select word from search_word where length(typed) > 3 and typed !~ '[0-9]' and word % typed order by similarity(word, typed) desc, word limit 8)
    ) as alike)
$$;

-- A query of words, each in one part of a record where `weights` says so: (a, b), 'A' -> 'a':A | 'b':A
create function search_any(words text[], suffix text) returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || word || '''' || suffix, ' | ')::tsquery from unnest(words) as word
$$;

/* The records that match, best first within their kind. `typed` is taken as it was typed; `only` is one kind or null; at most `most` of each kind.
   `total` counts a kind's matches as far as they were looked at, `more` says that there are more. `marks` are the words that matched. */
create function search_records(typed text, only_kind text, most integer)
returns table (kind text, record uuid, role uuid, score real, match text, place bigint, total bigint, more boolean, marks text[])
language plpgsql stable
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set pg_trgm.similarity_threshold = 0.35
as $$
#variable_conflict use_column
declare
  bound constant integer := 120;
  bound_of_numbers constant integer := 200;
  -- '209-555-0143 x12' is the number without its extension.
  bare text := regexp_replace(typed, '(\d)\s*(x|ext\.?)\s*\d+\s*$', '\1', 'i');
  plain_text text := search_text(bare);
  numbers text[] := '{}';
  asked text[];
  word text;
  close_words text[];
  like_words text[];
  mark text[] := '{}';
  exact_name tsquery[] := '{}'; exact_alias tsquery[] := '{}'; exact_near tsquery[] := '{}'; exact_all tsquery[] := '{}';
  begin_name tsquery[] := '{}'; begin_all tsquery[] := '{}';
  close_name tsquery[] := '{}'; close_all tsquery[] := '{}'; like_all tsquery[] := '{}';
  q_exact tsquery; q_begin tsquery; q_close tsquery; q_like tsquery; q_less tsquery;
  people bigint[] := '{}'; others bigint[] := '{}';
  numbered uuid[] := '{}';
  found uuid[];
  of_people boolean;
  full_people boolean := false; full_others boolean := false;
  want_people boolean := only_kind is null or only_kind = 'person';
  want_others boolean := only_kind is null or only_kind <> 'person';
  -- Who asks for a role asks for where it is held, rather than for somebody called like the place.
  asks_role boolean;
  is_id boolean := false;
  -- A state alone is asked for itself, not for the tens of thousands who work there.
  is_wide boolean;
  -- Two letters begin too many words to look at them all; names that begin with them are enough.
  is_short boolean;
begin
  -- Numbers: '(209) 555-0143', '+1 209 555 0143 x12', '5550143', an id, an address with an @.
  if position('@' in typed) > 0 then
    numbers := array[lower(btrim(typed))];
    plain_text := '';
  elsif btrim(bare) !~ '\s' and search_letters(bare) ~ '^[a-z]{1,4}[0-9][a-z0-9]{2,}$' then
    numbers := array[search_letters(bare)];
    is_id := true;
  else
    select coalesce(array_agg(case when length(digits) = 11 then regexp_replace(digits, '^1', '') else digits end), '{}') into numbers
    from (select regexp_replace(run[1], '\D', '', 'g') as digits
          from regexp_matches(bare, '(?:^|[^[:alnum:]])(\d[\d\s().+/-]*\d)(?![[:alnum:]])', 'g') as run) as runs
    where length(digits) > 2;
  end if;
  if cardinality(numbers) > 0 then
    -- What it is, what it begins with, a phone without its area code; only then any part of it. People and the rest are looked for apart, so
    -- that neither takes the other's room.
    foreach of_people in array array[true, false] loop
      continue when only_kind is not null and (only_kind = 'person') <> of_people;
      found := array(select n.record from search_number as n
        where n.number >= numbers[1] and n.number < (numbers[1] || '~')
          and (n.kind = 'person') = of_people and (only_kind is null or n.kind = only_kind) limit bound_of_numbers);
      if length(numbers[1]) = 7 then
        found := found || array(select n.record from search_number as n
          where right(n.number, 7) = numbers[1] and (n.kind = 'person') = of_people and (only_kind is null or n.kind = only_kind) limit bound_of_numbers);
      end if;
      if cardinality(found) = 0 or length(numbers[1]) < 6 then
        found := found || array(select n.record from search_number as n
          where n.number like '%' || replace(replace(numbers[1], '_', '\_'), '%', '\%') || '%'
            and (n.kind = 'person') = of_people and (only_kind is null or n.kind = only_kind) limit bound_of_numbers);
      end if;
      if cardinality(found) >= bound_of_numbers then
        full_people := full_people or of_people;
        full_others := full_others or not of_people;
      end if;
      numbered := numbered || found;
    end loop;
  end if;

  select array_agg(w order by at) into asked from (
    select w, min(at) as at from unnest(string_to_array(plain_text, ' ')) with ordinality as t(w, at)
    where w <> '' and length(w) <= 60 and not (cardinality(numbers) > 0 and w ~ '^[0-9]+$' and length(w) < 5) group by w order by min(at) limit 8) as each_once;
  asked := coalesce(asked, '{}');
  if exists (select from unnest(asked) as w where not search_idle(w)) then
    asked := array(select w from unnest(asked) with ordinality as t(w, at) where not search_idle(w) order by at);
  end if;
  -- A number of a phone is no word of a record; a zip or a house number is.
  if cardinality(numbered) > 0 then
    asked := case when is_id then '{}' else array(select w from unnest(asked) with ordinality as t(w, at) where w !~ '^[0-9]+$' order by at) end;
  end if;

  asks_role := cardinality(asked) > 1 and exists (select from role as r, unnest(asked) as w
    where ' ' || search_text(r.name) || ' ' || search_role(r.name) || ' ' like '% ' || w || ' %'
      and w not in ('area', 'site', 'front', 'school', 'student', 'center', 'learning', 'data', 'lead', 'community', 'special', 'as', 'super', 'vice'));

  is_wide := not exists (select from unnest(asked) as w where w <> all (array['ca', 'mi', 'oh', 'sc', 'tx']
    || array(select unnest(string_to_array(search_text(r.name), ' ')) from region as r)));
  is_short := cardinality(asked) = 1 and length(asked[1]) = 2;

  foreach word in array asked loop
    close_words := search_close_words(word);
    like_words := search_like_words(word);
    exact_name := exact_name || search_any(array[word], ':A');
    exact_alias := exact_alias || search_any(array[word], ':B');
    exact_near := exact_near || search_any(array[word], ':C');
    exact_all := exact_all || search_any(array[word], '');
    begin_name := begin_name || search_any(array[word], case when length(word) > 2 or (length(word) = 2 and cardinality(asked) > 1) then ':*A' else ':A' end);
    begin_all := begin_all || search_any(array[word], case when length(word) > 2 or (length(word) = 2 and cardinality(asked) > 1) then ':*' else '' end);
    close_name := close_name || search_any(array[word] || close_words, ':A');
    close_all := close_all || (begin_all[cardinality(begin_all)] || coalesce(search_any(close_words, ''), begin_all[cardinality(begin_all)]));
    like_all := like_all || (close_all[cardinality(close_all)] || coalesce(search_any(like_words, ''), close_all[cardinality(close_all)]));
    mark := mark || word || close_words || like_words || array(select also from nickname where name = word);
  end loop;

  if cardinality(asked) > 0 then
    q_exact := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(exact_all) as q);
    q_begin := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(begin_all) as q);
    q_close := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(close_all) as q);
    q_like := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(like_all) as q);
    if cardinality(numbered) > 0 then
      people := array(select _id from search_doc as d where d.record = any(numbered) and d.kind = 'person' and d.words @@ q_like limit bound);
      others := array(select _id from search_doc as d where d.record = any(numbered) and d.kind <> 'person' and d.words @@ q_like limit bound);
      numbered := '{}';
    else
      if want_people then
        people := array(select _id from search_doc as d where d.kind = 'person' and d.names @@ q_exact limit bound);
        if is_short then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.title ~>=~ asked[1] and d.title ~<~ (asked[1] || '~') limit bound);
        end if;
        if not is_wide then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ q_exact limit bound);
        end if;
        if cardinality(people) < bound then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.names @@ q_begin limit bound);
          if not is_wide then
            people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ q_begin limit bound);
          end if;
        end if;
        full_people := cardinality(people) >= bound;
        if cardinality(people) < 12 and not is_wide then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ q_close limit bound);
        end if;
        if cardinality(people) < 12 and not is_wide then
          people := people || array(select _id from search_doc as d where d.kind = 'person' and d.words @@ q_like limit bound);
        end if;
      end if;
      if want_others then
        others := array(select _id from search_doc as d where is_short and d.kind <> 'person' and d.title ~>=~ asked[1] and d.title ~<~ (asked[1] || '~')
                          and (only_kind is null or d.kind = only_kind) limit bound)
               || array(select _id from search_doc as d where d.kind <> 'person' and d.names @@ q_exact and (only_kind is null or d.kind = only_kind) limit bound)
               || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ q_exact and (only_kind is null or d.kind = only_kind) limit bound);
        if cardinality(others) < bound then
          others := others || array(select _id from search_doc as d where d.kind <> 'person' and d.names @@ q_begin and (only_kind is null or d.kind = only_kind) limit bound)
                           || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ q_begin and (only_kind is null or d.kind = only_kind) limit bound);
        end if;
        full_others := cardinality(others) >= bound;
        if cardinality(others) < 12 then
          others := others || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ q_close and (only_kind is null or d.kind = only_kind) limit bound);
        end if;
        if cardinality(others) < 12 then
          others := others || array(select _id from search_doc as d where d.kind <> 'person' and d.words @@ q_like and (only_kind is null or d.kind = only_kind) limit bound);
        end if;
      end if;
      -- Nothing has them all: one word may be left out, and what looks like the whole is taken too.
      if cardinality(people) + cardinality(others) = 0 then
        if cardinality(asked) > 1 then
          for at in 1 .. cardinality(asked) loop
            q_less := (select string_agg('(' || q::text || ')', ' & ')::tsquery from unnest(like_all) with ordinality as t(q, n) where n <> at);
            people := people || array(select _id from search_doc as d where want_people and d.kind = 'person' and d.names @@ q_less limit 40)
                             || array(select _id from search_doc as d where want_people and d.kind = 'person' and d.words @@ q_less limit 40);
            others := others || array(select _id from search_doc as d where want_others and d.kind <> 'person' and d.words @@ q_less and (only_kind is null or d.kind = only_kind) limit 40);
          end loop;
        end if;
        others := others || array(select _id from search_doc as d where d.title % plain_text and (only_kind is null or d.kind = only_kind)
                                  order by similarity(d.title, plain_text) desc limit 10);
      end if;
    end if;
  end if;

  return query
  with scored as (
    select d.kind, d.record, d.role, d.title, d.rank,
           (coalesce(sum(case
             when d.names @@ exact_name[at] then case when asks_role and d.kind = 'person' then 7 else 10 end
             when d.names @@ exact_alias[at] then case when asks_role and d.kind = 'person' then 6 when d.kind = 'charter' then 12 else 8.5 end
             when d.words @@ exact_near[at] then case when asks_role and d.kind = 'person' then 7.2 else 7 end
             when d.words @@ exact_all[at] then 5
             when d.names @@ begin_name[at] then 6
             when d.names @@ close_name[at] then case when length(asked[at]) > 3 then 5.5 else 3 end
             when d.words @@ begin_all[at] then 4.5
             when d.words @@ close_all[at] then case when length(asked[at]) > 3 then 4 else 2.5 end
             when d.words @@ like_all[at] then 2 else 0 end), 0) 
             + case when not (asks_role and d.kind = 'person') and similarity(d.title, plain_text) > 0.3 then 4 * similarity(d.title, plain_text) else 0 end
             + case max(case when d.words @@ exact_all[at] then 0 when d.words @@ begin_all[at] then 1 else 2 end) when 0 then 4 when 1 then 2 else 0 end
             - 0.02 * d.rank)::real as score,
           coalesce(max(case when d.words @@ exact_all[at] then 0 when d.words @@ begin_all[at] then 1 else 2 end), 2) as apart
    from search_doc as d left join generate_series(1, cardinality(asked)) as at on true
    where d._id = any(people || others)
    group by d._id
    union all
    select d.kind, d.record, d.role, d.title, d.rank,
           (max(case when n.number = numbers[1] then 14 when n.number like numbers[1] || '%' or n.number like '%' || numbers[1] then 12 else 10 end
                - case n.what when 'fax' then 1 else 0 end))::real,
           min(case when n.number = numbers[1] then 0 else 1 end)
    from search_number as n join search_doc as d on d.record = n.record
    where n.record = any(numbered) and n.number like '%' || replace(replace(numbers[1], '_', '\_'), '%', '\%') || '%'
    group by d._id
  ), best as (
    select distinct on (s.record) s.* from scored as s order by s.record, s.score desc, s.rank, s.title
  ), placed as (
    select b.kind, b.record, b.role, b.score, (array['exact', 'prefix', 'close'])[b.apart + 1] as match,
           row_number() over (partition by b.kind order by b.score desc, b.rank, b.title, b.record) as place,
           count(*) over (partition by b.kind) as total,
           case when b.kind = 'person' then full_people else full_others end as more
    from best as b
  )
  select p.kind, p.record, p.role, p.score, p.match, p.place, p.total, p.more, mark from placed as p where p.place <= most order by p.score desc;
end
$$;

/* Any record in one line, as RecordHit of platform/contract/records.ts has it; null where there is none. A person is shown in the role that was
   found, or in the first they hold, and at the place that was asked for. */
create function record_hit(wanted_kind text, wanted uuid, found_role uuid, near text[]) returns json language plpgsql stable
set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  hit json;
begin
  case wanted_kind
    when 'person' then
      select json_build_object('kind', 'person', '_id', p._id, 'slug', p.slug, 'name', p.name,
               'detail', case when held.name is null then 'No role assigned' else concat_ws(' · ', held.name, case when held.places > 1 and at.fits is not true
                 then held.places || ' sites' else at."displayName" || case when held.places > 1 then ' and ' || held.places - 1 || ' more' else '' end end) end,
               'phone', p.phone, 'email', p.email, 'status', null, 'version', p.version)
      into hit
      from person as p
      left join lateral (
        select sp.role, r.name, count(*) as places from site_person as sp join role as r on r._id = sp.role
        where sp.person = p._id and (found_role is null or sp.role = found_role)
        group by sp.role, r.name, r."group" order by r."group", r.name <> 'Principal', r.name limit 1) as held on true
      left join lateral (
        select s."displayName", exists (select from unnest(near) as word
                 where length(word) > 1 and ' ' || search_text(concat_ws(' ', s."displayName", s.city)) like '% ' || word || '%') as fits
        from site_person as sp join site as s on s._id = sp.site
        where sp.person = p._id and sp.role = held.role and held.places <= 60
        order by 2 desc, position('CLOSED' in s.status), s."displayName" limit 1) as at on true
      where p._id = wanted;
    when 'site' then
      select json_build_object('kind', 'site', '_id', s._id, 'slug', s.slug, 'name', s."displayName",
               'detail', concat_ws(' · ', nullif(concat_ws(', ', s.city, s.state), ''), s.category, 'Finance no. ' || s.finance_id),
               'phone', s.phone, 'email', null, 'status', s.status, 'version', s.version)
      into hit from site as s where s._id = wanted;
    when 'charter' then
      select json_build_object('kind', 'charter', '_id', c._id, 'slug', c.slug, 'name', c.name,
               'detail', concat_ws(' · ', to_char(c."studentCount", 'FM999,999,990') || case c."studentCount" when 1 then ' student' else ' students' end,
                 (select count(*) || case count(*) when 1 then ' site' else ' sites' end from site as s where s.charter = c._id)),
               'phone', c."charterContactnumber", 'email', null, 'status', c.status, 'version', c.version)
      into hit from charter as c where c._id = wanted;
    when 'brand' then
      select json_build_object('kind', 'brand', '_id', b._id, 'slug', b.slug, 'name', b."brandName",
               'detail', (select count(*) || case count(*) when 1 then ' charter' else ' charters' end from charter as c where c.brand = b._id),
               'phone', null, 'email', null, 'status', b.status, 'version', b.version)
      into hit from brand as b where b._id = wanted;
    when 'region' then
      select json_build_object('kind', 'region', '_id', r._id, 'slug', r.slug, 'name', r.name,
               'detail', (select count(*) || case count(*) when 1 then ' site' else ' sites' end from site as s where s.region = r._id),
               'phone', null, 'email', null, 'status', null, 'version', r.version)
      into hit from region as r where r._id = wanted;
    else hit := null;
  end case;
  return hit;
end
$$;
