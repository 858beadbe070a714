-- The HR source of our own (D24): filled by an import, searched as somebody types.

alter table hr_person
  -- Since when the file of an import no longer has them. Nobody is deleted; a later file may have them again.
  add column "goneAt" timestamptz,
  -- What a search goes by, without accents and in lower case: the name; the name with number and addresses up to their @; whole addresses.
  add column plain_name text not null default '',
  add column plain_words text not null default '',
  add column plain_addresses text not null default '',
  -- Every two letters that stand beside each other in the words, or begin one: an index finds by two letters where one of three cannot.
  add column plain_pairs text[] not null default '{}';

create function hr_plain(value text) returns text language sql stable parallel safe as $$
  select btrim(regexp_replace(lower(unaccent(coalesce(value, ''))), '\s+', ' ', 'g'))
$$;

create function hr_pairs(plain text) returns text[] language sql immutable parallel safe as $$
  select array(select distinct substr(plain, n, 2) from generate_series(1, length(plain) - 1) as n where substr(plain, n + 1, 1) <> ' ')
$$;

-- Words and addresses begin with a blank, so that '% ma%' finds what begins one of them.
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
update hr_person set "PersonID" = "PersonID";

-- A short list of rows still to be indexed: every search goes through it.
create index hr_person_pairs on hr_person using gin (plain_pairs) with (gin_pending_list_limit = 512) where "goneAt" is null;
create index hr_person_name on hr_person (plain_name collate "C") where "goneAt" is null;
