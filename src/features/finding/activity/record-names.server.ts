import { sql } from 'kysely'

import { findSource } from '../../../contract/deadlines.ts'
import type { JsonObject } from '../../../contract/objects.ts'
import { NAME_COLUMNS, RecordKind } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { getNameOf } from '../../../platform/server/record-names.ts'
import type { ActivityRecord } from './contract.ts'
import type { Outline } from './outline-entries.server.ts'

const getText = (row: JsonObject, ...columns: string[]): string | null => {
  const found = columns.map((column) => row[column]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : null
}

/** The names of records that are not in the read model, from their latest history row. */
const readLastRows = async (db: Queryable, records: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> => {
  if (records.length === 0) return new Map()
  const { rows } = await sql<{ record: string; row: JsonObject }>`
    select record, (select coalesce(after, before) from change where change.record = named.record order by _id desc limit 1) as row
    from unnest(${records}::text[]) as named (record)`.execute(db)
  return new Map(rows.flatMap(({ record, row }) => (row === null ? [] : [[record, row] as const])))
}

type KindAndId = Outline['records'][number]

interface RecordPage {
  readonly slug: string
  readonly name: string
}

/** The page of a record, if it still exists. */
export const findRecordPage = (model: ReadModel, { kind, _id }: KindAndId): RecordPage | undefined => {
  if (kind === 'charter_affair') return model.table('charter').get(model.table('charter_affair').get(_id)?.charter ?? null)
  const { data: known } = RecordKind.safeParse(kind)
  const row = known && model.table(known).get(_id)
  return known && row && { slug: row.slug, name: getNameOf(model, known, _id) ?? '' }
}

const SETTING_NAMES: Readonly<Record<string, string>> = { deadlines: 'Deadlines', requests: 'Requests', assistants: 'Assistants' }

const formatName = (model: ReadModel, { kind, _id }: KindAndId, row: JsonObject): string => {
  const siteOrCharter =
    model.table('site').get(getText(row, 'site'))?.displayName ?? model.table('charter').get(getText(row, 'charter'))?.name ?? null
  if (kind === 'deadline') {
    const title = getText(row, 'title') ?? findSource(getText(row, 'source') ?? '', getText(row, 'section'), getText(row, 'field'))?.title
    return [title ?? 'Deadline', getText(row, 'subject'), siteOrCharter].filter(Boolean).join(', ')
  }
  if (kind === 'request') return row['kind'] === 'support' ? 'IS support' : (siteOrCharter ?? getText(row, 'location') ?? 'No site given')
  if (kind === 'charter_affair') return siteOrCharter ?? 'a deleted charter'
  if (kind === 'setting') return SETTING_NAMES[_id] ?? _id
  return getText(row, ...Object.values(NAME_COLUMNS).toReversed()) ?? 'a deleted record'
}

export const toRecords = async (
  { db, readModel }: AppContext,
  records: readonly KindAndId[],
): Promise<ReadonlyMap<string, ActivityRecord>> => {
  const unknown = records.filter((record) => !findRecordPage(readModel, record)).map(({ _id }) => _id)
  const rows = await readLastRows(db, [...new Set(unknown)])
  return new Map(
    records.map((record) => {
      const page = findRecordPage(readModel, record)
      return [
        record._id,
        { ...record, slug: page?.slug ?? null, name: page?.name ?? formatName(readModel, record, rows.get(record._id) ?? {}) },
      ] as const
    }),
  )
}
