-- A request is answered: done, or declined with a word. It is a record, with a version and a history of its answers.
alter table request
  add column state text not null default 'open' check (state in ('open', 'done', 'declined')),
  add column word text,
  add column "answeredBy" text,
  add column "answeredAt" timestamptz,
  add column version integer not null default 1,
  add column "updatedAt" timestamptz not null default now(),
  add column "updatedBy" text,
  add constraint request_declined_with_a_word check (state <> 'declined' or word is not null);
create index request_newest on request ("createdAt" desc);
create index request_of_account on request (account, "createdAt" desc);
create trigger keep_change before insert or update or delete on request for each row execute function record_change();

-- A mail is the truth about itself: whether it was sent, and when it is tried next. A job of the queue only says that the time has come; it may
-- come twice or be lost. Nothing has written this table before.
alter table mail
  add column kind text not null check (kind in ('request', 'answer')),
  add column "messageId" text not null unique, -- the same at every try, so that a mail system sees a repeat as a repeat
  add column "replyName" text,
  add column "replyTo" text,
  add column accepted text[] not null default '{}', -- those of the recipients who have it
  add column "sentAs" text check ("sentAs" in ('mail', 'file')),
  add column tries integer not null default 0,
  add column refusals integer not null default 0, -- how often the answer was a final no
  add column "firstTryAt" timestamptz, -- of this round; "Try again" begins a new one
  add column "nextTryAt" timestamptz not null default now(),
  add column "appointedAt" timestamptz, -- when the sweep last made a job for it
  add column "failedAt" timestamptz,
  add column problem text; -- what the mail server said last, or why it could not be asked
create index mail_waiting on mail ("nextTryAt") where "sentAt" is null and "failedAt" is null;
create index mail_of_request on mail (request);
