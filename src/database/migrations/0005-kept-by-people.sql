-- What somebody keeps for themselves: favourites, what they opened last, views of lists. None of it is a record of the network, so it has
-- no history; `kind` and `record` name a record of any of the five kinds, and one that is deleted simply is not shown any more.

create table favourite (
  account uuid not null references account on delete cascade,
  kind text not null check (kind in ('person', 'site', 'charter', 'brand', 'region')),
  record uuid not null,
  "createdAt" timestamptz not null default now(),
  primary key (account, kind, record)
);

create table recently_viewed (
  account uuid not null references account on delete cascade,
  kind text not null check (kind in ('person', 'site', 'charter', 'brand', 'region')),
  record uuid not null,
  "viewedAt" timestamptz not null default now(),
  primary key (account, kind, record)
);
create index recently_viewed_last on recently_viewed (account, "viewedAt" desc);

-- A list as somebody left it: the page, and what stands behind the `?` of its address.
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

-- A search that found nothing, for level 1 to see what people look for in vain. The key changes every day and names nobody (as page_view's).
create table search_miss (
  _id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  query text not null,
  visitor text not null
);
create index search_miss_at on search_miss (at);
create index search_miss_visitor on search_miss (visitor, at desc);
