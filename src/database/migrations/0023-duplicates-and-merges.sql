-- Pairs of records that someone said are not the same. One of them may become another record when it is merged.
create table not_duplicate (
  kind text not null,
  a text collate "C" not null,
  b text collate "C" not null,
  name text not null, -- of the account at that time
  at timestamptz not null
);
create unique index not_duplicate_pair on not_duplicate (kind, least(a, b), greatest(a, b));

-- Merges: what the history does not have of the rows that refer to the merged record, so that all of it can be undone.
alter table changeset drop constraint changeset_kind_check;
alter table changeset add constraint changeset_kind_check check (kind in ('sheet', 'bulk', 'planned', 'undo', 'merge'));
create table merge (
  changeset uuid primary key references changeset,
  kind text not null,
  kept text collate "C" not null,
  merged text collate "C" not null,
  united text[] not null, -- the records that belonged to the merged one and are gone: its charter affair
  moved jsonb not null -- [{table, before, after}]: rows before and after; without `after` they were removed
);
create index merge_kept on merge (kept);
