import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { StoredRow } from '../../../database/update-record.server.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { type EditableRecordKind, findPart, getAtPath } from '../../../platform/server/record-editor.ts'
import type { ProposedField } from './contract.ts'

interface ChangeRow {
  readonly by: string | null
  readonly at: string
  readonly before: StoredRow
  readonly after: StoredRow
}

/** The last person who changed each field of a record since a moment, and when, by path. */
export const findChangedSince = async (
  db: Queryable,
  model: ReadModel,
  kind: EditableRecordKind,
  key: string,
  since: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ProposedField['changed']>>> => {
  const found = new Map<string, NonNullable<ProposedField['changed']>>()
  for (const [part, ofPart] of Map.groupBy(paths, (path) => findPart(kind, path).part)) {
    const { table, toInput } = part
    if (!toInput) continue
    const record = table === 'charter_affair' ? (model.table('charter_affair').where('charter', key)[0]?._id ?? key) : key
    const { rows } = await sql<ChangeRow>`
      select "actorName" as by, ${toIsoTimestamp(sql<Date>`at`)} as at, before, after from change
      where record = ${record} and "table" = ${table} and action = 'update' and at >= ${since}::timestamptz order by _id desc limit 200`.execute(
      db,
    )
    for (const { by, at, before, after } of rows) {
      const [old, next] = [toInput(before, model), toInput(after, model)]
      for (const path of ofPart) {
        const { inner } = findPart(kind, path)
        if (!found.has(path) && !isDeepStrictEqual(getAtPath(old, inner), getAtPath(next, inner))) found.set(path, { by, at })
      }
    }
  }
  return found
}
