-- A file of another program that is imported: its kind, and what was chosen for its columns and words. A preview of a sheet has none.
alter table sheet_preview add column import jsonb;

-- What was chosen for the columns and words of files, for the next file with the same columns.
create table import_mapping (
  kind text not null,
  shape text not null, -- a digest of the headers
  mapping jsonb not null,
  "updatedAt" timestamptz not null default now(),
  primary key (kind, shape)
);

alter table changeset drop constraint changeset_kind_check;
alter table changeset add constraint changeset_kind_check check (kind in ('sheet', 'bulk', 'planned', 'undo', 'merge', 'import'));

-- Employees have no history: which import wrote a row last, and its values before, so that undoing the import finds them.
alter table hr_person add column "lastImport" jsonb;
