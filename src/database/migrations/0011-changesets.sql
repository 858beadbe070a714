-- Many changes that were saved as one: from a sheet, in the page, on a planned day, or by undoing others. The changes themselves are in `change`.
create table changeset (
  _id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('sheet', 'bulk', 'planned', 'undo')),
  "recordKind" text not null,
  title text not null, -- the name of the file, or what was changed
  account uuid references account,
  name text not null, -- of the account at that time
  at timestamptz not null,
  undoes uuid unique references changeset
);
create index changeset_newest on changeset (at desc);
create index change_changeset on change (changeset) where changeset is not null;

-- Changes of a record that are saved on a later day.
create table planned_change (
  _id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('site', 'person', 'charter', 'brand', 'charter_affair')),
  record text collate "C" not null, -- of a charter affair its charter
  day date not null,
  batch uuid not null default gen_random_uuid(), -- shared by changes that were planned together and are saved together
  changes jsonb not null, -- values by path, as the edit call takes them
  before jsonb not null, -- what the record had when it was planned
  note text,
  state text not null default 'waiting' check (state in ('waiting', 'saved', 'failed', 'canceled')),
  problem text, -- why it could not be saved
  account uuid not null references account,
  name text not null,
  "createdAt" timestamptz not null,
  "endedAt" timestamptz,
  changeset uuid references changeset
);
create index planned_change_record on planned_change (kind, record) where state = 'waiting';
create index planned_change_batch on planned_change (batch);
create index planned_change_due on planned_change (day) where state = 'waiting';

-- What a sheet would change, until it is applied or a day is over.
create table sheet_preview (
  _id uuid primary key default gen_random_uuid(),
  account uuid not null references account on delete cascade,
  kind text not null,
  "fileName" text not null,
  "createdAt" timestamptz not null,
  preview jsonb not null,
  file bytea not null, -- as it was uploaded
  -- Of its saving: records so far and in all, whether it was told to stop, and what it came to. Written beside the transaction that saves.
  saved integer not null default 0,
  total integer not null default 0,
  stopped boolean not null default false,
  changeset uuid references changeset,
  "left" jsonb -- the cells that were left out
);
