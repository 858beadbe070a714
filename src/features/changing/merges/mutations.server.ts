import { sql } from 'kysely'

import type { CheckedBody } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { forbidden, invalidFields, notFound, Problem, staleVersion } from '../../../contract/problem.ts'
import { type DuplicateKind, getRecordName, RECORD_NOUNS } from '../../../contract/records.ts'
import type { MovedRow } from '../../../database/changeset-tables.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { checkDeferred, deferUnique, findSharedValues } from '../../../database/unique-fields.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, pickDifferent } from '../../../platform/server/changeset.ts'
import { getErrorCode } from '../../../platform/server/error-code.ts'
import {
  type EditableRecordKind,
  type FieldChanges,
  flattenChanges,
  saveFields,
  validateAll,
} from '../../../platform/server/record-editor.ts'
import { lockRows } from '../../../platform/server/record-part.ts'
import type { mergeRecords } from './contract.ts'
import { type EditedKind, listGains, listOwnedKinds, readPairs } from './fields.server.ts'
import { moveReferences } from './references.server.ts'

type Row = Readonly<Record<string, unknown>>

/** The `_id` of a record that may be archived or merged: a merged one is not followed. */
const findOwnKey = ({ readModel, kinds }: AppContext, kind: DuplicateKind, idOrSlug: string): string =>
  readModel.table(kind).get(idOrSlug)?._id ?? kinds[kind].findKey(readModel, idOrSlug)

export interface MergedPair {
  readonly kind: EditableRecordKind
  readonly keep: string
  readonly merge: string
}

/** The two records of a merge; throws 403, 404, and 422 if they are one. */
export const findPair = async (
  context: AppContext,
  user: SignedIn,
  { kind: name, keep, merge }: Pick<CheckedBody<typeof mergeRecords>, 'kind' | 'keep' | 'merge'>,
): Promise<MergedPair> => {
  const kind = context.kinds[name]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  await context.readModel.ready()
  const [kept, merged] = [findOwnKey(context, name, keep), findOwnKey(context, name, merge)]
  if (kept === merged) throw invalidFields([{ path: 'merge', message: `Name another ${RECORD_NOUNS[name][0]}` }])
  return { kind, keep: kept, merge: merged }
}

