-- Somebody who left stays in the directory, marked so; their roles and their access end, and what they did stays in the histories.
alter table person add column "leftAt" timestamptz;

-- What ended when somebody left and who got it instead, so that all of it is undone as one.
create table departure (
  _id uuid primary key default gen_random_uuid(),
  person uuid not null references person on delete cascade,
  at timestamptz not null default now(),
  by text,
  address text, -- theirs at that time: what they sign in with, whatever the record says later
  taken jsonb not null, -- the rows of site_person that ended
  given uuid[] not null, -- the rows of site_person that somebody else got instead
  accounts uuid[] not null, -- the accounts that were closed
  permissions jsonb not null -- the permission records that ended
);
create index departure_person on departure (person, at desc);

-- The account of somebody who left opens nothing until they are back.
alter table account add column "closedAt" timestamptz;
create or replace trigger tell_of_change after update on account for each row
  when (new.tenant <> old.tenant or new.name <> old.name or new."azureID" <> old."azureID" or new."closedAt" is distinct from old."closedAt")
  execute function tell_of_change();

-- Nobody who left holds a place, whoever writes it: a page, a history that puts back, an import. The lock waits for a leaving under way.
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

-- What a search says of somebody without a role.
do $$
begin
  execute replace(pg_get_functiondef('record_hit'::regproc), '''No role assigned''', 'case when p."leftAt" is null then ''No role assigned'' else ''Left'' end');
end
$$;
