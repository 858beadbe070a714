-- People whose personal data was erased: what their record is called since, and who erased it. Nothing here says who they were.
create table erasure (
  number integer primary key, -- of the name: 'Erased person 12'
  kind text not null,
  record text collate "C" not null,
  merged text[] collate "C" not null default '{}', -- records of the same person that were merged into it
  at timestamptz not null default now(),
  by text,
  reason text not null,
  removed jsonb not null, -- how many rows held personal data, by table
  unique (kind, record)
);

-- The texts of an erasure that are looked for once more, when nothing that had begun before it is still being written: encrypted, and in no backup.
create table erasure_pending (
  number integer primary key references erasure,
  due timestamptz not null,
  texts bytea not null,
  accounts uuid[] not null,
  mails uuid[] not null -- whose files each server removes
);

-- An erased record does not change, whoever writes it: an open form, a plan, a changeset that is undone.
create function protect_erased_record() returns trigger language plpgsql as $$
begin
  if new is distinct from old and setting_or_null('homeroom.erasing') is null
    and exists (select from erasure where kind = tg_table_name and (record = old._id or old._id = any(merged))) then
    raise exception 'The personal data of this record was erased' using errcode = 'check_violation', constraint = 'record_is_erased';
  end if;
  return new;
end
$$;
create trigger protect_erased_record before update on person for each row
  when (old."leftAt" is not null) execute function protect_erased_record();
create trigger protect_erased_record before update on authorizer_board_member for each row
  when (old.board_member_name like 'Erased %') execute function protect_erased_record();

-- An erasure replaces texts of rows that are in the chain. Their places and hashes stay, and a row of the kind audit.redacted has the digests of what they
-- say since (platform/server/audit-redaction.ts).
create or replace function protect_audit_event() returns trigger language plpgsql as $$
declare
  personal text[] := '{actor,name,token,address,before,after}';
begin
  if tg_op = 'INSERT' then
    if new.sequence is null then
      return new;
    end if;
  elsif tg_op = 'UPDATE' then
    if old.sequence is null and to_jsonb(new) - 'sequence' - 'hash' = to_jsonb(old) - 'sequence' - 'hash' then
      return new;
    end if;
    if setting_or_null('homeroom.erasing') is not null and to_jsonb(new) - personal = to_jsonb(old) - personal then
      return new;
    end if;
  elsif old.sequence is not null and old.at < now() - interval '30 days' and setting_or_null('homeroom.audit_retention') is not null then
    return old;
  end if;
  raise exception 'Rows of the audit trail cannot be changed' using errcode = 'insufficient_privilege';
end
$$;
