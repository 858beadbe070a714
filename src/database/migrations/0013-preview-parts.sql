-- The rows of a preview in parts, so that a file in which every cell differs is never in memory as a whole. Previews live for a day: those from before are dropped.
delete from sheet_preview;
create table sheet_preview_part (
  preview uuid not null references sheet_preview on delete cascade,
  part integer not null,
  rows json not null,
  primary key (preview, part)
);
