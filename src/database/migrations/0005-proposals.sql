-- A proposal is a change request that names fields and their new values; it has the `_id` of its request.
create table proposal (
  _id uuid primary key references request on delete cascade,
  kind text not null check (kind in ('site', 'person', 'charter', 'brand', 'charter_affair')),
  record text collate "C" not null, -- of a charter affair its charter, which is there before it
  "basedOn" integer,
  note text,
  edits integer not null default 0 -- how often its sender changed it
);
create index proposal_record on proposal (kind, record);

-- Each field is decided alone. Values are as the record's edit call takes them.
create table proposal_field (
  proposal uuid not null references proposal on delete cascade,
  path text not null,
  position integer not null,
  before jsonb not null,
  suggested jsonb not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  value jsonb, -- what was saved, where it was edited before it was accepted
  word text, -- why it was declined
  "decidedBy" text,
  "decidedAt" timestamptz,
  primary key (proposal, path),
  constraint declined_field_has_word check (state <> 'declined' or word is not null)
);
create index proposal_field_open on proposal_field (proposal) where state = 'open';
