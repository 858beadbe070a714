-- Slugs that earlier versions and imports let in and that no web address leads to: `.` and `..`, which browsers drop; blanks at the ends, other
-- spellings of a letter, controls, slashes and signs that mean something in an address; and words that stand where a slug does
-- (`/location/staff/{id}`, `/api/profile-photo/me`). Each becomes one that works, the nearest to it; what it was keeps answering where it can.
do $$
declare
  -- White space, and characters that show nothing.
  blanks constant text := U&' \0009\000A\000B\000C\000D\00A0\00AD\061C\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\200B\200C\200D\200E\200F\2028\2029\202F\205F\2060\3000\FEFF';
  kind text;
  name_of text;
  it record;
  wanted text;
  free text;
  is_taken boolean;
  n integer;
begin
  foreach kind in array array['region', 'brand', 'charter', 'site', 'person'] loop
    name_of := case kind when 'brand' then 'brandName' when 'site' then 'displayName' else 'name' end;
    for it in execute format('select _id, slug, %I as name from %I order by _id', name_of, kind) loop
      wanted := btrim(normalize(it.slug, NFKC), blanks);
      if wanted ~ '[[:cntrl:]/\\%?#]' or wanted !~ '[^[:space:][:punct:]]' then
        wanted := btrim(regexp_replace(lower(wanted), '[^a-z0-9]+', '-', 'g'), '-');
      end if;
      if wanted = '' then
        wanted := btrim(left(btrim(regexp_replace(lower(it.name), '[^a-z0-9]+', '-', 'g'), '-'), 60), '-');
      end if;
      if wanted = '' then
        wanted := 'unnamed';
      end if;
      free := wanted;
      n := 1;
      loop
        execute format('select exists (select from %I where lower(slug) = lower($1) and _id <> $2)', kind) into is_taken using free, it._id;
        is_taken := is_taken
          or exists (select from former_slug where "table" = kind and slug = lower(free) and record <> it._id)
          or (kind in ('site', 'person') and lower(free) in ('enrollment', 'fac', 'me', 'sis', 'staff'));
        exit when not is_taken;
        n := n + 1;
        free := wanted || '-' || n;
      end loop;
      continue when free = it.slug;
      execute format('update %I set slug = $1 where _id = $2', kind) using free, it._id;
      insert into former_slug ("table", slug, record) values (kind, lower(it.slug), it._id) on conflict do nothing;
    end loop;
  end loop;
end
$$;
