-- Column names are the names of the API and of the screen (specification, section 3), so that a field is called the same everywhere.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

create domain record_status as text check (value in ('ACTIVE', 'ACTIVE - TEMPORARY', 'PENDING', 'CLOSED - PERMANENTLY', 'CLOSED - TEMPORARILY'));
create domain yes_no as text check (value in ('Yes', 'No'));

create table picture (
  _id text primary key, -- sha-256 of the bytes, in hexadecimal
  type text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  "createdAt" timestamptz not null default now()
);

create table change (
  _id bigint generated always as identity primary key,
  at timestamptz not null,
  "table" text not null,
  record text not null,
  -- The record on whose page this change is shown: a facility's site, a member's charter affair; the record itself otherwise.
  parent text not null,
  action text not null check (action in ('insert', 'update', 'delete')),
  -- Who: the account, and the name as it was then, so that it outlives the account.
  actor uuid,
  "actorName" text,
  request text,
  -- The version an edit was based on; null where a program sent none (D6).
  "basedOn" integer,
  before jsonb,
  after jsonb
);
create index change_parent on change (parent, _id desc);
create index change_record on change (record, _id desc);

-- Slugs that were replaced keep answering (D3).
create table former_slug (
  "table" text not null,
  slug text not null,
  record uuid not null,
  primary key ("table", slug)
);

create table region (
  _id uuid primary key default gen_random_uuid(),
  name text not null,
  slug text not null,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index region_slug on region (lower(slug));

create table brand (
  _id uuid primary key default gen_random_uuid(),
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
  _id uuid primary key default gen_random_uuid(),
  slug text not null,
  name text not null,
  brand uuid not null references brand,
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
  _id uuid primary key default gen_random_uuid(),
  slug text not null,
  name text,
  "displayName" text not null,
  category text,
  finance_id text,
  photo text references picture,
  status record_status not null default 'ACTIVE',
  charter uuid references charter,
  region uuid references region,
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

create table facility (
  site uuid primary key references site on delete cascade,
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
  constraint open_ended_lease_has_no_end check (not (lease_end_open and lease_end is not null)) -- D35
);

create table enrollment (
  site uuid primary key references site on delete cascade,
  about text,
  "moreAbout" text,
  "registrationEmail" text[] not null default '{}',
  "interestEmail" text[] not null default '{}',
  "primaryEmailstatus" yes_no not null default 'No',
  "addtionalEmailstatus" yes_no not null default 'No',
  virtual_orientation_link text,
  -- [{date, start_time, end_time}], sorted by date
  selected_dates jsonb not null default '[]',
  -- by full day name, {set, start_time, end_time} (D47)
  recurring_dates jsonb not null default '{"Monday":{"set":false,"start_time":"","end_time":""},"Tuesday":{"set":false,"start_time":"","end_time":""},"Wednesday":{"set":false,"start_time":"","end_time":""},"Thursday":{"set":false,"start_time":"","end_time":""},"Friday":{"set":false,"start_time":"","end_time":""}}',
  blackout_dates date[] not null default '{}',
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);

create table program_type (
  _id uuid primary key default gen_random_uuid(),
  name text not null,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index program_type_name on program_type (lower(name));

create table site_program_type (
  _id uuid primary key default gen_random_uuid(),
  site uuid not null references site on delete cascade,
  program_type uuid not null references program_type,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  unique (site, program_type)
);

create table person (
  _id uuid primary key default gen_random_uuid(),
  slug text not null,
  name text not null,
  phone text,
  email text,
  fax text,
  sql_person_id text,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index person_slug on person (lower(slug));
create unique index person_email on person (lower(email));
create unique index person_sql_person_id on person (sql_person_id);

create table role (
  _id uuid primary key default gen_random_uuid(),
  name text not null,
  "group" text not null check ("group" in ('LEADERSHIP', 'STUDENT_SUPPORT')),
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index role_name on role (lower(name));

create table site_person (
  _id uuid primary key default gen_random_uuid(),
  site uuid not null references site on delete cascade,
  person uuid not null references person on delete cascade,
  role uuid not null references role,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text,
  unique (site, person, role) -- D38
);
create index site_person_person on site_person (person);
create index site_person_role on site_person (role);

create table sis_site (
  _id uuid primary key default gen_random_uuid(),
  site uuid not null references site on delete cascade,
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

create table charter_affair (
  _id uuid primary key default gen_random_uuid(),
  charter uuid not null unique references charter on delete cascade,
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
  _id uuid primary key default gen_random_uuid(),
  charter_affair uuid not null references charter_affair on delete cascade,
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
  _id uuid primary key default gen_random_uuid(),
  charter_affair uuid not null references charter_affair on delete cascade,
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
