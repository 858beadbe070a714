-- Passwords with which contact programs of phones and computers sign in. Of each password only the SHA-256 is stored.
create table device (
  _id uuid primary key default gen_random_uuid(),
  hash bytea not null unique,
  account uuid not null references account on delete cascade,
  username text not null, -- the work email address when the password was created, which stays in the settings of the device
  name text not null check (length(name) between 1 and 100),
  "createdAt" timestamptz not null,
  "lastUsedAt" timestamptz,
  "userAgent" text -- of the last use
);
create index device_account on device (account);

-- What programs may have of an address book: its members, and at which revision each was changed or removed.
create table address_book (
  key text primary key,
  epoch uuid not null default gen_random_uuid(), -- part of each sync token, so that one of a former book with this key is unknown
  revision bigint not null default 0,
  digest bytea, -- of all members at this revision
  "oldestRevision" bigint not null default 0, -- what was removed up to this revision is forgotten
  "usedAt" timestamptz not null default now()
);
create table address_book_member (
  book text not null references address_book on delete cascade,
  name text collate "C" not null,
  etag text, -- null once it is removed
  revision bigint not null,
  "removedAt" timestamptz,
  primary key (book, name)
);
create index address_book_member_revision on address_book_member (book, revision, name);
create index address_book_member_removed on address_book_member ("removedAt") where "removedAt" is not null;
