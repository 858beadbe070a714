import { type RawBuilder, sql } from 'kysely'

import { formatCount } from '../../../contract/format.ts'
import { KIND_LINES, KIND_REFERENCES, PARTS, RECORD_KINDS, RECORD_NOUNS, type RecordKind } from '../../../contract/records.ts'
import { type Status, STATUSES, isClosed } from '../../../contract/status.ts'
import { isArchivable } from '../../../database/archived-records.server.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getRecordHit } from '../../../platform/server/read-model/record-hits.ts'
import { sortByTexts } from '../../../platform/server/read-model/references.ts'
import { countDeadlinesOf } from '../../deadlines/deadlines/queries.server.ts'
import { MAX_NAMED, type Need } from './contract.ts'

const CLOSED: readonly Status[] = STATUSES.filter(isClosed)

/** Records of a kind that need a record, and what they are to it. */
interface Needing {
  readonly kind: RecordKind
  readonly select: (key: string) => RawBuilder<{ _id: string }>
  readonly format: (count: number) => string
}

const listReferring = (kind: RecordKind): Needing[] =>
  RECORD_KINDS.filter((other) => (KIND_REFERENCES as Partial<Record<RecordKind, readonly string[]>>)[other]?.includes(kind)).map(
    (other) => {
      const { status } = KIND_LINES[other]
      const isOpen = status === undefined ? sql`` : sql`and ${sql.ref(status)}::text <> all(${[...CLOSED]})`
      return {
        kind: other,
        select: (key) => sql`select _id from ${sql.table(other)} where ${sql.ref(kind)} = ${key} and "archivedAt" is null ${isOpen}`,
        format: (count) =>
          formatCount(count, RECORD_NOUNS[other]) + (status === undefined ? '' : ` that ${count === 1 ? 'is' : 'are'} not closed`),
      }
    },
  )

/** Parts that link two records, such as the staff of a site: each of the two needs the other. */
const listLinked = (kind: RecordKind): Needing[] =>
  Object.entries(PARTS).flatMap(([table, { owner, links = [], name = 'records' }]) => {
    const kinds = [owner, ...links].filter(isArchivable)
    return kinds.includes(kind)
      ? kinds.flatMap((other) =>
          other === kind
            ? []
            : {
                kind: other,
                select: (key: string) => sql<{ _id: string }>`
                  select distinct ${sql.ref(other)} as _id from ${sql.table(table)} where ${sql.ref(kind)} = ${key}`,
                format: (count: number) =>
                  owner === kind
                    ? `${formatCount(count, RECORD_NOUNS[other])} on its ${name}`
                    : `On the ${name} of ${formatCount(count, RECORD_NOUNS[other])}`,
              },
        )
      : []
  })

/** What people have besides roles, and where it is given away. */
const findDuties = async (db: Queryable, { configuration }: AppContext, key: string): Promise<Need[]> => {
  const { deadlines, settings } = await countDeadlinesOf(db, key)
  const granted = await db
    .selectFrom('permission')
    .select('accessLevel')
    .where('person', '=', key)
    .where('applicationID', '=', configuration.appId)
    .executeTakeFirst()
  const duties: (readonly [has: boolean, text: string, path: string])[] = [
    [deadlines > 0, `Responsible for ${formatCount(deadlines, 'deadline')}`, `/deadlines?responsible=${key}`],
    [settings > 0, 'Named in the settings of deadlines', '/settings'],
    [granted !== undefined, `Access at level ${granted?.accessLevel ?? ''}`, '/permissions'],
  ]
  return duties.flatMap(([has, text, path]) => (has ? [{ text, records: [], path }] : []))
}

/** What in use needs a record. Under a lock of its row, nothing else can come to need it. */
export const findNeeds = async (db: Queryable, context: AppContext, kind: RecordKind, key: string): Promise<Need[]> => {
  const needs: Need[] = []
  for (const { kind: other, select, format } of [...listReferring(kind), ...listLinked(kind)]) {
    const { rows } = await select(key).execute(db)
    if (rows.length === 0) continue
    const hits = rows.flatMap(({ _id }) => getRecordHit(context.readModel, other, _id) ?? [])
    const records = sortByTexts(hits, ({ name }) => name).map(({ _id, slug, name }) => ({ kind: other, _id, slug, name }))
    needs.push({ text: format(rows.length), records: records.slice(0, MAX_NAMED), path: null })
  }
  return [...needs, ...(await findDuties(db, context, key))]
}
