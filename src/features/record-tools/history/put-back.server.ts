import { sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { lockForUpdate, isEditable, keyOf, write } from '../../../database/saving.server.ts'
import type { BodyOf } from '../../../platform/contract/call.ts'
import { badFields, notFound, Problem } from '../../../platform/contract/problem.ts'
import type { putBack } from './contract.ts'
import {
  ADDED_AND_TAKEN,
  canBePutBack,
  differing,
  fieldsOf,
  finestFieldsOf,
  isSection,
  type Kept,
  SECTIONS,
  textsIn,
} from './queries.server.ts'

/** What PostgreSQL says where a row cannot be as it was: taken, pointing at nothing, against a rule of the table. */
const NOT_NOW = new Set(['23505', '23503', '23514'])
const notNow = (error: unknown): never => {
  if (error instanceof Error && 'code' in error && NOT_NOW.has(String(error.code)))
    throw new Problem(409, 'This cannot be restored now', {
      detail: 'It already exists, or a record it belongs to has changed.',
      cause: error,
    })
  throw error
}

/** Sets columns of a claimed row to what they held; sections are none of them. */
const putBackColumns = async (tx: Tx, { table: name, record, before }: Kept, columns: readonly string[]): Promise<void> => {
  if (columns.length === 0 || !isEditable(name)) return
  const table = sql.table(name)
  await sql`
    update ${table} set ${sql.join(columns.map((column) => sql`${sql.ref(column)} = earlier.${sql.ref(column)}`))}
    from (select (${rowOf(name, before)}).*) as earlier
    where ${table}.${sql.ref(keyOf(name))} = ${record}`
    .execute(tx)
    .catch(notNow)
}
const rowOf = (table: string, row: Kept['before']) => sql`jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`

/** Sets texts of a claimed affair to what they were, each named alone ('overview.fein') or with its section; all others stay. */
const putBackTexts = async (tx: Tx, { record, before }: Kept, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  const stored = await tx.selectFrom('charter_affair').select(SECTIONS).where('_id', '=', record).executeTakeFirstOrThrow()
  const columns = SECTIONS.flatMap((section) => {
    const [now, earlier] = [stored[section], textsIn(before, section)]
    const back = differing(now, earlier).filter((text) => names.includes(section) || names.includes(`${section}.${text}`))
    if (back.length === 0) return []
    return [[section, JSON.stringify({ ...now, ...Object.fromEntries(back.map((text) => [text, earlier[text] ?? null])) })] as const]
  })
  await write(tx, 'charter_affair', record, Object.fromEntries(columns))
}

/**
 * Puts back what a change replaced: the named fields, all of them, or the whole row as it was before. It is a change of its own, and can be put
 * back in turn. `seen` is the version of the part as it was looked at (D6).
 */
export const putBackChange = async (
  tx: Tx,
  parent: string | null,
  changeId: string,
  { fields: wanted, whole }: BodyOf<typeof putBack>,
  seen: number | undefined,
): Promise<void> => {
  const { rows } = await sql<Kept>`
    select _id::text as _id, action, "table", record, before, after, null as version
    from change where _id = ${changeId}::bigint and parent = ${parent}`.execute(tx)
  const change = rows[0]
  if (!change || !(isEditable(change.table) || ADDED_AND_TAKEN.has(change.table))) throw notFound('Change')
  const { action, table, record, before } = change
  if (action === 'insert')
    throw new Problem(409, 'There is no earlier value to restore', { detail: 'To remove something that was added, go to its page.' })
  const finest = finestFieldsOf(change).filter(canBePutBack)
  const known = new Set([...fieldsOf(change), ...finest].filter(canBePutBack))
  const unknown = wanted?.filter((field) => !known.has(field)) ?? []
  if (unknown.length > 0) throw badFields(unknown.map((field) => ({ path: 'fields', message: `${field} was not part of this change` })))

  if (action === 'delete') {
    await sql`insert into ${sql.table(table)} select (${rowOf(table, before)}).*`.execute(tx).catch(notNow)
    return
  }
  if (!isEditable(table)) throw notFound('Change')
  await lockForUpdate(tx, table, record, seen)
  const all = whole ? Object.keys(before ?? {}).filter(canBePutBack) : finest
  const { texts = [], columns = [] } = Object.groupBy(wanted ?? all, (field) =>
    isSection(table, field.split('.')[0] ?? '') ? 'texts' : 'columns',
  )
  await putBackTexts(tx, change, texts)
  await putBackColumns(tx, change, columns)
}
