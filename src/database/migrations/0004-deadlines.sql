-- Deadlines. One row for each text of a record that is a deadline or should be one, and for each deadline that people added. Dates are read from texts by
-- the servers (features/record-tools/deadlines): triggers note which records have to be read.

create table deadline (
  _id text collate "C" primary key default gen_random_uuid()::text,
  kind text not null,
  source text not null check (source in ('charter_affair', 'authorizer_board_member', 'facility', 'custom')),
  -- The row that has the text, by its key, its section (of a charter affair) and the column; null for one that people added.
  record text collate "C",
  section text,
  field text,
  charter text collate "C" references charter on delete cascade,
  site text collate "C" references site on delete cascade,
  title text, -- of one that people added
  subject text, -- whose it is, where a charter has several: a board member
  text text, -- what the field says
  date date, -- null where the text has none
  precision text check (precision in ('day', 'month')),
  -- The date was set by hand, or the text said not to be a deadline; both last until the text changes.
  "isByHand" boolean not null default false,
  "isIgnored" boolean not null default false,
  -- False where the field has another date by now; a handled deadline stays as the record's past.
  "isCurrent" boolean not null default true,
  yearly boolean not null default false,
  state text not null default 'open' check (state in ('open', 'handled', 'snoozed')),
  "snoozedUntil" date,
  note text,
  responsible text collate "C" references person on delete set null,
  "datedAt" timestamptz not null default now(), -- since when it has this date: reminders of days before it are not missed ones
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  constraint deadline_of_charter_or_site check (charter is not null or site is not null),
  constraint snoozed_deadline_has_day check (state <> 'snoozed' or "snoozedUntil" is not null),
  constraint custom_deadline_has_title_and_date check (source <> 'custom' or (title is not null and date is not null))
);
create unique index deadline_of_text on deadline (record, section, field) nulls not distinct where source <> 'custom' and "isCurrent";
create index deadline_charter on deadline (charter);
create index deadline_site on deadline (site);
create index deadline_responsible on deadline (responsible) where responsible is not null;

create function set_dated_at() returns trigger language plpgsql as $$
begin
  new."datedAt" := coalesce(setting_or_null('homeroom.at')::timestamptz, now());
  return new;
end
$$;
create trigger set_dated_at before insert on deadline for each row execute function set_dated_at();
create trigger set_changed_dated_at before update of date on deadline for each row
  when (old.date is distinct from new.date) execute function set_dated_at();
create trigger set_version before insert or update on deadline for each row execute function set_version();
create trigger record_history after insert or update or delete on deadline for each row execute function record_history();

-- The records whose texts have to be read, and who changed them.
create table deadline_pending (
  source text not null,
  record text collate "C" not null,
  actor uuid,
  "actorName" text,
  primary key (source, record)
);

create function add_pending_deadline(changed_source text, changed_record text) returns void language sql as $$
  insert into deadline_pending (source, record, actor, "actorName")
  values (changed_source, changed_record, setting_or_null('homeroom.actor')::uuid, setting_or_null('homeroom.actor_name'))
  on conflict (source, record) do update set actor = excluded.actor, "actorName" = excluded."actorName"
$$;

create function note_affair_texts() returns trigger language plpgsql as $$
begin
  perform add_pending_deadline(tg_table_name, coalesce(new._id, old._id));
  return null;
end
$$;
create function note_lease_end() returns trigger language plpgsql as $$
begin
  perform add_pending_deadline(tg_table_name, new.site);
  return null;
end
$$;

create trigger note_deadlines after insert on charter_affair for each row execute function note_affair_texts();
create trigger note_changed_deadlines after update of overview, charter_terms, funding, mou on charter_affair for each row
  when (old.overview <> new.overview or old.charter_terms <> new.charter_terms or old.funding <> new.funding or old.mou <> new.mou)
  execute function note_affair_texts();
create trigger note_deadlines after insert or delete on authorizer_board_member for each row execute function note_affair_texts();
create trigger note_changed_deadlines after update of board_term, board_member_name on authorizer_board_member for each row
  when (old.board_term is distinct from new.board_term or old.board_member_name is distinct from new.board_member_name)
  execute function note_affair_texts();
create trigger note_deadlines after insert on facility for each row when (new.lease_end is not null) execute function note_lease_end();
create trigger note_changed_deadlines after update of lease_end on facility for each row
  when (old.lease_end is distinct from new.lease_end) execute function note_lease_end();

insert into deadline_pending (source, record) select 'charter_affair', _id from charter_affair;
insert into deadline_pending (source, record) select 'authorizer_board_member', _id from authorizer_board_member where board_term is not null;
insert into deadline_pending (source, record) select 'facility', site from facility where lease_end is not null;

------------------------------------------------------------------------------------------------------------------------------------------------
-- Mails about deadlines
------------------------------------------------------------------------------------------------------------------------------------------------

alter table mail add column html text;
alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('request', 'answer', 'reminder', 'digest'));

-- What was sent: a deadline, its date at that time, and the day on which it was to be reminded of. Saved in the transaction that stores the mail. Without
-- a mail its recipient wanted none.
create table deadline_reminder (
  deadline text collate "C" not null references deadline on delete cascade,
  date date not null,
  day date not null,
  recipient text not null,
  mail uuid references mail on delete set null,
  at timestamptz not null,
  primary key (deadline, date, day)
);
create index deadline_reminder_mail on deadline_reminder (mail);

-- The last time that a server looked for what is due, and the Monday of the last digests.
create table deadline_round (
  "isOnly" boolean primary key default true check ("isOnly"),
  at timestamptz not null,
  digest date
);

-- What an account wants to get. Without a row, everything.
create table reminder_preference (
  account uuid primary key references account on delete cascade,
  reminders boolean not null,
  digest boolean not null
);

alter table departure add column deadlines jsonb; -- the deadlines and settings that went to someone else, and to whom

-- Addresses at which calendar programs read deadlines. Of each address only the SHA-256 is stored.
create table calendar (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  account uuid not null references account on delete cascade,
  name text not null check (length(name) between 1 and 100),
  filter jsonb not null,
  "reminderDays" integer check ("reminderDays" between 0 and 365),
  version integer not null default 1,
  "createdAt" timestamptz not null,
  "lastUsedAt" timestamptz,
  "userAgent" text -- of the last use
);
create index calendar_account on calendar (account);
