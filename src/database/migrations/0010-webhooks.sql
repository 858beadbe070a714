-- Webhooks: addresses of other programs that are told what happened. What happened is read from `change`, which triggers write in the transaction of
-- each save, so a save and its events are stored together or not at all.

create table webhook (
  _id uuid primary key default gen_random_uuid(),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  state text not null default 'active' check (state in ('active', 'paused', 'off')),
  problem text, -- why it was turned off
  secret bytea not null, -- encrypted with SECRET_KEY, where there is one
  "oldSecret" bytea, -- messages are signed with it as well until it ends
  "oldSecretEndsAt" timestamptz,
  cursor bigint not null, -- the changes up to this number have their deliveries
  "createdAt" timestamptz not null default now(),
  "createdBy" text,
  version integer not null default 1,
  constraint old_secret_ends check (("oldSecret" is null) = ("oldSecretEndsAt" is null))
);

create table webhook_delivery (
  _id bigint generated always as identity primary key,
  webhook uuid not null references webhook on delete cascade,
  message text not null, -- the header webhook-id: the same at every try and in every replay
  type text not null,
  record text collate "C" not null, -- kind and _id: the deliveries of one record are sent one after the other
  body text not null,
  "createdAt" timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  tries integer not null default 0,
  "firstTryAt" timestamptz,
  "lastTryAt" timestamptz,
  "endedAt" timestamptz,
  status integer, -- the HTTP status of the last answer
  problem text, -- of the last try
  "replayOf" bigint,
  constraint waiting_delivery_has_no_end check ((state = 'waiting') = ("endedAt" is null))
);
create index webhook_delivery_newest on webhook_delivery (webhook, _id desc);
create index webhook_delivery_waiting on webhook_delivery (webhook, record, _id) where state = 'waiting';
create index webhook_delivery_failed on webhook_delivery (webhook, _id desc) where state = 'failed';
create index webhook_delivery_ended on webhook_delivery ("endedAt") where state <> 'waiting';

-- One row for each record with waiting deliveries: when the first of them is due. Whoever sends it moves that moment on first, so that no one else does.
create table webhook_queue (
  webhook uuid not null references webhook on delete cascade,
  record text collate "C" not null,
  "nextTryAt" timestamptz not null default now(),
  claim uuid, -- of the server that is sending
  primary key (webhook, record)
);
create index webhook_queue_due on webhook_queue (webhook, "nextTryAt");
