-- The rows every new installation begins with.
select set_config('homeroom.actor_name', 'Homeroom', true);

insert into region (name, slug) values
  ('California', 'california'), ('Michigan', 'michigan'), ('Ohio', 'ohio'), ('South Carolina', 'south-carolina'), ('Texas', 'texas');

insert into role (name, "group")
select name, 'LEADERSHIP' from unnest(array[
  'Administrative Assistant', 'Area Superintendent', 'Assistant Principal', 'Learning Center Coordinator', 'Principal', 'Regional SRM',
  'Regional Vice President', 'School Operations Manager', 'Student Relations Manager', 'Warehouse Manager', 'Warehouse Technician']) as name;
insert into role (name, "group")
select name, 'STUDENT_SUPPORT' from unnest(array[
  'Community Liaison', 'Compliance', 'Counselor', 'ELD Lead', 'ELD SST', 'ELD Specialist', 'Front Desk Staff', 'Lead Counselor',
  'Regional Utility', 'Registrar', 'SPED Data Tech', 'SPED Specialist', 'SPED Technician', 'School Psychologist', 'Site Utility']) as name;

insert into program_type (name)
select unnest(array[
  'Independent Study', 'Home Study', 'Online', 'Learning Center', 'Career Technical Education', 'Credit Recovery', 'Adult Education',
  'Dual Enrollment', 'Summer School', 'Special Education', 'English Language Development', 'Transitional Kindergarten']);
