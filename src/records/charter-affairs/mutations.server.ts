import { sql } from 'kysely'

import { notFound } from '../../contract/problem.ts'
import { getRecordName } from '../../contract/records.ts'
import { isId } from '../../contract/slugs.ts'
import type { Tx } from '../../database/connection.server.ts'
import { lockForUpdate, updateRecord } from '../../database/update-record.server.ts'
import { type AffairChange, type DistrictInput, type MemberInput, AFFAIR_SECTIONS } from './contract.ts'
import type { AffairSection } from './fields.ts'

export type StoredSections = Record<AffairSection, Record<string, string | null>>

/** Finds or inserts the affair of a charter, safe for concurrent requests. */
export const ensureAffair = async (tx: Tx, charter: string): Promise<{ _id: string; isNew: boolean }> => {
  const made = await tx
    .insertInto('charter_affair')
    .values({ charter })
    .onConflict((conflict) => conflict.doNothing())
    .returning('_id')
    .executeTakeFirst()
  if (made) return { _id: made._id, isNew: true }
  const found = await tx.selectFrom('charter_affair').select('_id').where('charter', '=', charter).executeTakeFirstOrThrow()
  return { _id: found._id, isNew: false }
}

/** The sections of a stored row. */
export const toStoredSections = (row: StoredSections): StoredSections =>
  Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, row[name]])) as StoredSections

/** Updates a locked affair. Fields that are not sent stay, including stored ones that no section has. */
export const saveSections = async (tx: Tx, _id: string, stored: StoredSections, changed: AffairChange): Promise<void> => {
  const columns = AFFAIR_SECTIONS.flatMap((name) => {
    // An empty field may be missing in the stored section.
    const own = Object.entries(changed[name] ?? {}).filter(([field, value]) => (value ?? null) !== (stored[name][field] ?? null))
    return own.length === 0 ? [] : [[name, JSON.stringify({ ...stored[name], ...Object.fromEntries(own) })] as const]
  })
  await updateRecord(tx, 'charter_affair', _id, Object.fromEntries(columns))
}

/** The lists of an affair, whose rows are separate records. */
type AffairList = 'authorizer_board_member' | 'center_district'

/** Locks a row of an affair. A row of another charter is a 404. */
const lockRow = async (tx: Tx, part: AffairList, charter: string, _id: string, ifMatchVersion: number | undefined): Promise<void> => {
  const { rows } = isId(_id)
    ? await sql`
        select from ${sql.table(part)} as p join charter_affair as a on a._id = p.charter_affair
        where p._id = ${_id} and a.charter = ${charter}`.execute(tx)
    : { rows: [] }
  if (rows.length === 0) throw notFound(getRecordName(part))
  await lockForUpdate(tx, part, _id, ifMatchVersion)
}

type RowInput = MemberInput | DistrictInput

/** Inserts a row of a charter's affair; returns its `_id`. */
export const insertRow = async (tx: Tx, part: AffairList, charter: string, fields: RowInput): Promise<string> => {
  const { _id } = await tx
    .insertInto(part)
    .values({ ...fields, charter_affair: (await ensureAffair(tx, charter))._id })
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}

export const saveRow = async (
  tx: Tx,
  part: AffairList,
  charter: string,
  { _id, ...fields }: RowInput & { _id: string },
  ifMatchVersion: number | undefined,
): Promise<void> => {
  await lockRow(tx, part, charter, _id, ifMatchVersion)
  if (part === 'center_district') await updateRecord(tx, part, _id, fields as DistrictInput)
  else await updateRecord(tx, part, _id, fields as MemberInput)
}

export const deleteRow = async (
  tx: Tx,
  part: AffairList,
  charter: string,
  _id: string,
  ifMatchVersion: number | undefined,
): Promise<void> => {
  await lockRow(tx, part, charter, _id, ifMatchVersion)
  await tx.deleteFrom(part).where('_id', '=', _id).execute()
}
