import { sql } from 'kysely'

import type { Db } from '../../../src/database/connection.server.ts'

/** The migrations before search: tables, functions and the first rows. */
export const FIRST_MIGRATIONS = 3

/** A network in the tables of the first three migrations, with data as entered by people. */
const OLD_NETWORK = `
  set local homeroom.actor_name = 'Somebody of then';
  insert into brand (slug, "brandName") select 'brand-' || n, 'Brand ' || n from generate_series(1, 3) as n;
  insert into charter (slug, name, brand, "studentCount")
    select 'charter-' || n, 'Charter ' || n, (select _id from brand where slug = 'brand-' || (n % 3 + 1)), n * 10 from generate_series(1, 20) as n;
  insert into site (slug, name, "displayName", charter, region, address_1, city, state, zip, phone, description)
    select 'site-' || n, 'S' || n, 'Site ' || n || ' of “Ñuñoa”', (select _id from charter where slug = 'charter-' || (n % 20 + 1)), (select _id from region where name = 'California'),
      n || ' Main Street', (array['Lodi', 'Fresno', 'Chico', 'Yuba City'])[n % 4 + 1], 'CA', lpad((90000 + n)::text, 5, '0'), '209-555-' || lpad(n::text, 4, '0'), repeat('Words about it. ', n % 9)
    from generate_series(1, 400) as n;
  update facility set county = 'Yolo', fac_notes = 'Notes of ' || site::text, lease_start = date '2020-02-29', lease_end_open = true;
  update enrollment set about = 'About ' || site::text, "registrationEmail" = array['one@old.test', 'two@old.test'];
  insert into site_program_type (site, program_type)
    select s._id, p._id from (select _id, row_number() over (order by slug) as n from site) as s
    join (select _id, row_number() over (order by name) as n from program_type) as p on s.n % 3 = p.n % 3;
  insert into person (slug, name, email, phone)
    select 'person-' || n, (array['Ada', 'Bob', 'Chloé', 'Dmitri', 'Elizabeth'])[n % 5 + 1] || ' Person ' || n, 'person' || n || '@old.test', '209-555-' || lpad(n::text, 4, '0') from generate_series(1, 900) as n;
  insert into site_person (site, person, role)
    select s._id, p._id, (select _id from role order by name offset p.n % 5 limit 1)
    from (select _id, row_number() over (order by slug) as n from person) as p join (select _id, row_number() over (order by slug) as n from site) as s on s.n = p.n % 400 + 1;
  insert into sis_site (site, name, "siteId", type_array) select _id, 'SIS ' || slug, '00017', '{a,b}' from site;
  insert into charter_affair (charter, overview) select _id, jsonb_build_object('notes', 'Two' || e'\\n' || 'lines of ' || name) from charter;
  insert into authorizer_board_member (charter_affair, board_member_name) select _id, 'Member of ' || charter::text from charter_affair;
  insert into picture (_id, type, width, height, bytes)
    select encode(sha256(n::text::bytea), 'hex'), 'image/png', 1, 1, decode(repeat(md5(n::text), 500), 'hex') from generate_series(1, 10) as n;
  insert into request (kind, text, email) select 'support', 'Request ' || n, 'person' || n || '@old.test' from generate_series(1, 50) as n;
`

/** A gate before every statement that creates, alters or drops something: it blocks the statement with the awaited number. */
const GATE = `
  create schema gate;
  create sequence gate.turn;
  create table gate.closed (turn bigint);
  create function gate.pass() returns event_trigger language plpgsql as $$
  begin
    if nextval('gate.turn') = (select turn from gate.closed) then
      perform pg_advisory_lock_shared(1);
      perform pg_advisory_unlock_shared(1);
    end if;
  end
  $$;
  create event trigger gate on ddl_command_start execute function gate.pass();
`

export const fillOldNetwork = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => void (await sql.raw(OLD_NETWORK).execute(tx)))
export const buildGate = async (db: Db): Promise<void> => void (await sql.raw(GATE).execute(db))
/** How many statements have passed since the gate was created or reset. */
export const countPassedStatements = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ turn: number }>`select case when is_called then last_value else 0 end as turn from gate.turn`.execute(db)
  return rows[0]?.turn ?? 0
}
export const closeGate = async (db: Db, turn: number): Promise<void> => {
  await sql`insert into gate.closed values (${turn})`.execute(db)
  await sql`select setval('gate.turn', 1, false), pg_advisory_lock(1)`.execute(db)
}
export const isGateReached = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from pg_locks where locktype = 'advisory' and objid = 1 and classid = 0 and not granted`.execute(db)
  return rows.length > 0
}
export const removeGate = async (db: Db): Promise<void> =>
  void (await sql.raw('drop event trigger if exists gate; drop schema if exists gate cascade').execute(db))
