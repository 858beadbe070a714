-- The audit trail: who did what, from where. A row is inserted by the transaction that does what it says, and gets its place in the chain afterwards: one
-- chain for all servers, in which each row has the SHA-256 of the row before it and of itself (platform/server/audit-chain.ts).

create table audit_event (
  _id bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  kind text not null,
  account uuid, -- refers to no account, because a row outlives it
  actor text, -- the work address
  name text,
  token text, -- the name of the API token or SCIM token
  address text, -- of the network
  request text,
  record text,
  before jsonb,
  after jsonb,
  sequence bigint unique, -- null until the row is in the chain
  hash text,
  constraint chained_row_has_hash check ((sequence is null) = (hash is null))
);
create index audit_event_waiting on audit_event (_id) where sequence is null;
create index audit_event_at on audit_event (at);
create index audit_event_kind on audit_event (kind, sequence);
create index audit_event_actor on audit_event (lower(actor), _id) where actor is not null;

-- The last row of the chain, and the last one that was deleted at the end of its retention period: the first row that is left follows it.
create table audit_chain (
  "isOnly" boolean primary key default true check ("isOnly"),
  sequence bigint not null,
  hash text not null,
  "deletedSequence" bigint not null,
  "deletedHash" text not null
);
insert into audit_chain (sequence, hash, "deletedSequence", "deletedHash") values (0, '', 0, '');

-- Downloads that have ended are rows of the audit trail; the table has those under way.
insert into audit_event (at, kind, account, actor, name, record, after)
select coalesce("endedAt", at), 'download.finished', account, "azureID", name, _id::text,
  jsonb_build_object('what', kind, 'rows', rows, 'bytes', bytes, 'outcome', outcome, 'startedAt', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from download where outcome is not null order by _id;
delete from download where outcome is not null;
alter table download drop column "endedAt", drop column outcome, drop column rows, drop column bytes;

-- A row never changes, except that it gets its place in the chain once. Only the deletion at the end of the retention period sets homeroom.audit_retention; a role
-- that sets it by hand deletes nothing that is younger than the shortest period (KEEP_AUDIT_DAYS).
create function protect_audit_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.sequence is null then
      return new;
    end if;
  elsif tg_op = 'UPDATE' then
    if old.sequence is null and to_jsonb(new) - 'sequence' - 'hash' = to_jsonb(old) - 'sequence' - 'hash' then
      return new;
    end if;
  elsif old.sequence is not null and old.at < now() - interval '30 days' and setting_or_null('homeroom.audit_retention') is not null then
    return old;
  end if;
  raise exception 'Rows of the audit trail cannot be changed' using errcode = 'insufficient_privilege';
end
$$;
create trigger protect_audit_event before insert or update or delete on audit_event for each row execute function protect_audit_event();
