-- CDS codes and charter numbers that stand only in a charter affair are found by those who may open it. They are marked where search keeps them, and a
-- search for somebody else leaves the marked rows out of everything: what is found, how many, in which order. What the charter itself carries
-- (charter_number, directory_id) is found by everybody.
alter table search_number add column from_affair boolean not null default false;

-- The functions are as before but for the lines named here; the three places where search_records looks for numbers have to be three.
do $$
declare
  it record;
  definition text;
begin
  for it in
    select * from (values
      ('search_index_charters', 1, '(kind, record, what, number)', '(kind, record, what, number, from_affair)'),
      ('search_index_charters', 1, 'c._id, n.what, n.number', 'c._id, n.what, n.number, n.from_affair'),
      ('search_index_charters', 1, 'as n(what, number)', 'as n(what, number, from_affair)'),
      ('search_index_charters', 1, '''\D'', '''', ''g'')),', '''\D'', '''', ''g''), false),'),
      ('search_index_charters', 1, 'search_letters(c.directory_id))', 'search_letters(c.directory_id), false)'),
      ('search_index_charters', 1, 'search_letters(c.charter_number))', 'search_letters(c.charter_number), false)'),
      ('search_index_charters', 3, '''cds_code''))', '''cds_code''), true)'),
      ('search_index_charters', 3, '''charter_number''))', '''charter_number''), true)'),
      ('search_records', 1, 'only_kind text, most integer)', 'only_kind text, most integer, with_affairs boolean)'),
      ('search_records', 3, '(n.kind = ''person'') = of_people and', '(n.kind = ''person'') = of_people and (with_affairs or not n.from_affair) and'),
      ('search_records', 1, 'where n.record = any(numbered) and', 'where n.record = any(numbered) and (with_affairs or not n.from_affair) and')
    ) as change(name, times, was, becomes)
  loop
    select pg_get_functiondef(oid) into strict definition from pg_proc where proname = it.name and pronamespace = 'public'::regnamespace
      and (it.name <> 'search_records' or it.was like 'only_kind%' or pronargs = 4);
    if (length(definition) - length(replace(definition, it.was, ''))) / length(it.was) <> it.times then
      raise exception 'The function % is not the one that is known: %', it.name, it.was;
    end if;
    execute replace(definition, it.was, it.becomes);
  end loop;
end
$$;
drop function search_records(text, text, integer);

select search_index_charters((select array_agg(_id) from charter));
