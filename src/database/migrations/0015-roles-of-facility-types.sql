-- Which roles a site has depends on its facility type: a warehouse has no principal, so no one is missing there.
alter table role add column "notAt" text[] not null default '{}'; -- the facility types whose sites do not have the role

select set_config('homeroom.skip_history', 'on', true);
update role set "notAt" = defaults.types::text[]
from (values
  ('Principal', '{Distribution Center,Administrative Office}'),
  ('Assistant Principal', '{Distribution Center,Administrative Office,Partnership}'),
  ('Student Relations Manager', '{Distribution Center,Administrative Office}'),
  ('Learning Center Coordinator', '{Distribution Center,Administrative Office}'),
  ('School Operations Manager', '{Partnership}'),
  ('Warehouse Manager', '{Resource Center,Online,Administrative Office,Partnership}'),
  ('Warehouse Technician', '{Resource Center,Online,Administrative Office,Partnership}'),
  ('Community Liaison', '{Distribution Center,Administrative Office}'),
  ('Compliance', '{Distribution Center}'),
  ('Counselor', '{Distribution Center,Administrative Office}'),
  ('ELD Lead', '{Distribution Center,Administrative Office}'),
  ('ELD SST', '{Distribution Center,Administrative Office}'),
  ('ELD Specialist', '{Distribution Center,Administrative Office}'),
  ('Front Desk Staff', '{Distribution Center,Online}'),
  ('Lead Counselor', '{Distribution Center,Administrative Office}'),
  ('Registrar', '{Distribution Center}'),
  ('SPED Data Tech', '{Distribution Center}'),
  ('SPED Specialist', '{Distribution Center,Administrative Office}'),
  ('SPED Technician', '{Distribution Center,Administrative Office}'),
  ('School Psychologist', '{Distribution Center,Administrative Office}'),
  ('Site Utility', '{Online,Partnership}')) as defaults (name, types)
where role.name = defaults.name;
