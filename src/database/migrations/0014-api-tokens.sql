-- Programs act with API tokens (D9): opaque, kept as their SHA-256 only, never more than whoever made them. What was removed stays for a while,
-- so that it can be found who ended what.
create table api_token (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  account uuid not null references account on delete cascade,
  name text not null check (length(name) between 1 and 100),
  "accessLevel" integer not null check ("accessLevel" between 1 and 10),
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null check ("expiresAt" <= "createdAt" + interval '366 days'),
  "usedAt" timestamptz,
  "endedAt" timestamptz,
  "endedBy" uuid references account on delete set null
);
create index api_token_account on api_token (account);

-- Where a session was last used from, for its owner and level 1 alone; and who ended it, where it was ended from a list of sessions.
alter table session add column address text;
alter table session add column "endedBy" uuid references account on delete set null;

-- When somebody last signed in: their sessions are deleted long before their account.
alter table account add column "signedInAt" timestamptz not null default now();
update account set "signedInAt" = coalesce((select max(session."createdAt") from session where session.account = account._id), "createdAt");

-- As of sessions (migration 0008): what ends or changes a token is told to all servers at once, a mere use is not.
create trigger tell_of_change after update on api_token for each row
  when (new."endedAt" is distinct from old."endedAt" or new."expiresAt" <> old."expiresAt" or new."accessLevel" <> old."accessLevel"
     or new.account <> old.account or new.hash <> old.hash or new.name <> old.name)
  execute function tell_of_change();
create trigger tell_of_deletion after delete on api_token for each statement execute function tell_of_change();
