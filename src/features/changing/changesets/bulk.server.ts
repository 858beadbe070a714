import { can } from '../../../contract/capabilities.ts'
import { UNKNOWN_FIELD } from '../../../contract/messages.ts'
import { forbidden, invalidFields, Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { findSharedValues } from '../../../database/unique-fields.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, pickDifferent, type RecordChanges, saveAll, sortByKey, tryAll } from '../../../platform/server/changeset.ts'
import {
  type EditableRecordKind,
  type FieldChanges,
  findPart,
  flattenChanges,
  readFields,
  validateAll,
  type Validated,
} from '../../../platform/server/record-editor.ts'
import { findReference, nameReference } from '../../../platform/server/record-names.ts'
import type { BulkChange, BulkPreview, BulkRow } from './contract.ts'
import { findPlannedDays } from './planned-queries.server.ts'

interface Target extends RecordChanges {
  readonly present: FieldChanges
}

/** Throws 403 for a kind that the caller may not edit: charter affairs require a different level than sites. */
export const getEditableKind = (context: AppContext, user: SignedIn, name: BulkChange['kind']): EditableRecordKind => {
  const kind = context.kinds[name]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  return kind
}

/** The selected records with their current values and what would change. With `tx` they are locked first, so that no one saves in between. */
export const findTargets = async (
  context: AppContext,
  db: Queryable,
  kind: EditableRecordKind,
  { ids, changes: given, own = {} }: Pick<BulkChange, 'ids' | 'changes' | 'own'>,
  tx?: Tx,
): Promise<Target[]> => {
  const { readModel } = context
  await readModel.ready()
  const common = flattenChanges(kind, given)
  const changes = new Map<string, FieldChanges>()
  for (const one of ids) {
    const key = kind.findKey(readModel, one)
    changes.set(key, { ...common, ...changes.get(key), ...flattenChanges(kind, own[one] ?? {}) })
  }
  if (tx) {
    const parts = new Set([...changes.values()].flatMap((wanted) => Object.keys(wanted)).map((path) => findPart(kind, path).part))
    for (const part of parts) await part.lock(tx, [...changes.keys()])
  }
  const values = await readFields(db, readModel, kind, new Map([...changes].map(([key, wanted]) => [key, Object.keys(wanted)])))
  const targets = [...changes].map(([key, wanted]) => {
    const present = values.get(key) ?? {}
    return { key, present, changes: pickDifferent(wanted, present) }
  })
  await refuseUnknownFields(context, db, kind, targets)
  return targets
}

/** Throws 422 for unknown fields that are emptied, which would otherwise be treated as already empty. */
const refuseUnknownFields = async (
  { readModel }: AppContext,
  db: Queryable,
  kind: EditableRecordKind,
  targets: readonly Target[],
): Promise<void> => {
  const emptied = targets.flatMap(({ present, changes }) =>
    Object.entries(present).flatMap(([path, value]) => (value === null && !Object.hasOwn(changes, path) ? [[path, null] as const] : [])),
  )
  const [first] = targets
  if (first === undefined || emptied.length === 0) return
  const checked = await validateAll(db, readModel, kind, new Map([[first.key, Object.fromEntries(emptied)]]))
  const unknown = checked.get(first.key)?.errors.filter(({ message }) => message === UNKNOWN_FIELD) ?? []
  if (unknown.length > 0) throw invalidFields(unknown)
}

/** A preview is requested with every change of its form, so references are only checked on this many records. */
const MAX_PREVIEW_TRIALS = 500

/** What a save would store for each target, and its errors. */
export const checkTargets = async (
  context: AppContext,
  kind: EditableRecordKind,
  targets: readonly Target[],
  maxTrials = Infinity,
): Promise<ReadonlyMap<string, Validated>> => {
  const { db, readModel: model } = context
  const checked = new Map(await validateAll(db, model, kind, new Map(targets.map(({ key, changes }) => [key, changes]))))
  const isValid = ({ key }: Target) => checked.get(key)?.errors.length === 0
  for (const [key, tried] of await tryAll(context, kind, targets.slice(0, maxTrials).filter(isValid))) checked.set(key, tried)
  const wanted = [...checked].map(([key, { values }]) => ({ key, name: kind.describe(model, key)?.name ?? key, values }))
  for (const { key, path, message } of await findSharedValues(db, kind.unique ?? [], wanted)) {
    const one = checked.get(key)
    if (one?.errors.every((error) => error.path !== path)) checked.set(key, { ...one, errors: [...one.errors, { path, message }] })
  }
  return checked
}

/** What a bulk change would do to each record. */
export const previewBulk = async (context: AppContext, user: SignedIn, bulk: BulkChange): Promise<BulkPreview> => {
  const kind = getEditableKind(context, user, bulk.kind)
  const { readModel: model, db } = context
  const targets = await findTargets(context, db, kind, bulk)
  const planned = await findPlannedDays(db, bulk.kind, new Map(targets.map(({ key, changes }) => [key, Object.keys(changes)])))
  const checked = await checkTargets(
    context,
    kind,
    targets.filter(({ changes }) => Object.keys(changes).length > 0),
    MAX_PREVIEW_TRIALS,
  )
  const rows: BulkRow[] = []
  for (const { key, present, changes } of targets) {
    const described = kind.describe(model, key)
    const { values, errors } = checked.get(key) ?? { values: {}, errors: [] }
    // A value that differs from the stored one may become the same when it is saved: a phone number in another format.
    const different = errors.length > 0 ? changes : pickDifferent(values, present)
    const state = errors.length > 0 ? ('error' as const) : Object.keys(different).length > 0 ? ('change' as const) : ('unchanged' as const)
    const cells = Object.entries(state === 'unchanged' ? present : different).map(([path, after]) => {
      const { part, inner } = findPart(kind, path)
      const name = (value: unknown) => nameReference(model, findReference(kind, path), value) ?? null
      const before = present[path] ?? null
      return { path, label: part.getLabel(inner, model), before, beforeName: name(before), after, afterName: name(after) }
    })
    const plannedFor = state === 'change' ? (planned.get(key) ?? null) : null
    rows.push({ _id: key, slug: described?.slug ?? key, name: described?.name ?? key, state, cells, errors: [...errors], plannedFor })
  }
  const count = (state: BulkRow['state']) => rows.filter((row) => row.state === state).length
  return { rows, changed: count('change'), unchanged: count('unchanged'), errors: count('error') }
}

/** The fields that change, as the title of a changeset. */
export const describeFields = (context: AppContext, kind: EditableRecordKind, rows: readonly RecordChanges[]): string => {
  const labels = rows.flatMap(({ changes }) =>
    Object.keys(changes).map((path) => {
      const { part, inner } = findPart(kind, path)
      return part.getLabel(inner, context.readModel)
    }),
  )
  return [...new Set(labels)].slice(0, 10).join(', ')
}

/** The records that would change; throws 409 if one has changed since the user saw it. */
export const listChanges = (targets: readonly Target[], seen: Readonly<Record<string, FieldChanges>> = {}): Target[] => {
  const moved = targets.filter(({ key, present }) => Object.keys(pickDifferent(seen[key] ?? {}, present)).length > 0)
  if (moved.length > 0) {
    const message = 'This was changed after you opened it'
    throw new Problem(409, message, { errors: moved.slice(0, 100).map(({ key }) => ({ path: key, message })) })
  }
  return targets.filter(({ changes }) => Object.keys(changes).length > 0)
}

/** Changes many records in the given transaction. */
export const applyBulk = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  { seen, ...bulk }: BulkChange & { readonly seen?: Readonly<Record<string, FieldChanges>> | undefined },
) => {
  const kind = getEditableKind(context, user, bulk.kind)
  const rows = listChanges(await findTargets(context, tx, kind, bulk, tx), seen)
  if (rows.length === 0) return { changeset: null, changed: 0 }
  const _id = await beginChangeset(tx, {
    kind: 'bulk',
    recordKind: bulk.kind,
    title: describeFields(context, kind, rows),
    account: user.account,
    name: user.name,
    at: context.now(),
  })
  await saveAll(tx, context, kind, sortByKey(rows))
  return { changeset: { _id }, changed: rows.length }
}
