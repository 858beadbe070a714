-- An account is somebody who has signed in, known by the provider's tenant and object id, never by the address alone (D9).
create table account (
  _id uuid primary key default gen_random_uuid(),
  tenant text not null,
  "objectId" text not null,
  "azureID" text not null, -- the work address (section 3, User)
  name text not null,
  "directoryTokens" bytea, -- encrypted with SECRET_KEY; never leaves the server (D23)
  "directoryTokensDue" timestamptz, -- when to renew them at the provider; null where it gave no refresh token (D9)
  "createdAt" timestamptz not null default now(),
  unique (tenant, "objectId")
);
create index account_address on account (lower("azureID"));
create index account_due on account ("directoryTokensDue");

-- An address in SUPER_ADMINS binds once, to the first account of our tenant that signs in with it (D9).
create table super_admin_binding (
  tenant text not null,
  address text not null, -- in lower case
  account uuid not null references account,
  primary key (tenant, address)
);

create table permission (
  _id uuid primary key default gen_random_uuid(),
  "applicationID" text not null,
  "azureID" text not null,
  name text not null,
  person uuid references person on delete set null,
  account uuid references account, -- null until somebody signs in with the address (D10)
  "superAdmin" boolean not null default false,
  "accessLevel" integer not null check ("accessLevel" between 1 and 10),
  "accessName" text not null default 'Admin',
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);
create unique index permission_address on permission ("applicationID", lower("azureID"));
create index permission_account on permission (account);

-- A sign-in under way: what the callback compares. Kept under the SHA-256 of its state, so that two tabs may sign in at once,
-- and tied to the SHA-256 of the browser's cookie.
create table sign_in (
  state bytea primary key,
  browser bytea not null,
  nonce text not null,
  verifier text not null,
  "createdAt" timestamptz not null default now()
);
create index sign_in_age on sign_in ("createdAt");

-- A ticket is traded once for a session, by the browser that started the sign-in, within 60 seconds (D8).
create table ticket (
  hash bytea primary key,
  browser bytea not null,
  account uuid not null references account on delete cascade,
  "idToken" bytea, -- encrypted; the provider's logout asks for it
  "createdAt" timestamptz not null default now()
);

-- Tokens are kept as their SHA-256 only (D9).
create table session (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  companion bytea not null,
  account uuid not null references account on delete cascade,
  "idToken" bytea,
  "userAgent" text,
  "createdAt" timestamptz not null default now(),
  "usedAt" timestamptz not null default now(),
  "endedAt" timestamptz
);
create index session_account on session (account);
create index session_companion on session (companion);
create index session_age on session ("createdAt");

create table hr_person (
  "PersonID" text primary key,
  "FirstName" text,
  "LastName" text,
  "Hris_EmailAddress" text,
  "EmailAddress" text,
  "Title" text,
  "Department" text,
  "Company" text,
  "Region" text
);

create table setting (
  name text primary key,
  value jsonb not null,
  version integer not null default 1,
  "updatedAt" timestamptz not null default now(),
  "updatedBy" text
);

create table request (
  _id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('change', 'support')),
  account uuid references account,
  site uuid references site on delete set null,
  location text,
  text text not null,
  name text,
  email text,
  -- What the body said of name and address, kept as text only (D41).
  "claimedName" text,
  "claimedEmail" text,
  "createdAt" timestamptz not null default now()
);

create table mail (
  _id uuid primary key default gen_random_uuid(),
  request uuid references request on delete cascade,
  recipients text[] not null,
  subject text not null,
  body text not null,
  "sentAt" timestamptz,
  "createdAt" timestamptz not null default now()
);

-- D27: the pattern of the path, never the path; a key that changes every day, never a name.
create table page_view (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  page text not null,
  visitor text not null
);
create index page_view_at on page_view (at);

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
  "responseData" text
);

-- Secrets the servers share, made once: the key of the daily visitor pseudonym and the like.
create table secret (
  name text primary key,
  value bytea not null
);
