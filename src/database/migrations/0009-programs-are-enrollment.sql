-- A program type added to a site or taken from it is a change of the site's enrollment record as its form shows it: an edit that was begun before
-- is stale (D6). The version counts up without a second line in the history; the row of site_program_type has its own.
create function count_enrollment_up() returns trigger language plpgsql as $$
begin
  perform set_config('homeroom.touching', 'yes', true);
  update enrollment set version = version + 1 where site = coalesce(new.site, old.site);
  perform set_config('homeroom.touching', '', true);
  return null;
end
$$;
create trigger count_enrollment_up after insert or update or delete on site_program_type for each row execute function count_enrollment_up();
