-- The history was written before a row was: an insert that then gave way to a row that was there already (`on conflict`) left a line behind of
-- something that never was. Now `record_change` counts the version up before, and writes the history, marks the parent and tells listeners after,
-- from the row that was kept. It works out the same row both times.
do $$
declare
  place constant text := '    row_after := to_jsonb(new);';
  definition text := pg_get_functiondef('record_change'::regproc);
  it record;
begin
  if position(place in definition) = 0 then raise exception 'record_change is not as it was expected'; end if;
  execute replace(definition, place, '    if tg_when = ''BEFORE'' then return new; end if;' || E'\n' || place);
  for it in
    select tgrelid::regclass as "table", substring(pg_get_triggerdef(oid) from 'record_change\(.*\)$') as work
    from pg_trigger where tgname = 'keep_change'
  loop
    execute format('drop trigger keep_change on %s', it."table");
    execute format('create trigger keep_change before insert or update on %s for each row execute function %s', it."table", it.work);
    -- Its name comes first, so that a site's line stands before those of its parts.
    execute format('create trigger a_change_kept after insert or update or delete on %s for each row execute function %s', it."table", it.work);
  end loop;
end
$$;
