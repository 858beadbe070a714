-- Archived records keep their row and their page, and are in no list. A record that was merged is archived, and names the one that stays.
alter table region add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references region;
alter table brand add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references brand;
alter table charter add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references charter;
alter table site add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references site;
alter table person add column "archivedAt" timestamptz, add column "archivedReason" text, add column "mergedInto" text collate "C" references person;

-- Several archived people may have a value that is unique among the others, so that the mistake does not block the right record.
alter table person drop constraint person_email, drop constraint person_sql_person_id;
alter table person
  add constraint person_email exclude using btree (lower(email) with =) where ("archivedAt" is null) deferrable,
  add constraint person_sql_person_id exclude using btree (sql_person_id with =) where ("archivedAt" is null) deferrable;

-- Whether a record, or the one that it belongs to, is archived. The lock waits for an archiving that is being saved.
create function is_archived(kind text, key text) returns boolean language plpgsql as $$
declare
  archived_at timestamptz;
begin
  case kind
    when 'region' then select "archivedAt" into archived_at from region where _id = key for key share;
    when 'brand' then select "archivedAt" into archived_at from brand where _id = key for key share;
    when 'charter' then select "archivedAt" into archived_at from charter where _id = key for key share;
    when 'site' then select "archivedAt" into archived_at from site where _id = key for key share;
    when 'person' then select "archivedAt" into archived_at from person where _id = key for key share;
    when 'charter_affair' then
      select charter."archivedAt" into archived_at from charter
      where _id = (select affair.charter from charter_affair as affair where affair._id = key) for key share;
    else return false;
  end case;
  return archived_at is not null;
end
$$;

-- The message is shown to people. What has no author, as a migration, may change archived rows too, and so may an erasure of personal data.
create function refuse_archived(kind text) returns void language plpgsql as $$
begin
  if setting_or_null('homeroom.actor_name') is null or setting_or_null('homeroom.erasing') is not null then
    return;
  end if;
  raise exception 'This % is archived', replace(kind, '_', ' ') using errcode = 'check_violation', constraint = 'record_is_not_archived';
end
$$;

-- Saves and imports: an archived record stays as it is until it is restored.
create function validate_not_archived() returns trigger language plpgsql as $$
begin
  if old."archivedAt" is not null and new."archivedAt" is not null and new is distinct from old and setting_or_null('homeroom.skip_history') is null then
    perform refuse_archived(tg_table_name);
  end if;
  return new;
end
$$;
create trigger validate_not_archived before update on region for each row execute function validate_not_archived();
create trigger validate_not_archived before update on brand for each row execute function validate_not_archived();
create trigger validate_not_archived before update on charter for each row execute function validate_not_archived();
create trigger validate_not_archived before update on site for each row execute function validate_not_archived();
create trigger validate_not_archived before update on person for each row execute function validate_not_archived();

-- The parts of an archived record stay too. The argument is the column with the record, which has the name of its kind.
create function validate_owner_not_archived() returns trigger language plpgsql as $$
begin
  if is_archived(tg_argv[0], to_jsonb(coalesce(new, old)) ->> tg_argv[0]) then
    perform refuse_archived(case tg_argv[0] when 'charter_affair' then 'charter' else tg_argv[0] end);
  end if;
  return coalesce(new, old);
end
$$;
create trigger validate_owner_not_archived before insert or update or delete on facility for each row execute function validate_owner_not_archived('site');
create trigger validate_owner_not_archived before insert or update or delete on enrollment for each row execute function validate_owner_not_archived('site');
create trigger validate_owner_not_archived before insert or update or delete on site_program_type for each row execute function validate_owner_not_archived('site');
create trigger validate_owner_not_archived before insert or update or delete on sis_site for each row execute function validate_owner_not_archived('site');
create trigger validate_owner_not_archived before insert or update or delete on charter_affair for each row execute function validate_owner_not_archived('charter');
create trigger validate_owner_not_archived before insert or update or delete on authorizer_board_member for each row execute function validate_owner_not_archived('charter_affair');
create trigger validate_owner_not_archived before insert or update or delete on center_district for each row execute function validate_owner_not_archived('charter_affair');

-- No record that is in use refers to an archived one: neither when the reference is set, nor when the record is opened or restored. The arguments are
-- the columns that refer to records, which have the names of their kinds.
create function validate_references_not_archived() returns trigger language plpgsql as $$
declare
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) end;
  row_after jsonb := to_jsonb(new);
  is_back boolean := row_before ->> 'archivedAt' is not null or (row_before ->> 'status' like 'CLOSED%' and row_after ->> 'status' not like 'CLOSED%');
  kind text;
begin
  if row_after ->> 'archivedAt' is null then
    foreach kind in array tg_argv loop
      if (is_back or row_before ->> kind is distinct from row_after ->> kind) and is_archived(kind, row_after ->> kind) then
        perform refuse_archived(kind);
      end if;
    end loop;
  end if;
  return new;
end
$$;
create trigger validate_references_not_archived before insert or update of charter, region, status, "archivedAt" on site
  for each row execute function validate_references_not_archived('charter', 'region');
create trigger validate_references_not_archived before insert or update of brand, status, "archivedAt" on charter
  for each row execute function validate_references_not_archived('brand');
create trigger validate_references_not_archived before insert or update on site_person
  for each row execute function validate_references_not_archived('site', 'person');
create trigger validate_references_not_archived before insert or update of person on permission
  for each row execute function validate_references_not_archived('person');
