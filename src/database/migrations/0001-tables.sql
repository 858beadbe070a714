-- The tables. Columns have the names of the API and of the screen, so that a field is called the same everywhere.
--
-- The `_id` of a record is text, because records imported from another program keep the id they had there; new ones are UUIDs. "C" compares byte by byte.
-- Accounts, sessions, requests and mails are never imported: their ids are of the type uuid.
-- Records have `version`, `updatedAt` and `updatedBy`, which triggers set (0002-functions-and-triggers.sql).

create extension if not exists pg_trgm;
create extension if not exists unaccent;

create domain record_status as text check (value in ('ACTIVE', 'ACTIVE - TEMPORARY', 'PENDING', 'CLOSED - PERMANENTLY', 'CLOSED - TEMPORARILY'));
create domain yes_no as text check (value in ('Yes', 'No'));

------------------------------------------------------------------------------------------------------------------------------------------------
-- Pictures
------------------------------------------------------------------------------------------------------------------------------------------------

create table picture (
  _id text primary key, -- SHA-256 of the bytes, in hexadecimal
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  "createdAt" timestamptz not null default now()
);

-- Copies of a picture in the widths that pages show, made when first requested. They can be made again at any time, so they have no history.
create table picture_size (
  picture text not null references picture on delete cascade,
  width integer not null,
  type text not null,
  bytes bytea not null,
  primary key (picture, width)
);
-- The bytes are compressed already.
alter table picture_size alter column bytes set storage external;

------------------------------------------------------------------------------------------------------------------------------------------------
-- Regions, brands, charters, sites
------------------------------------------------------------------------------------------------------------------------------------------------

