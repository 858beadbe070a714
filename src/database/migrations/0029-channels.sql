-- Webhooks that are channels of Microsoft Teams or Slack: their deliveries become messages that people read.
alter table webhook
  add column name text, -- of the channel or program
  add column format text not null default 'standard' check (format in ('standard', 'teams', 'slack')),
  add column quiet boolean not null default false, -- what happens within fifteen minutes is one message
  add column summary boolean not null default false, -- of deadlines, on Mondays
  add column "summaryFor" date, -- the Monday of the last one
  add column overdue boolean not null default false, -- deadlines, each on the day after its date
  add column affairs boolean not null default false, -- what is said of charter affairs
  add column "affairsBy" text, -- who turned that on
  drop constraint webhook_events_check,
  add constraint webhook_sends_something check (cardinality(events) > 0 or summary or overdue),
  add constraint only_channels_have_options check (format <> 'standard' or not (quiet or summary or overdue or affairs));

-- A message is made of this change when it is sent, so that what was erased or turned off in the meantime is not in it.
alter table webhook_delivery add column change bigint;

-- The overdue deadlines that a channel was told of, and the message that told it.
create table webhook_deadline (
  webhook uuid not null references webhook on delete cascade,
  deadline text collate "C" not null references deadline on delete cascade,
  date date not null,
  message text not null,
  primary key (webhook, deadline, date)
);
create index webhook_deadline_of_message on webhook_deadline (message);
create index webhook_deadline_deadline on webhook_deadline (deadline);
