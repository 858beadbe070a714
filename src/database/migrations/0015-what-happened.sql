-- Errors of browsers and of the server in groups, for level 1 to see. The fingerprint says which group an error is of; it is worked out by the program
-- (error-log/fingerprint.ts) as the row is written. Rows from before have none until the error log is first opened.
alter table error_log add column fingerprint text;
create index error_log_group on error_log (at, fingerprint, account);
create index error_log_of_group on error_log (fingerprint, _id desc);
create index error_log_ungrouped on error_log (_id) where fingerprint is null;

-- Groups that somebody has looked at and put aside: they come back when they happen again.
create table error_seen (
  fingerprint text primary key,
  at timestamptz not null default now(),
  account uuid references account on delete set null
);
