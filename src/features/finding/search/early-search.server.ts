import { type RawBuilder, sql } from 'kysely'

import { KIND_LINES, NAME_COLUMNS, RECORD_KINDS, type RecordKind } from '../../../contract/records.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type ChangedRows, ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { createHitSource, type HitSource } from '../../../platform/server/read-model/record-hits.ts'
import { findTypedNumber } from './engine/numbers.ts'
import { type EngineHit, type EngineResult, type SearchOptions, splitWords } from './engine/search-engine.ts'
import { buildEngine } from './search-answer.server.ts'

type Source = Pick<AppContext, 'db' | 'pool'>

/** More records of a kind are not compared. */
const MAX_RECORDS_OF_KIND = 100

/** Shorter numbers may be ids, which are not looked for here. */
const MIN_DIGITS = 7

/** What is looked for in one text of a record: the beginnings of its words, or digits of its phone number. */
interface Wanted {
  readonly parts: readonly string[]
  readonly getText: (kind: RecordKind) => RawBuilder<string>
}

/** A name, and the texts of a line; without punctuation within words, and with a space before each. */
const getWords = (kind: RecordKind): RawBuilder<string> => {
  const details = KIND_LINES[kind].details.flatMap((detail) => (typeof detail === 'string' || Array.isArray(detail) ? detail : []))
  const columns = sql.join([NAME_COLUMNS[kind], ...details].map((column) => sql.ref(column)))
  return sql`' ' || translate(lower(concat_ws(' ', ${columns})), '-''’', ' ')`
}

const getDigits = (kind: RecordKind): RawBuilder<string> => {
  const { phone } = KIND_LINES[kind]
  return phone === undefined ? sql`''` : sql`translate(${sql.ref(phone)}, '()+-./ ', '')`
}

const toWanted = (typed: string): Wanted | undefined => {
  const number = findTypedNumber(typed)
  const words = number ? [] : splitWords(typed, undefined)
  if (words.length > 0) return { parts: words.map((word) => ` ${word}`), getText: getWords }
  const isPhone = number && !number.isEmail && !number.isId && number.text.length >= MIN_DIGITS
  return isPhone ? { parts: [number.text], getText: getDigits } : undefined
}

/** The records of a kind that have most of what is wanted. */
const selectRecords = (kind: RecordKind, { parts, getText }: Wanted): RawBuilder<ChangedRows> => {
  const matched = sql.join(
    parts.map((part) => sql`(strpos(t.text, ${part}) > 0)::int`),
    sql` + `,
  )
  return sql`select ${sql.lit(kind)} as "table", array(
    select _id from (select _id, ${getText(kind)} as text from ${sql.table(kind)} where "archivedAt" is null) as t
    where ${matched} > 0 order by ${matched} desc, t.text, t._id limit ${MAX_RECORDS_OF_KIND}) as keys`
}

/** The positions at these sites and of these people. */
const selectPositions = (sites: readonly string[], people: readonly string[]): RawBuilder<ChangedRows> =>
  sql`select 'site_person' as "table", array(select _id from site_person where site = any(${sites}) or person = any(${people})) as keys`

/** How many records refer to each hit, where its line says so. */
const countReferences = async ({ db }: Source, hits: readonly EngineHit[]): Promise<HitSource['count']> => {
  const counts = new Map<string, number>()
  for (const [kind, own] of Map.groupBy(hits, (hit) => hit.kind))
    for (const detail of KIND_LINES[kind].details) {
      if (typeof detail === 'string' || !('counts' in detail)) continue
      const { rows } = await sql<{ _id: string; count: number }>`
        select ${sql.ref(kind)} as _id, count(*)::int from ${sql.table(detail.counts)}
        where ${sql.ref(kind)} = any(${own.map(({ _id }) => _id)}) and "archivedAt" is null group by 1`.execute(db)
      for (const { _id, count } of rows) counts.set(`${detail.counts} ${_id}`, count)
    }
  return (counted, _kind, _id) => counts.get(`${counted} ${_id}`) ?? 0
}

/** What the lines of these hits say. */
const readHits = async (source: Source, hits: readonly EngineHit[]): Promise<HitSource> => {
  const people = hits.flatMap(({ kind, _id }) => (kind === 'person' ? _id : []))
  const { rows } = await selectPositions([], people).execute(source.db)
  const model = await ReadModel.ofRows(source.pool, [...hits.map(({ kind, _id }) => ({ table: kind, keys: [_id] })), ...rows])
  return { ...createHitSource(model), count: await countReferences(source, hits) }
}

/**
 * A search before the index of all records exists: by the same rules, among the records that the database finds by their names, places or phone
 * numbers. Undefined if none of them matches clearly.
 */
export const searchEarly = async (
  source: Source,
  typed: string,
  options: SearchOptions,
): Promise<{ result: EngineResult; source: HitSource } | undefined> => {
  const wanted = toWanted(typed)
  if (!wanted) return undefined
  const selected = RECORD_KINDS.map((kind) => selectRecords(kind, wanted))
  const { rows: found } = await sql<ChangedRows>`${sql.join(selected, sql` union all `)}`.execute(source.db)
  const keysOf = (kind: RecordKind): readonly string[] => found.find(({ table }) => table === kind)?.keys ?? []
  const { rows: related } = await sql<ChangedRows>`
    ${selectPositions(keysOf('site'), keysOf('person'))} union all select 'role', array(select _id from role)`.execute(source.db)
  const model = await ReadModel.ofRows(source.pool, [...found, ...related])
  const { groups, marks } = buildEngine(model).search(typed, options)
  const hits = groups.flatMap((group) => group.hits)
  if (hits.every(({ match }) => match === 'close')) return undefined
  return { result: { groups: groups.map((group) => ({ ...group, more: true })), marks }, source: await readHits(source, hits) }
}
