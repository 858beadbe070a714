import { isObject } from '../../../contract/objects.ts'
import { DUPLICATE_KINDS, type DuplicateKind } from '../../../contract/records.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getRecordHit } from '../../../platform/server/read-model/record-hits.ts'
import { type Duplicate, MAX_DUPLICATES, MAX_FOUND } from './contract.ts'
import { getLiveDuplicates } from './live-duplicates.server.ts'

const toKey = (kind: string, a: string, b: string): string => [kind, ...[a, b].toSorted()].join(' ')

const readDismissed = async (db: Queryable): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('not_duplicate').select(['kind', 'a', 'b']).execute()
  return new Set(rows.map(({ kind, a, b }) => toKey(kind, a, b)))
}

export const listPairs = async ({ db, readModel }: AppContext, kind: DuplicateKind | undefined): Promise<Duplicate[]> => {
  const pairs = await getLiveDuplicates(readModel).list(kind ? [kind] : DUPLICATE_KINDS)
  const dismissed = await readDismissed(db)
  const listed: Duplicate[] = []
  for (const { kind: of, a, b, score, reasons } of pairs) {
    const [one, other] = [getRecordHit(readModel, of, a), getRecordHit(readModel, of, b)]
    if (one && other && !dismissed.has(toKey(of, a, b))) listed.push({ kind: of, a: one, b: other, score, reasons: [...reasons] })
    if (listed.length === MAX_DUPLICATES) break
  }
  return listed
}

/** Values by column: paths end with the names of columns. */
const toColumns = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([path, value]) =>
      isObject(value) ? Object.entries(toColumns(value)) : [[path.split('.').at(-1) ?? path, value]],
    ),
  )

export const findFor = async ({ readModel }: AppContext, kind: DuplicateKind, values: Readonly<Record<string, unknown>>) => {
  const found = await getLiveDuplicates(readModel).findFor(kind, toColumns(values))
  return found
    .flatMap(({ _id, score, reasons }) => {
      const record = getRecordHit(readModel, kind, _id)
      return record ? [{ record, score, reasons: [...reasons] }] : []
    })
    .slice(0, MAX_FOUND)
}

export const listReasons = async ({ readModel }: AppContext, kind: DuplicateKind, a: string, b: string): Promise<readonly string[]> =>
  getLiveDuplicates(readModel).getReasons(kind, a, b)
