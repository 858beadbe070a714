-- Who downloaded which workbook and when, for level 1 to see. The name and the address are those of that day, so that they outlive the account.
-- A row is there before the first byte leaves; its end is written once there is one. No record of the network, so it has no history.
create table download (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account uuid references account on delete set null,
  name text not null,
  "azureID" text not null,
  kind text not null,
  "endedAt" timestamptz,
  outcome text check (outcome in ('whole', 'broken off', 'failed')),
  rows integer,
  bytes bigint
);
create index download_at on download (at desc);
