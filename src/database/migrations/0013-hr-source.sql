-- The HR source of our own (D24): filled by an import, searched as somebody types.

alter table hr_person
  -- Since when the file of an import no longer has them. Nobody is deleted; a later file may have them again.
  add column "goneAt" timestamptz,
  -- What a search goes by, without accents and in lower case: the name; the name with number and addresses up to their @; whole addresses.
  add column plain_name text not null default '',
  add column plain_words text not null default '',
  add column plain_addresses text not null default '';

create function hr_plain(value text) returns text language sql stable parallel safe as $$
  select btrim(regexp_replace(lower(unaccent(coalesce(value, ''))), '\s+', ' ', 'g'))
$$;

-- The same, with what LIKE gives a meaning taken letter for letter (D40).
create function hr_pattern(typed text) returns text language sql stable parallel safe as $$
  select regexp_replace(hr_plain(typed), '([\\%_])', '\\\1', 'g')
$$;

-- Each begins with a blank, so that '% ma%' finds what begins a word.
create function hr_person_plain() returns trigger language plpgsql as $$
begin
  new.plain_name := hr_plain(concat_ws(' ', new."FirstName", new."LastName"));
  new.plain_words := ' ' || concat_ws(' ', new.plain_name, hr_plain(new."PersonID"),
    hr_plain(split_part(new."EmailAddress", '@', 1)), hr_plain(split_part(new."Hris_EmailAddress", '@', 1)));
  new.plain_addresses := ' ' || concat_ws(' ', hr_plain(new."EmailAddress"), hr_plain(new."Hris_EmailAddress"));
  return new;
end
$$;
create trigger hr_person_plain before insert or update on hr_person for each row execute function hr_person_plain();
update hr_person set "PersonID" = "PersonID";

create index hr_person_words on hr_person using gin (plain_words gin_trgm_ops) where "goneAt" is null;
create index hr_person_addresses on hr_person using gin (plain_addresses gin_trgm_ops) where "goneAt" is null;
