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

-- Who imports a file has not looked at each of its records, and what an undo brings back was checked when it was before.
create or replace function set_check() returns trigger language plpgsql as $$
declare
  is_part boolean := setting_or_null('homeroom.skip_history') is not null;
  unchecked record;
begin
  if tg_op = 'UPDATE' then
    unchecked := new;
    unchecked.version := old.version;
    unchecked."updatedAt" := old."updatedAt";
    unchecked."updatedBy" := old."updatedBy";
    unchecked."checkedAt" := old."checkedAt";
    unchecked."checkedBy" := old."checkedBy";
    if not is_part and unchecked is not distinct from old then
      new.version := old.version;
      new."updatedAt" := old."updatedAt";
      new."updatedBy" := old."updatedBy";
    end if;
  end if;
  if setting_or_null('homeroom.actor') is not null
    and ((tg_op = 'INSERT' and coalesce(setting_or_null('homeroom.changeset_kind'), '') not in ('import', 'undo')) or (setting_or_null('homeroom.seen') is not null and not is_part and new.version <> old.version)) then
    new."checkedAt" := new."updatedAt";
    new."checkedBy" := new."updatedBy";
  end if;
  if tg_op = 'INSERT' then
    new."checkVersion" := 0;
  else
    new."checkVersion" := old."checkVersion"
      + (new."checkedAt" is distinct from old."checkedAt" or new."checkedBy" is distinct from old."checkedBy")::integer;
  end if;
  return new;
end
$$;
