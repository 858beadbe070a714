-- Checks: when someone last confirmed that a site, a person or a charter is right, or changed it, and who. "checkVersion" counts the checks: the version
-- stays, so that no open form becomes stale.

alter table site add column "checkedAt" timestamptz, add column "checkedBy" text, add column "checkVersion" integer not null default 0;
alter table person add column "checkedAt" timestamptz, add column "checkedBy" text, add column "checkVersion" integer not null default 0;
alter table charter add column "checkedAt" timestamptz, add column "checkedBy" text, add column "checkVersion" integer not null default 0;

alter table change drop constraint change_action_check;
alter table change add constraint change_action_check check (action in ('insert', 'update', 'delete', 'check', 'uncheck'));

-- Whoever changed a record so far has checked it.
select set_config('homeroom.skip_history', 'yes', true);
update site set "checkedAt" = last.at, "checkedBy" = last."actorName"
from (select distinct on (parent) parent, at, "actorName" from change
  where actor is not null and "table" in ('site', 'facility', 'enrollment', 'site_program_type', 'site_person', 'sis_site') order by parent, _id desc) as last
where site._id = last.parent;
update person set "checkedAt" = last.at, "checkedBy" = last."actorName"
from (select distinct on (record) record, at, "actorName" from change
  where actor is not null and "table" = 'person' order by record, _id desc) as last
where person._id = last.record;
update charter set "checkedAt" = last.at, "checkedBy" = last."actorName"
from (select distinct on (record) record, at, "actorName" from change
  where actor is not null and "table" = 'charter' order by record, _id desc) as last
where charter._id = last.record;
select set_config('homeroom.skip_history', '', true);

-- A change that someone with an account saves is a check, that of a part too; those of imports are none. A check alone changes neither version nor moment.
create function set_check() returns trigger language plpgsql as $$
declare
  is_part boolean := setting_or_null('homeroom.skip_history') is not null;
  unchecked record;
begin
  if tg_op = 'UPDATE' then
    unchecked := new;
    unchecked.version := old.version;
    unchecked."updatedAt" := old."updatedAt";
    unchecked."updatedBy" := old."updatedBy";
    unchecked."checkedAt" := old."checkedAt";
    unchecked."checkedBy" := old."checkedBy";
    if not is_part and unchecked is not distinct from old then
      new.version := old.version;
      new."updatedAt" := old."updatedAt";
      new."updatedBy" := old."updatedBy";
    end if;
    is_part := is_part and new."updatedAt" <> old."updatedAt";
  end if;
  if setting_or_null('homeroom.actor') is not null and (tg_op = 'INSERT' or is_part or new.version <> old.version) then
    new."checkedAt" := new."updatedAt";
    new."checkedBy" := new."updatedBy";
  end if;
  if tg_op = 'INSERT' then
    new."checkVersion" := 0;
  else
    new."checkVersion" := old."checkVersion"
      + (new."checkedAt" is distinct from old."checkedAt" or new."checkedBy" is distinct from old."checkedBy")::integer;
  end if;
  return new;
end
$$;

-- Triggers of one event run in the order of their names: this one comes after set_version.
create trigger update_check before insert or update on site for each row execute function set_check();
create trigger update_check before insert or update on person for each row execute function set_check();
create trigger update_check before insert or update on charter for each row execute function set_check();

-- The history of a check alone, and of one that was taken back. Everything else is in that of the change.
create function record_check() returns trigger language plpgsql as $$
begin
  if setting_or_null('homeroom.skip_history') is not null then
    return null;
  end if;
  insert into change (at, "table", record, parent, action, actor, "actorName", request, before, after)
  values (coalesce(setting_or_null('homeroom.at')::timestamptz, now()), tg_table_name, new._id, new._id,
    case when old."checkedAt" is null or new."checkedAt" >= old."checkedAt" then 'check' else 'uncheck' end,
    setting_or_null('homeroom.actor')::uuid, setting_or_null('homeroom.actor_name'), setting_or_null('homeroom.request'),
    jsonb_build_object('version', old.version, 'checkedAt', old."checkedAt", 'checkedBy', old."checkedBy"),
    jsonb_build_object('version', new.version, 'checkedAt', new."checkedAt", 'checkedBy', new."checkedBy"));
  perform notify_record_change(tg_table_name, jsonb_build_object('_id', array[new._id]));
  return null;
end
$$;
create trigger record_check after update on site for each row
  when (new.version = old.version and new."checkVersion" <> old."checkVersion") execute function record_check();
create trigger record_check after update on person for each row
  when (new.version = old.version and new."checkVersion" <> old."checkVersion") execute function record_check();
create trigger record_check after update on charter for each row
  when (new.version = old.version and new."checkVersion" <> old."checkVersion") execute function record_check();

------------------------------------------------------------------------------------------------------------------------------------------------
-- Mails that ask for a check
------------------------------------------------------------------------------------------------------------------------------------------------

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('request', 'answer', 'reminder', 'digest', 'check'));

alter table reminder_preference add column checks boolean not null default true;

-- What was sent: a record, the check that is too long ago, and whether it was the first mail about it or the one after two weeks. Saved in the transaction
-- that stores the mail.
create table check_mail (
  kind text not null check (kind in ('site', 'person', 'charter')),
  record text collate "C" not null,
  recipient text not null, -- in lower case
  "checkedAt" timestamptz not null, -- '-infinity' where it was never checked
  "isSecond" boolean not null,
  mail uuid references mail on delete set null,
  at timestamptz not null,
  primary key (record, recipient, "checkedAt", "isSecond")
);
create index check_mail_recipient on check_mail (recipient, at desc);
create index check_mail_mail on check_mail (mail);
