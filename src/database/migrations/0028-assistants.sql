-- Assistants (Model Context Protocol): the programs that registered themselves, what people granted them, and their codes and tokens.
create table assistant_client (
  _id text collate "C" primary key,
  metadata jsonb not null, -- RFC 7591; these clients have no secret
  "createdAt" timestamptz not null default now(),
  "grantedAt" timestamptz -- the last time that someone let it in; null for one that nobody did
);
create index on assistant_client ("createdAt");

create table assistant_grant (
  _id uuid primary key,
  account uuid not null references account,
  client text collate "C" not null references assistant_client on delete cascade,
  payload jsonb not null,
  destination text not null default '', -- where the answer went
  "createdAt" timestamptz not null default now(),
  "lastUsedAt" timestamptz,
  "expiresAt" timestamptz not null
);
create index on assistant_grant (account);
create index on assistant_grant (client);

create table assistant_token (
  hash bytea primary key, -- of the kind and the secret, which is stored nowhere
  payload jsonb not null,
  "grant" uuid references assistant_grant on delete cascade,
  "expiresAt" timestamptz not null
);
create index on assistant_token ("grant");
create index on assistant_token ("expiresAt");
