-- Dates of texts that are not certain. They are kept beside the date, so that nothing takes them for one.

alter table deadline add column "proposedDates" jsonb; -- [{date, precision}], the likeliest first
alter table deadline add column why text; -- why the text has no certain date
alter table deadline add column "formerDate" date; -- what an earlier version read from the same text
alter table deadline add constraint proposed_deadline_has_no_date check ("proposedDates" is null or date is null);

-- A yearly one of February 29 is due on February 28 in other years, and on February 29 again.
alter table deadline add column "isLeapDay" boolean not null default false;
update deadline as d set "isLeapDay" = true
where d.source = 'custom' and d.yearly and to_char(d.date, 'MM-DD') = '02-28' and exists (
  select from deadline as e
  where e.source = 'custom' and e.yearly and to_char(e.date, 'MM-DD') = '02-29' and e.date < d.date
    and (e.title, e.kind) = (d.title, d.kind) and e.charter is not distinct from d.charter and e.site is not distinct from d.site
);

-- Every section of an affair, and every text of a board member, so that a field that gets a deadline needs no trigger of its own.
drop trigger note_changed_deadlines on charter_affair;
create trigger note_changed_deadlines after update of overview, charter_terms, funding, mou, notice_website, charter_no_cds on charter_affair for each row
  when ((old.overview, old.charter_terms, old.funding, old.mou, old.notice_website, old.charter_no_cds)
    is distinct from (new.overview, new.charter_terms, new.funding, new.mou, new.notice_website, new.charter_no_cds))
  execute function note_affair_texts();
drop trigger note_changed_deadlines on authorizer_board_member;
create trigger note_changed_deadlines after update of authorizer, board_member_name, board_position, board_term, charter_voting_position, charter_voting_notes
  on authorizer_board_member for each row
  when ((old.authorizer, old.board_member_name, old.board_position, old.board_term, old.charter_voting_position, old.charter_voting_notes)
    is distinct from (new.authorizer, new.board_member_name, new.board_position, new.board_term, new.charter_voting_position, new.charter_voting_notes))
  execute function note_affair_texts();

-- Read every text again: which dates are certain has changed.
insert into deadline_pending (source, record) select 'charter_affair', _id from charter_affair on conflict do nothing;
insert into deadline_pending (source, record) select 'authorizer_board_member', _id from authorizer_board_member where board_term is not null on conflict do nothing;
insert into deadline_pending (source, record) select 'facility', site from facility where lease_end is not null on conflict do nothing;
