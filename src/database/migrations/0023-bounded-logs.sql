-- What anybody may write into a log has a bound: for one person or address, and for all together.

-- Whose report it is: `source` is 'account', 'anonymous' or 'server', `sender` the account, a pseudonym of the network address for one day, or the
-- call that failed. Of each sender, and of each source, so many are kept (error-log/keeping.server.ts).
alter table error_log add column source text not null default 'account', add column sender text not null default '';
update error_log set source = case when context = 'server' then 'server' when account is null then 'anonymous' else 'account' end,
                     sender = case when context = 'server' then coalesce("errorLocation", '') else coalesce(account::text, '') end;
create index error_log_sender on error_log (source, sender, _id desc);

-- One row for what a visitor searched for in vain on a day, and for a page they looked at, with how often. Visitors are pseudonyms of one day.
alter table search_miss add column times integer not null default 1;
with merged as (delete from search_miss returning query, visitor, at)
insert into search_miss (query, visitor, at, times) select query, visitor, max(at), count(*) from merged group by query, visitor;

alter table page_view add column views integer not null default 1;
with merged as (delete from page_view returning page, visitor, at)
insert into page_view (page, visitor, at, views) select page, visitor, min(at), count(*) from merged group by page, visitor;
create index page_view_visitor on page_view (visitor, page);