create table region (
  _id text collate "C" primary key default gen_random_uuid()::text,
  name text not null,
  slug text not null,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index region_slug on region (lower(slug));

create table brand (
  _id text collate "C" primary key default gen_random_uuid()::text,
  slug text not null,
  "brandName" text not null,
  "brandPhoto" text references picture,
  "brandIcon" text references picture,
  "websiteUrl" text,
  "EnrollmentsUrl" text,
  status record_status not null default 'ACTIVE',
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index brand_slug on brand (lower(slug));

create table charter (
  _id text collate "C" primary key default gen_random_uuid()::text,
  slug text not null,
  name text not null,
  brand text collate "C" not null references brand,
  status record_status not null default 'ACTIVE',
  "studentCount" integer,
  "studentCountUpdatedAt" timestamptz,
  abbreviation text,
  "schoolTypeUrls" jsonb not null default '[]',
  photo text references picture,
  "charterWebsite" text,
  "charterContactnumber" text,
  charter_number text,
  charter_grade_levels text,
  directory_id text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index charter_slug on charter (lower(slug));
create unique index charter_directory_id on charter (directory_id);
create index charter_brand on charter (brand);
create index charter_name on charter (lower(btrim(name)));

create table site (
  _id text collate "C" primary key default gen_random_uuid()::text,
  slug text not null,
  name text,
  "displayName" text not null,
  category text,
  finance_id text,
  photo text references picture,
  status record_status not null default 'ACTIVE',
  charter text collate "C" references charter,
  -- The seed rows of region, role and program_type may take over the ids of imported ones: hence the cascades.
  region text collate "C" references region on update cascade,
  address_1 text,
  address_2 text,
  city text,
  state text,
  zip text,
  phone text,
  fax text,
  start_day text,
  end_day text,
  start_time text,
  end_time text,
  description text,
  closures text,
  latitude double precision,
  longitude double precision,
  directory_id text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index site_slug on site (lower(slug));
create unique index site_directory_id on site (directory_id);
create index site_charter on site (charter);
create index site_region on site (region);

-- Slugs that were replaced; their addresses still lead to the record.
create table former_slug (
  "table" text not null,
  slug text not null,
  record text collate "C" not null,
  primary key ("table", slug)
);

------------------------------------------------------------------------------------------------------------------------------------------------
-- Parts of a site. Every site has a facility and an enrollment row from its creation on.
------------------------------------------------------------------------------------------------------------------------------------------------

create table facility (
  site text collate "C" primary key references site on delete cascade,
  county text,
  lease_holder text,
  lease_start date,
  lease_end date,
  lease_end_open boolean not null default false,
  apn text,
  sq_footage text,
  phone_2 text,
  partnership boolean not null default false,
  fac_notes text,
  agreement_type text,
  signage_language text,
  original_lease_holder text,
  base_rent text,
  option_renew text,
  lease_notes text,
  guarantor text,
  original_lease_holder_released text,
  original_guarantor_released text,
  "leaseTerm" text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  constraint open_ended_lease_has_no_end check (not (lease_end_open and lease_end is not null))
);

create table enrollment (
  site text collate "C" primary key references site on delete cascade,
  about text,
  "moreAbout" text,
  "registrationEmail" text[] not null default '{}',
  "interestEmail" text[] not null default '{}',
  "primaryEmailstatus" yes_no not null default 'No',
  "addtionalEmailstatus" yes_no not null default 'No',
  virtual_orientation_link text,
  selected_dates jsonb not null default '[]', -- [{date, start_time, end_time}], sorted by date
  -- {set, start_time, end_time} by the full name of the day
  recurring_dates jsonb not null default '{"Monday":{"set":false,"start_time":"","end_time":""},"Tuesday":{"set":false,"start_time":"","end_time":""},"Wednesday":{"set":false,"start_time":"","end_time":""},"Thursday":{"set":false,"start_time":"","end_time":""},"Friday":{"set":false,"start_time":"","end_time":""}}',
  blackout_dates date[] not null default '{}',
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);

create table program_type (
  _id text collate "C" primary key default gen_random_uuid()::text,
  name text not null,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index program_type_name on program_type (lower(name));

create table site_program_type (
  _id text collate "C" primary key default gen_random_uuid()::text,
  site text collate "C" not null references site on delete cascade,
  program_type text collate "C" not null references program_type on update cascade,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  unique (site, program_type)
);

create table sis_site (
  _id text collate "C" primary key default gen_random_uuid()::text,
  site text collate "C" not null references site on delete cascade,
  name text not null,
  sislc_id text,
  "charterId" text,
  "charterName" text,
  status boolean not null default true,
  "activeDate" date,
  "inactiveDate" date,
  type_array text[] not null default '{}',
  "siteId" text,
  summer_district boolean not null default false,
  intersession boolean not null default false,
  home_study boolean not null default false,
  "nonAdaStudents" boolean not null default false,
  online_education boolean not null default false,
  "activeSite" boolean not null default false,
  sgi boolean not null default false,
  "homeSiteId" text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create index sis_site_site on sis_site (site);

------------------------------------------------------------------------------------------------------------------------------------------------
-- People and the roles they hold at sites
------------------------------------------------------------------------------------------------------------------------------------------------

create table person (
  _id text collate "C" primary key default gen_random_uuid()::text,
  slug text not null,
  name text not null,
  phone text,
  email text,
  fax text,
  sql_person_id text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  "leftAt" timestamptz -- since when they no longer work here; they stay in the directory, without roles and access
);
create unique index person_slug on person (lower(slug));
-- Deferrable, so that two people can swap them in one save.
alter table person add constraint person_email exclude using btree (lower(email) with =) deferrable;
alter table person add constraint person_sql_person_id unique (sql_person_id) deferrable;

create table role (
  _id text collate "C" primary key default gen_random_uuid()::text,
  name text not null,
  "group" text not null check ("group" in ('LEADERSHIP', 'STUDENT_SUPPORT')),
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index role_name on role (lower(name));

create table site_person (
  _id text collate "C" primary key default gen_random_uuid()::text,
  site text collate "C" not null references site on delete cascade,
  person text collate "C" not null references person on delete cascade,
  role text collate "C" not null references role on update cascade,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  unique (site, person, role)
);
create index site_person_person on site_person (person);
create index site_person_role on site_person (role);

-- What ended when somebody left, and who took over, so that all of it can be undone in one step.
create table departure (
  _id uuid primary key default gen_random_uuid(),
  person text collate "C" not null references person on delete cascade,
  at timestamptz not null default now(),
  by text,
  address text, -- the address they signed in with at that time
  "endedRoles" jsonb not null, -- the rows of site_person that ended
  "newRoles" text[] collate "C" not null, -- the ids of the rows of site_person that others got instead
  accounts uuid[] not null, -- the accounts that were closed
  permissions jsonb not null -- the rows of permission that ended
);
create index departure_person on departure (person, at desc);

------------------------------------------------------------------------------------------------------------------------------------------------
-- Charter affairs
------------------------------------------------------------------------------------------------------------------------------------------------

create table charter_affair (
  _id text collate "C" primary key default gen_random_uuid()::text,
  charter text collate "C" not null unique references charter on delete cascade,
  charter_no_cds jsonb not null default '{}',
  charter_terms jsonb not null default '{}',
  funding jsonb not null default '{}',
  mou jsonb not null default '{}',
  notice_website jsonb not null default '{}',
  overview jsonb not null default '{}',
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);

create table authorizer_board_member (
  _id text collate "C" primary key default gen_random_uuid()::text,
  charter_affair text collate "C" not null references charter_affair on delete cascade,
  authorizer text,
  board_member_name text,
  board_position text,
  board_term text,
  charter_voting_position text,
  charter_voting_notes text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create index authorizer_board_member_affair on authorizer_board_member (charter_affair);

create table center_district (
  _id text collate "C" primary key default gen_random_uuid()::text,
  charter_affair text collate "C" not null references charter_affair on delete cascade,
  corp text,
  center_name text,
  center_locations text,
  county text,
  area_sup text,
  high_school_district text,
  elementary_district text,
  out_of_county_center text,
  notes text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create index center_district_affair on center_district (charter_affair);

------------------------------------------------------------------------------------------------------------------------------------------------
-- History: one row for each change of a record, written by triggers
------------------------------------------------------------------------------------------------------------------------------------------------

create table change (
  _id bigint generated always as identity primary key,
  at timestamptz not null,
  "table" text not null,
  record text not null,
  -- The record whose page shows this change: the site of a facility, the charter affair of a board member; otherwise the record itself.
  parent text not null,
  action text not null check (action in ('insert', 'update', 'delete')),
  -- The account that made it, and its name at the time, which outlives the account.
  actor uuid,
  "actorName" text,
  request text,
  "basedOn" integer, -- the version that was edited; null where a program sent none
  "suggestedBy" text, -- who suggested it, where someone else accepted it
  changeset uuid, -- the many changes it was made with
  before jsonb,
  after jsonb
);
create index change_parent on change (parent, _id desc);
create index change_record on change (record, _id desc);

------------------------------------------------------------------------------------------------------------------------------------------------
-- Accounts, permissions, sessions and API tokens
------------------------------------------------------------------------------------------------------------------------------------------------

-- Somebody who has signed in, identified by tenant and object id of the provider: an address may be given to somebody else later.
create table account (
  _id uuid primary key default gen_random_uuid(),
  tenant text not null,
  "objectId" text not null,
  "azureID" text not null, -- the work address
  name text not null,
  "directoryTokens" bytea, -- encrypted with SECRET_KEY; never leaves the server
  "directoryTokensDue" timestamptz, -- when to renew them at the provider; null where it issued no refresh token
  "createdAt" timestamptz not null default now(),
  "signedInAt" timestamptz not null default now(), -- last sign-in; its session is deleted long before the account
  "closedAt" timestamptz, -- set for people who left: no access until they are back
  unique (tenant, "objectId")
);
create index account_address on account (lower("azureID"));
create index account_due on account ("directoryTokensDue");

-- An address of SUPER_ADMINS belongs to the first account of our tenant that signs in with it, for good.
create table super_admin_binding (
  tenant text not null,
  address text not null, -- in lower case
  account uuid not null references account,
  primary key (tenant, address)
);

create table permission (
  _id text collate "C" primary key default gen_random_uuid()::text,
  "applicationID" text not null,
  "azureID" text not null,
  name text not null,
  person text collate "C" references person on delete set null,
  account uuid references account, -- null until somebody signs in with the address
  "superAdmin" boolean not null default false,
  "accessLevel" integer not null check ("accessLevel" between 1 and 10),
  "accessName" text not null default 'Admin',
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index permission_address on permission ("applicationID", lower("azureID"));
create index permission_account on permission (account);

-- A sign-in in progress: what the callback compares. Stored under the SHA-256 of its state, so that two tabs may sign in at once, and tied to the
-- SHA-256 of the browser's cookie.
create table sign_in (
  state bytea primary key,
  browser bytea not null,
  nonce text not null,
  verifier text not null,
  "createdAt" timestamptz not null default now()
);
create index sign_in_age on sign_in ("createdAt");

-- Exchanged once for a session, by the browser that started the sign-in, within 60 seconds.
create table ticket (
  hash bytea primary key,
  browser bytea not null,
  account uuid not null references account on delete cascade,
  "idToken" bytea, -- encrypted; the provider's logout needs it
  "createdAt" timestamptz not null default now()
);

-- Of every token only the SHA-256 is stored.
create table session (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  companion bytea not null, -- of the cookie that must come with the token
  account uuid not null references account on delete cascade,
  "idToken" bytea,
  "userAgent" text,
  "createdAt" timestamptz not null default now(),
  "usedAt" timestamptz not null default now(),
  "endedAt" timestamptz,
  address text, -- network address of the last use
  "endedBy" uuid references account on delete set null -- who ended it from a list of sessions
);
create index session_account on session (account);
create index session_companion on session (companion);
create index session_age on session ("createdAt");

-- Tokens of programs. An ended one stays for a while, so that it can be seen who ended it.
create table api_token (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  account uuid not null references account on delete cascade,
  name text not null check (length(name) between 1 and 100),
  "accessLevel" integer not null check ("accessLevel" between 1 and 10),
  "createdAt" timestamptz not null default now(),
  "expiresAt" timestamptz not null check ("expiresAt" <= "createdAt" + interval '366 days'),
  "usedAt" timestamptz,
  "endedAt" timestamptz,
  "endedBy" uuid references account on delete set null
);
create index api_token_account on api_token (account);

-- Random values that all servers share, such as the key of the daily visitor pseudonyms.
create table secret (
  name text primary key,
  value bytea not null
);

------------------------------------------------------------------------------------------------------------------------------------------------
-- Employees of the HR source: imported, and searched while somebody types
------------------------------------------------------------------------------------------------------------------------------------------------

create table hr_person (
  "PersonID" text primary key,
  "FirstName" text,
  "LastName" text,
  "Hris_EmailAddress" text,
  "EmailAddress" text,
  "Title" text,
  "Department" text,
  "Company" text,
  "Region" text,
  "goneAt" timestamptz, -- since when they are missing from the imported file; nobody is deleted, and a later file may bring them back
  -- What the search compares, set by a trigger, in lower case and without accents: the name; name, number and local parts of the addresses; the addresses.
  normalized_name text not null default '',
  normalized_words text not null default '',
  normalized_addresses text not null default '',
  -- Every pair of adjacent letters of the words: an index of pairs finds two typed letters, an index of trigrams does not.
  letter_pairs text[] not null default '{}'
);
-- A small pending list: every search reads all of it.
create index hr_person_pairs on hr_person using gin (letter_pairs) with (gin_pending_list_limit = 512) where "goneAt" is null;
create index hr_person_name on hr_person (normalized_name collate "C") where "goneAt" is null;

------------------------------------------------------------------------------------------------------------------------------------------------
-- Settings, requests and mail
------------------------------------------------------------------------------------------------------------------------------------------------

create table setting (
  name text primary key,
  value jsonb not null,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);

-- What people ask the administrators for. It stays open until it is done, or declined with a reason.
create table request (
  _id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('change', 'support')),
  account uuid references account,
  site text collate "C" references site on delete set null,
  location text,
  text text not null,
  name text,
  email text,
  -- Name and address as the request's body gave them: never trusted.
  "claimedName" text,
  "claimedEmail" text,
  "createdAt" timestamptz not null default now(),
  state text not null default 'open' check (state in ('open', 'done', 'declined')),
  word text, -- the reason or reply
  "answeredBy" text,
  "answeredAt" timestamptz,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  "openFields" integer, -- of a proposal: the fields that wait for a decision
  constraint declined_request_has_word check (state <> 'declined' or word is not null)
);
create index request_newest on request ("createdAt" desc);
create index request_of_account on request (account, "createdAt" desc);

-- Mails and how far each got; the queue that sends them.
create table mail (
  _id uuid primary key default gen_random_uuid(),
  request uuid references request on delete cascade,
  recipients text[] not null,
  subject text not null,
  body text not null,
  "sentAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  kind text not null check (kind in ('request', 'answer')),
  "messageId" text not null unique, -- the same at every try, so that mail systems recognize a repetition
  "replyName" text,
  "replyTo" text,
  accepted text[] not null default '{}', -- the recipients that have it already
  "sentAs" text check ("sentAs" in ('mail', 'file')),
  tries integer not null default 0,
  refusals integer not null default 0, -- how often the mail server rejected it for good
  "firstTryAt" timestamptz, -- of this round; "Try again" begins a new one
  "nextTryAt" timestamptz not null default now(),
  "failedAt" timestamptz,
  problem text -- the last error
);
create index mail_waiting on mail ("nextTryAt") where "sentAt" is null and "failedAt" is null;
create index mail_of_request on mail (request);

------------------------------------------------------------------------------------------------------------------------------------------------
-- What people keep for themselves. No history; a record that was deleted is just not shown any more.
------------------------------------------------------------------------------------------------------------------------------------------------

create table favourite (
  account uuid not null references account on delete cascade,
  kind text not null check (kind in ('person', 'site', 'charter', 'brand', 'region')),
  record text collate "C" not null,
  "createdAt" timestamptz not null default now(),
  primary key (account, kind, record)
);

create table recently_viewed (
  account uuid not null references account on delete cascade,
  kind text not null check (kind in ('person', 'site', 'charter', 'brand', 'region')),
  record text collate "C" not null,
  "viewedAt" timestamptz not null default now(),
  primary key (account, kind, record)
);
create index recently_viewed_last on recently_viewed (account, "viewedAt" desc);

-- A list with its filters: the page, and the query string of its address.
create table saved_view (
  _id uuid primary key default gen_random_uuid(),
  account uuid not null references account on delete cascade,
  name text not null,
  page text not null,
  search text not null,
  shared boolean not null default false,
  "createdAt" timestamptz not null default now()
);
create unique index saved_view_name on saved_view (account, page, lower(name));
create index saved_view_shared on saved_view (page) where shared;

------------------------------------------------------------------------------------------------------------------------------------------------
-- Logs for administrators. A visitor is a pseudonym of one day.
------------------------------------------------------------------------------------------------------------------------------------------------

-- One row for each page a visitor looked at on a day: the pattern of its path, never the path itself.
create table page_view (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  page text not null,
  visitor text not null,
  views integer not null default 1
);
create index page_view_at on page_view (at);
create index page_view_visitor on page_view (visitor, page);

-- One row for each search that found nothing, by visitor and day.
create table search_miss (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  query text not null,
  visitor text not null,
  times integer not null default 1
);
create index search_miss_at on search_miss (at);
create index search_miss_visitor on search_miss (visitor, at desc);

-- Errors of browsers and of the server.
create table error_log (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account uuid references account,
  timestamp text,
  context text,
  "errorMessage" text,
  "errorName" text,
  "stackTrace" text,
  "errorLocation" text,
  "requestData" text,
  "responseData" text,
  fingerprint text, -- the group of errors it belongs to, worked out by the program
  -- Rows are limited by source and by sender. `source` is 'account', 'anonymous' or 'server'; `sender` the account, a pseudonym of the network address for
  -- one day, or the call that failed.
  source text not null default 'account',
  sender text not null default ''
);
create index error_log_group on error_log (at, fingerprint, account);
create index error_log_of_group on error_log (fingerprint, _id desc);
create index error_log_ungrouped on error_log (_id) where fingerprint is null;
create index error_log_sender on error_log (source, sender, _id desc);

-- Groups of errors that somebody has dismissed; they show again when they happen again.
create table error_seen (
  fingerprint text primary key,
  at timestamptz not null default now(),
  account uuid references account on delete set null
);

-- Who downloaded which workbook. Name and address are those of that day, which outlive the account. The row is inserted before the first byte is sent.
create table download (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account uuid references account on delete set null,
  name text not null,
  "azureID" text not null,
  kind text not null,
  "endedAt" timestamptz,
  outcome text check (outcome in ('whole', 'broken off', 'failed')),
  rows integer,
  bytes bigint
);
create index download_at on download (at desc);
