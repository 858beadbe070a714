-- Accounts and groups that a directory provisions by SCIM, and the levels that groups give.

-- Groups and roles that the last ID token named, of a sign-in or a renewal, and when. They count for groups that the directory does not provision itself.
alter table account add column "claimedGroups" text[] not null default '{}';
alter table account add column "claimedAt" timestamptz;
-- Disabled in the directory: no access until it is enabled there. `closedAt` is for people who left.
alter table account add column "disabledAt" timestamptz;
create trigger notify_directory_change after update on account for each row
  when (new."disabledAt" is distinct from old."disabledAt" or new."claimedGroups" <> old."claimedGroups")
  execute function notify_table_change();

-- Tokens with which a directory provisions. Of each only the SHA-256 is stored.
create table scim_token (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  name text not null check (length(name) between 1 and 100),
  "createdAt" timestamptz not null default now(),
  "createdBy" uuid references account on delete set null,
  "usedAt" timestamptz
);

create table directory_user (
  _id uuid primary key default gen_random_uuid(),
  tenant text not null,
  "userName" text not null,
  "externalId" text collate "C",
  active boolean not null,
  -- The account that is this user: bound at the first match by the object id or the name, and never moved to another one.
  account uuid unique references account on delete set null,
  -- Whether only an email address led to the account: then it gives way to a match by the object id or the name.
  "boundByEmail" boolean not null default false,
  resource jsonb not null, -- the other attributes, by the names of RFC 7643
  revision integer not null default 1,
  "createdAt" timestamptz not null default clock_timestamp(),
  "updatedAt" timestamptz not null default clock_timestamp(),
  "disabledAt" timestamptz, -- since when it is not active, or deleted
  -- A deleted user stays until one with the same name is created, so that nobody signs in as it meanwhile.
  "deletedAt" timestamptz
);
create unique index directory_user_name on directory_user (tenant, lower("userName")) where "deletedAt" is null;
create index directory_user_external_id on directory_user (tenant, "externalId");
create index directory_user_any_name on directory_user (tenant, lower("userName"));
create index directory_user_order on directory_user (tenant, "createdAt", _id);
create index directory_user_disabled on directory_user ("disabledAt") where "disabledAt" is not null;

create table directory_group (
  _id uuid primary key default gen_random_uuid(),
  tenant text not null,
  "displayName" text not null,
  "externalId" text collate "C",
  revision integer not null default 1,
  "createdAt" timestamptz not null default clock_timestamp(),
  "updatedAt" timestamptz not null default clock_timestamp()
);
create unique index directory_group_name on directory_group (tenant, lower("displayName"));
create index directory_group_external_id on directory_group (tenant, "externalId");

create table directory_membership (
  "group" uuid not null references directory_group on delete cascade,
  "user" uuid not null references directory_user on delete cascade,
  primary key ("group", "user")
);
create index directory_membership_user on directory_membership ("user");

-- The level that everybody in a group has. `group` is the name or id of a group, or a role of ID tokens.
create table level_mapping (
  "group" text primary key check (length("group") between 1 and 300),
  level integer not null check (level between 1 and 10)
);

-- Levels depend on these: servers that remember who a session belongs to are told.
create trigger notify_change after update on directory_user for each row
  when (new.active <> old.active or new.account is distinct from old.account or new."deletedAt" is distinct from old."deletedAt")
  execute function notify_table_change();
create trigger notify_deletion after delete on directory_user for each statement execute function notify_table_change();
create trigger notify_change after update on directory_group for each row
  when (new."displayName" <> old."displayName" or new."externalId" is distinct from old."externalId")
  execute function notify_table_change();
create trigger notify_existence after insert or delete on directory_group for each statement execute function notify_table_change();
create trigger notify_change after insert or update or delete on directory_membership for each statement execute function notify_table_change();
create trigger notify_change after insert or update or delete on level_mapping for each statement execute function notify_table_change();
