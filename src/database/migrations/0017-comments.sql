-- Comments on records of any kind, and on suggestions (kind 'proposal'). In the text, '@{_id}' is a person.
create table comment (
  _id uuid primary key default gen_random_uuid(),
  kind text not null,
  record text collate "C" not null, -- of a charter affair its charter, as for suggestions
  text text not null,
  account uuid not null references account on delete cascade,
  name text not null, -- of the account at that time
  "createdAt" timestamptz not null default now()
);
create index comment_record on comment (kind, record, "createdAt");
create index comment_account on comment (account, "createdAt");

-- Whom a comment is for: people who are mentioned, and accounts that take part in a suggestion.
create table comment_recipient (
  comment uuid not null references comment on delete cascade,
  person text collate "C" references person on delete cascade,
  account uuid references account on delete cascade,
  "seenAt" timestamptz,
  constraint comment_recipient_is_one check (num_nonnulls(person, account) = 1),
  unique nulls not distinct (comment, person, account)
);
create index comment_recipient_person on comment_recipient (person) where person is not null;
create index comment_recipient_account on comment_recipient (account) where account is not null;

-- An email contains the text, so it is deleted with the comment.
alter table mail add column comment uuid references comment on delete cascade;
create index mail_comment on mail (comment) where comment is not null;
alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('request', 'answer', 'reminder', 'digest', 'check', 'comment'));
