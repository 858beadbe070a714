-- What a search shows of its hits, and in which order, is the same in every database: texts are ordered by their bytes, whatever rules a database
-- sorts by, and of two that are alike the one with the lower id comes first, wherever their rows lie. A restored network answers as before.
do $$
declare
  it record;
  definition text;
begin
  for it in
    select * from (values
      ('search_records', 's.score desc, s.rank, s.title', 's.score desc, s.rank, s.title collate "C", s.role'),
      ('search_records', 'b.score desc, b.rank, b.title, b.record', 'b.score desc, b.rank, b.title collate "C", b.record'),
      ('search_records', 'order by p.score desc', 'order by p.score desc, p.kind collate "C", p.place'),
      ('search_records', 'order by similarity(d.title, plain_text) desc limit', 'order by similarity(d.title, plain_text) desc, d.record limit'),
      ('record_hit', 'order by r."group", r.name <> ''Principal'', r.name limit', 'order by r."group" collate "C", r.name <> ''Principal'', r.name collate "C", sp.role limit'),
      ('record_hit', 's."displayName" limit', 's."displayName" collate "C", s._id limit')
    ) as change(name, was, becomes)
  loop
    select pg_get_functiondef(oid) into strict definition from pg_proc where proname = it.name and pronamespace = 'public'::regnamespace;
    if position(it.was in definition) = 0 then
      raise exception 'The function % is not the one that is known', it.name;
    end if;
    execute replace(definition, it.was, it.becomes);
  end loop;
end
$$;
