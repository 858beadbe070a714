import { isDeepStrictEqual } from 'node:util'

import { sql } from 'kysely'

import type { ResponseOf } from '../../../contract/call.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { isEmptyValue } from '../../../contract/objects.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, listPartFields, type RecordPart } from '../../../platform/server/record-editor.ts'
import { findReference, nameReference } from '../../../platform/server/record-names.ts'
import type { HistoryKind } from '../../changing/history/contract.ts'
import { isNotInitialRow } from '../../changing/history/queries.server.ts'
import type { readPastDays } from './contract.ts'

type PastDays = ResponseOf<typeof readPastDays>

const MAX_DAYS = 1000

const listDays = async ({ db, configuration }: AppContext, parent: string | null): Promise<PastDays['days']> => {
  const { rows } = await sql<PastDays['days'][number]>`
    select (at at time zone ${configuration.timeZone})::date::text as day, count(*)::int as changes from change
    where parent = ${parent} and action not in ('check', 'uncheck') and ${isNotInitialRow}
    group by 1 order by 1 desc limit ${MAX_DAYS}`.execute(db)
  return rows.toReversed()
}

const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b) || (isEmptyValue(a) && isEmptyValue(b))

const compareWithToday = async (past: AppContext, kind: EditableRecordKind, key: string): Promise<PastDays['today']> => {
  const { before } = past
  if (before === undefined) return []
  const { db, readModel: model } = await past.asOf(toIsoDay(past.now(), past.configuration.timeZone))
  const compare = async (part: RecordPart): Promise<PastDays['today']> => {
    const present = (await part.readInputs(db, model, [key])).get(key)
    if (!part.readBefore || present === undefined) return []
    const earlier = (await part.readBefore(db, past.readModel, key, before)) ?? {}
    const then = new Map(listPartFields(part, earlier, past.readModel).map(({ path, value }) => [path, value]))
    return listPartFields(part, present, model).flatMap(({ path, label, value }) =>
      isSame(value, then.get(path))
        ? []
        : { path, label, value: value ?? null, name: nameReference(model, findReference(kind, path), value) ?? null },
    )
  }
  return (await Promise.all(kind.parts.map(compare))).flat()
}

/** The days on which a record changed, and what is different today. `key` is that of its parts, `parent` that of its changes. */
export const readDays = async (context: AppContext, kind: HistoryKind, key: string, parent: string | null): Promise<PastDays> => ({
  days: await listDays(context, parent),
  today: kind === 'region' ? [] : await compareWithToday(context, context.kinds[kind], key),
})
