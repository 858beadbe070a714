import { sql } from 'kysely'

import { type Db, setActor, type Tx } from '../../../src/database/connection.server.ts'
import { idOf, type RecordSet } from './api-storage.ts'

// A database can contain text that the API refuses: from an old import, another program, or psql. The payload is written into every text column of
// the records of a set, whatever the rules are.

const textColumns = async (tx: Tx, table: string): Promise<readonly { name: string; type: string }[]> => {
  const { rows } = await sql<{ name: string; type: string }>`
    select c.column_name as name, c.data_type as type from information_schema.columns c
    where c.table_schema = 'public' and c.table_name = ${table} and c.domain_name is null
      and (c.data_type = 'text' or c.udt_name = '_text') and c.column_name not in ('_id', 'slug', 'updatedBy', 'leftBy', 'fingerprint')
      and not exists (
        select from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any (f.conkey)
        where f.conrelid = ('public.' || quote_ident(${table}))::regclass and f.contype in ('f', 'c') and a.attname = c.column_name)`.execute(
    tx,
  )
  return rows
}

/** Fills the text columns of some rows; returns the number of columns. */
const fill = async (tx: Tx, table: string, key: string, value: string, text: string): Promise<number> => {
  const columns = await textColumns(tx, table)
  const all = columns.map(({ name, type }) => sql`${sql.ref(name)} = ${type === 'text' ? sql`${text}` : sql`array[${text}]`}`)
  await sql`update ${sql.table(table)} set ${sql.join(all)} where ${sql.ref(key)}::text = ${value}`.execute(tx)
  return columns.length
}

/** The rows of a set: table, key, and the kind of record with that key. */
const ROWS = [
  ['brand', '_id', 'brand'],
  ['charter', '_id', 'charter'],
  ['site', '_id', 'site'],
  ['facility', 'site', 'site'],
  ['enrollment', 'site', 'site'],
  ['sis_site', '_id', 'sis'],
  ['person', '_id', 'person'],
  ['authorizer_board_member', '_id', 'member'],
  ['center_district', '_id', 'district'],
] as const

/** Writes the payload of a set directly to the database; returns the number of columns that contain it. */
export const writeToDatabase = (db: Db, set: RecordSet): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const { payload, word, role } = set
    const { text } = payload
    // The actor's name in the history is the payload too.
    await setActor(tx, { account: null, name: text })
    const id = (kind: string): string => idOf(set, kind)
    let columns = 0
    for (const [table, key, kind] of ROWS) columns += await fill(tx, table, key, id(kind), text)
    const urls = JSON.stringify([{ name: text, url: text }])
    await sql`update charter set "schoolTypeUrls" = ${urls}::jsonb where _id::text = ${id('charter')}`.execute(tx)
    await sql`update request set name = ${text}, email = ${text}, "claimedName" = ${text}, "claimedEmail" = ${text}, location = ${text},
      "answeredBy" = ${text} where _id::text in (${id('request')}, ${id('support')})`.execute(tx)
    await sql`update mail set problem = ${text}, "failedAt" = now(), recipients = array[${text}] where request::text = ${id('request')}`.execute(
      tx,
    )
    await sql`update saved_view set page = ${text}, search = ${text} where _id::text = ${id('view')}`.execute(tx)
    await sql`insert into hr_person ("PersonID", "FirstName", "LastName", "Hris_EmailAddress", "EmailAddress", "Title", "Department", "Company", "Region")
      values (${word}, ${word}, ${text}, ${text}, ${text}, ${text}, ${text}, ${text}, ${text})`.execute(tx)
    // A role with the payload as its name, and a person in it.
    await sql`insert into role (name, "group") values (${text}, 'STUDENT_SUPPORT')`.execute(tx)
    await sql`insert into site_person (site, person, role)
      select ${id('site')}::uuid, ${id('person')}::uuid, _id from role where name = ${text} and _id::text <> ${role}`.execute(tx)
    return columns + 2 + 6 + 2 + 2 + 8 + 1
  })
