-- Dossiers of charters. Their files are deleted after a time; a row with the sums stays, so that a file can still be verified.
create table dossier (
  _id uuid primary key default gen_random_uuid(),
  account uuid references account on delete set null,
  "by" text not null, -- the name of the account at that time
  charter text collate "C" not null references charter,
  name text not null, -- of the charter
  "on" date not null,
  "from" date not null,
  "to" date not null,
  parts text[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'done', 'failed')),
  progress integer not null default 0 check (progress between 0 and 100),
  failure text,
  attempts integer not null default 0,
  "createdAt" timestamptz not null default now(),
  "seenAt" timestamptz, -- when the server that makes it last said so
  "madeAt" timestamptz,
  change bigint,
  pages integer,
  "signedBy" text,
  certificate text, -- SHA-256 of the certificate that signed it
  constraint dossier_is_in_order check ("from" <= "to")
);
create index dossier_charter on dossier (charter, "createdAt");
create index dossier_unfinished on dossier ("createdAt") where state in ('waiting', 'making');

create table dossier_file (
  dossier uuid not null references dossier on delete cascade,
  kind text not null check (kind in ('pdf', 'zip')),
  sha256 text not null,
  size integer not null,
  bytes bytea, -- null once it is deleted
  primary key (dossier, kind)
);
create index dossier_file_sum on dossier_file (sha256);
-- PDF and ZIP are compressed already.
alter table dossier_file alter column bytes set storage external;
