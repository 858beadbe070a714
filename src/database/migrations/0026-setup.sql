-- How far the setup is, a row for each step that was finished or skipped; and the sample network, while the records are invented or after they were removed.
create table setup_state (
  name text primary key,
  value jsonb not null,
  "updatedAt" timestamptz not null default now()
);

-- A sign-in that an administrator started to test the provider ends in a result, and never in a session. Like every sign-in in progress it is
-- deleted after ten minutes.
alter table sign_in add column "testedBy" uuid;
alter table sign_in add column result jsonb;

-- The version whose news someone has closed; null for accounts from before there were news.
alter table account add column "newsSeen" text;

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('request', 'answer', 'reminder', 'digest', 'check', 'comment', 'invitation'));