const readRow = async (tx: Tx, table: string, _id: string): Promise<Row> => {
  const { rows } = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} as t where _id = ${_id}`.execute(tx)
  const [found] = rows
  if (!found) throw notFound('Record')
  return found.row
}

/** Locks both records, so that no one else merges one of them at the same time; throws 409 if one is archived, and 412 if one was saved since. */
const lockBoth = async (
  tx: Tx,
  kind: DuplicateKind,
  pair: readonly { readonly _id: string; readonly version: number }[],
): Promise<readonly Row[]> => {
  await lockRows(
    tx,
    kind,
    '_id',
    pair.map(({ _id }) => _id),
  )
  const rows = await Promise.all(pair.map(({ _id }) => readRow(tx, kind, _id)))
  const archived = rows.find((row) => row['archivedAt'] !== null)
  if (archived)
    throw new Problem(409, `${getRecordName(kind)} is archived`, {
      detail: archived['mergedInto'] === null ? 'Restore it first.' : 'It was merged already.',
    })
  if (rows.some((row, at) => row['version'] !== pair[at]?.version)) throw staleVersion()
  return rows
}

/** The changes of one kind: those that were chosen, and what the record gains without a choice if its rules allow it. */
const listChanges = async (
  tx: Tx,
  { readModel }: AppContext,
  edited: EditedKind,
  keep: string,
  gains: FieldChanges,
  chosen: FieldChanges,
): Promise<FieldChanges> => {
  const free = Object.fromEntries(Object.entries(gains).filter(([path]) => !Object.hasOwn(chosen, path)))
  const checked = await validateAll(tx, readModel, edited.kind, new Map([[keep, { ...free, ...chosen }]]))
  const refused = new Set(checked.get(keep)?.errors.map(({ path }) => path))
  return { ...Object.fromEntries(Object.entries(free).filter(([path]) => !refused.has(path))), ...chosen }
}

/** The fields of a body without the prefix of a kind, or those that have none. */
const splitValues = (values: FieldChanges, kind: EditableRecordKind, prefix: string | null, others: readonly string[]): FieldChanges => {
  const flat = prefix === null ? values : flattenUnder(values, prefix)
  const own = Object.entries(flat).filter(
    ([path]) => prefix !== null || !others.some((name) => path === name || path.startsWith(`${name}.`)),
  )
  return flattenChanges(kind, Object.fromEntries(own))
}
const flattenUnder = (values: FieldChanges, prefix: string): FieldChanges =>
  Object.fromEntries(
    Object.entries(values).flatMap(([path, value]) => {
      if (path === prefix && typeof value === 'object' && value !== null) return Object.entries(value)
      return path.startsWith(`${prefix}.`) ? [[path.slice(prefix.length + 1), value]] : []
    }),
  )

/** Takes unique values from the merged record that the other one gets. */
const releaseUnique = async (tx: Tx, { kind, merge }: MergedPair, changes: FieldChanges): Promise<void> => {
  for (const { path, table, constraint, fold } of kind.unique ?? [])
    if (constraint !== undefined && typeof changes[path] === 'string')
      await sql`
        update ${sql.table(table)} set ${sql.ref(path)} = null
        where _id = ${merge} and ${fold(sql.ref(path))} = ${fold(sql`${changes[path]}`)}`.execute(tx)
}

/** Saves the fields of the record that stays. A unique value may be that of the merged record, and of no other. */
const saveKept = async (tx: Tx, context: AppContext, pair: MergedPair, changes: FieldChanges): Promise<void> => {
  const { kind, keep, merge } = pair
  const { unique = [] } = kind
  await deferUnique(tx, async () => {
    await releaseUnique(tx, pair, changes)
    const values = await saveFields(tx, context.readModel, kind, keep, changes)
    const none = Object.fromEntries(unique.map(({ path }) => [path, null]))
    const shared = await findSharedValues(tx, unique, [
      { key: keep, name: '', values },
      { key: merge, name: '', values: none },
    ])
    if (shared.length > 0) throw invalidFields(shared.map(({ path, message }) => ({ path, message })))
  })
  await checkDeferred(tx, unique)
}

const findOwned = async (tx: Tx, table: string, owner: string, key: string): Promise<string | undefined> => {
  const { rows } = await sql<{ _id: string }>`select _id from ${sql.table(table)} where ${sql.ref(owner)} = ${key} for update`.execute(tx)
  return rows[0]?._id
}

/** The dates that were read from texts of a row: those of a text that the other row has too are its own. */
const moveDatesOfTexts = async (tx: Tx, from: string, to: string): Promise<void> => {
  await sql`
    delete from deadline as t where record = ${from} and state <> 'handled' and exists (
      select from deadline as own where own.record = ${to} and own."isCurrent" and own.section is not distinct from t.section and own.field = t.field)`.execute(
    tx,
  )
  await sql`
    update deadline as t set record = ${to}, "isCurrent" = t."isCurrent" and not exists (
      select from deadline as own where own.record = ${to} and own."isCurrent" and own.section is not distinct from t.section and own.field = t.field)
    where record = ${from}`.execute(tx)
}

/** Unites the records that belong to both, such as the charter affairs of two charters: rows move, and fields are chosen. */
const uniteOwned = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  { kind: of, keep, merge }: MergedPair,
  values: FieldChanges,
): Promise<{ readonly moved: MovedRow[]; readonly united: readonly string[] }> => {
  const moved: MovedRow[] = []
  const united: string[] = []
  for (const kind of listOwnedKinds(context, of.kind)) {
    const [own, other] = [await findOwned(tx, kind.kind, of.kind, keep), await findOwned(tx, kind.kind, of.kind, merge)]
    const chosen = splitValues(values, kind, kind.kind, [])
    if ((other !== undefined || Object.keys(chosen).length > 0) && !can(user.accessLevel, kind.editCapability))
      throw forbidden(kind.editCapability)
    if (other === undefined || own === undefined) {
      if (Object.keys(chosen).length > 0 && own !== undefined) await saveFields(tx, context.readModel, kind, keep, chosen)
      continue
    }
    const edited = { kind, prefix: null }
    const pairs = await readPairs(context, tx, edited, keep, merge)
    const changes = await listChanges(tx, context, edited, keep, listGains(pairs), chosen)
    moved.push(...(await moveReferences(tx, kind.kind, other, own)))
    await moveDatesOfTexts(tx, other, own)
    await saveFields(tx, context.readModel, kind, keep, changes)
    await sql`delete from ${sql.table(kind.kind)} where _id = ${other}`.execute(tx)
    united.push(other)
  }
  return { moved, united }
}

/** PostgreSQL refuses what a rule of the database does not allow: a role of someone who has left. */
const throwRefused = (error: unknown): never => {
  if (getErrorCode(error) !== '23514') throw error
  throw new Problem(409, 'These records cannot be merged this way', {
    detail: 'The record that stays cannot have what the other one has. Keep the other one.',
    cause: error,
  })
}

/** Merges a record into another one, as one changeset. */
export const merge = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  pair: MergedPair,
  { kind: name, values, version, mergedVersion }: Pick<CheckedBody<typeof mergeRecords>, 'kind' | 'values' | 'version' | 'mergedVersion'>,
): Promise<string> => {
  const { kind, keep, merge: merged } = pair
  await lockBoth(tx, name, [
    { _id: keep, version },
    { _id: merged, version: mergedVersion },
  ])
  const edited: EditedKind = { kind, prefix: null }
  const pairs = await readPairs(context, tx, edited, keep, merged)
  const chosen = splitValues(
    values,
    kind,
    null,
    listOwnedKinds(context, name).map((owned) => owned.kind),
  )
  const wanted = await listChanges(tx, context, edited, keep, listGains(pairs), chosen)
  const present = Object.fromEntries(pairs.map((field) => [field.path, field.keep]))
  const changes = pickDifferent(wanted, present)
  const names = [merged, keep].map((key) => kind.describe(context.readModel, key)?.name ?? key)
  const changeset = await beginChangeset(tx, {
    kind: 'merge',
    recordKind: name,
    title: `${names[0]} merged into ${names[1]}`,
    account: user.account,
    name: user.name,
    at: context.now(),
  })
  const { moved, united } = await uniteOwned(tx, context, user, pair, values)
  moved.push(...(await moveReferences(tx, name, merged, keep).catch(throwRefused)))
  await moveDatesOfTexts(tx, merged, keep)
  if (Object.keys(changes).length > 0) await saveKept(tx, context, pair, changes)
  // The last change is the first that an undo restores: roles are not given to archived records.
  await sql`
    update ${sql.table(name)} set "archivedAt" = ${context.now()}, "archivedReason" = ${`Merged into ${names[1]}`}, "mergedInto" = ${keep}
    where _id = ${merged}`.execute(tx)
  await tx
    .insertInto('merge')
    .values({ changeset, kind: name, kept: keep, merged, united: [...united], moved: JSON.stringify(moved) })
    .execute()
  return changeset
}
