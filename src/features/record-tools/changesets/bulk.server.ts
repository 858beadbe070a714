import { can } from '../../../contract/capabilities.ts'
import { forbidden, Problem } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { beginChangeset, pickDifferent, type RecordChanges, saveAll, trySave } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, type FieldChanges, findPart, flattenChanges, readFields } from '../../../platform/server/record-editor.ts'
import type { BulkChange, BulkRow } from './contract.ts'

interface Target extends RecordChanges {
  readonly present: FieldChanges
}

/** Refuses a kind that the caller may not edit: charter affairs need another level than sites. */
export const getEditableKind = (context: AppContext, user: SignedIn, name: BulkChange['kind']): EditableRecordKind => {
  const kind = context.kinds[name]
  if (!can(user.accessLevel, kind.editCapability)) throw forbidden(kind.editCapability)
  return kind
}

/** The records that are named, with their present values and what would change. */
const findTargets = async (
  context: AppContext,
  db: Queryable,
  kind: EditableRecordKind,
  { ids, changes: given }: Pick<BulkChange, 'ids' | 'changes'>,
): Promise<Target[]> => {
  const { readModel } = context
  await readModel.ready()
  const changes = flattenChanges(kind, given)
  const paths = Object.keys(changes)
  const keys = [...new Set(await Promise.all(ids.map((one) => kind.findKey(db, readModel, one))))]
  const values = await readFields(db, readModel, kind, new Map(keys.map((key) => [key, paths])))
  return keys.map((key) => {
    const present = values.get(key) ?? {}
    return { key, present, changes: pickDifferent(changes, present) }
  })
}

/** Trials take a transaction each; of more records than this, the same values are tried on the first ones only. */
const MAX_TRIALS = 500

/** What a bulk change would do to each record. */
export const previewBulk = async (context: AppContext, user: SignedIn, bulk: BulkChange) => {
  const kind = getEditableKind(context, user, bulk.kind)
  const targets = await findTargets(context, context.db, kind, bulk)
  const rows: BulkRow[] = []
  let trials = 0
  for (const { key, present, changes } of targets) {
    const described = kind.describe(context.readModel, key)
    const paths = Object.keys(changes)
    const cells = paths.map((path) => {
      const { part, inner } = findPart(kind, path)
      return { path, label: part.getLabel(inner, context.readModel), before: present[path] ?? null, after: changes[path] }
    })
    const errors = paths.length > 0 && trials++ < MAX_TRIALS ? await findErrors(context, kind, key, changes) : []
    const state = errors.length > 0 ? ('error' as const) : paths.length > 0 ? ('change' as const) : ('unchanged' as const)
    rows.push({ _id: key, slug: described?.slug ?? key, name: described?.name ?? key, state, cells, errors })
  }
  const count = (state: BulkRow['state']) => rows.filter((row) => row.state === state).length
  return { rows, changed: count('change'), unchanged: count('unchanged'), errors: count('error') }
}

const findErrors = async (context: AppContext, kind: EditableRecordKind, key: string, changes: FieldChanges) => {
  try {
    await trySave(context, kind, key, changes)
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    return error.errors
  }
}

const describeBulk = (context: AppContext, kind: EditableRecordKind, changes: FieldChanges): string => {
  const labels = Object.keys(flattenChanges(kind, changes)).map((path) => {
    const { part, inner } = findPart(kind, path)
    return part.getLabel(inner, context.readModel)
  })
  return labels.join(', ')
}

/** Changes many records in the given transaction. */
export const applyBulk = async (
  tx: Tx,
  context: AppContext,
  user: SignedIn,
  { seen, ...bulk }: BulkChange & { readonly seen?: Readonly<Record<string, FieldChanges>> | undefined },
) => {
  const kind = getEditableKind(context, user, bulk.kind)
  const targets = await findTargets(context, tx, kind, bulk)
  const moved = targets.filter(({ key, present }) => Object.keys(pickDifferent(seen?.[key] ?? {}, present)).length > 0)
  if (moved.length > 0) {
    const message = 'This was changed after you opened it'
    throw new Problem(409, message, { errors: moved.slice(0, 100).map(({ key }) => ({ path: key, message })) })
  }
  const rows = targets.filter(({ changes }) => Object.keys(changes).length > 0)
  if (rows.length === 0) return { changeset: null, changed: 0 }
  const _id = await beginChangeset(tx, {
    kind: 'bulk',
    recordKind: bulk.kind,
    title: describeBulk(context, kind, bulk.changes),
    account: user.account,
    name: user.name,
    at: context.now(),
  })
  await saveAll(tx, context, kind, rows)
  return { changeset: { _id }, changed: rows.length }
}
