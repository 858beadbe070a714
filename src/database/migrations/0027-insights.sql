-- The figures of past days that insights count, by what they count. `through` is the last change that they know: a later one of an earlier moment makes
-- the days from then on stale, and so does another time zone, in which days end at other moments.
create table insight_day (
  measure text not null,
  day date not null,
  "timeZone" text not null,
  through bigint not null,
  cells jsonb not null,
  primary key (measure, day)
);

-- Insights with their filters that people have on the home page, or get in a monthly mail.
create table kept_insight (
  _id uuid primary key default gen_random_uuid(),
  account uuid not null references account on delete cascade,
  place text not null check (place in ('home', 'mail')),
  name text not null,
  filter jsonb not null,
  "createdAt" timestamptz not null default now(),
  unique (account, place, name, filter)
);

-- The months whose mail an account has got.
create table insight_mail (
  account uuid not null references account on delete cascade,
  month date not null,
  mail uuid references mail on delete set null,
  at timestamptz not null default now(),
  primary key (account, month)
);

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('request', 'answer', 'reminder', 'digest', 'check', 'comment', 'invitation', 'insight'));
