import { sql } from 'kysely'

import { can } from '../../../contract/capabilities.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { toIsoTimestamp } from '../../../database/json.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { getHistoryCalls, isHistoryKind } from '../../changing/history/contract.ts'
import { type StoredChange, toChanges } from '../../changing/history/queries.server.ts'
import type { ActivityChange, ActivityRecord } from './contract.ts'
import { getKind, type Outline } from './outline-entries.server.ts'
import { findRecordPage, toRecords } from './record-names.server.ts'
import type { ActivityRecordKind } from './rules.ts'

/** Columns that name a row, kept when the row is reduced to its changed columns. */
const NAME_COLUMNS = ['name', 'displayName', 'brandName', 'board_member_name', 'center_name', 'person', 'role', 'program_type', 'title']

/** Changes by their numbers, each with the fields that differ. */
const readChanges = async (db: Queryable, ids: readonly number[]): Promise<(StoredChange & { readonly parent: string })[]> => {
  const cut = (row: 'before' | 'after', other: 'before' | 'after') => sql`
    case when action in ('update', 'check', 'uncheck') then (
      select jsonb_object_agg(key, value) from jsonb_each(${sql.ref(row)})
      where value is distinct from ${sql.ref(other)} -> key or key = any(${NAME_COLUMNS})) else ${sql.ref(row)} end`
  const { rows } = await sql<StoredChange & { parent: string }>`
    select _id::text as _id, ${toIsoTimestamp(sql<Date>`at`)} as at, "actorName" as by, "suggestedBy", action, "table", record, parent,
      ${cut('before', 'after')} as before, ${cut('after', 'before')} as after,
      (select (latest.after ->> 'version')::integer from change as latest
       where latest._id = (select max(_id) from change as same where same.record = change.record and same."table" = change."table")) as version
    from change where _id = any(${ids}::bigint[]) order by change._id desc`.execute(db)
  return rows
}

/** Columns of requests that are never shown. */
const HIDDEN_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  request: new Set([
    'account',
    'kind',
    'name',
    'email',
    'location',
    'site',
    'claimedName',
    'claimedEmail',
    'answeredBy',
    'answeredAt',
    'createdAt',
  ]),
  permission: new Set(['account', 'person', 'applicationID', 'accessName', 'superAdmin']),
  deadline: new Set(['datedAt', 'source', 'record', 'section', 'field', 'precision', 'isCurrent']),
}

const canRestore = (model: ReadModel, user: Pick<SignedIn, 'accessLevel'>, kind: ActivityRecordKind, parent: string): boolean => {
  return (
    isHistoryKind(kind) &&
    can(user.accessLevel, getHistoryCalls(kind).restore.capability) &&
    findRecordPage(model, { kind, _id: parent }) !== undefined
  )
}

/** Changes by number as visible to the user, and the records of these changes and of entries. */
export const readActivityChanges = async (
  context: AppContext,
  user: Pick<SignedIn, 'accessLevel'>,
  ids: readonly number[],
  named: Outline['records'],
): Promise<{ readonly changes: ReadonlyMap<number, readonly ActivityChange[]>; readonly records: ReadonlyMap<string, ActivityRecord> }> => {
  const { db, readModel } = context
  const stored = await readChanges(db, ids)
  const parents = new Map(stored.map(({ _id, parent, table }) => [_id, { kind: getKind(table), _id: parent }]))
  const changes = new Map((await toChanges(db, stored)).map((change) => [change._id, change]))
  const toChange = (_id: number): ActivityChange[] => {
    const change = changes.get(String(_id))
    const parent = parents.get(String(_id))
    if (!change || !parent) return []
    const hidden = HIDDEN_FIELDS[change.part]
    return [
      {
        ...change,
        fields: hidden ? change.fields.filter(({ field }) => !hidden.has(field)) : change.fields,
        canRestore: change.canRestore && canRestore(readModel, user, parent.kind, parent._id),
        record: parent._id,
      },
    ]
  }
  return {
    changes: new Map(ids.map((_id) => [_id, toChange(_id)])),
    records: await toRecords(context, [...named, ...parents.values()]),
  }
}
