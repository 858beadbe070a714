import { type FieldError, Problem } from '../../../contract/problem.ts'
import { findSharedValues, type NewValues } from '../../../database/unique-fields.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, type FieldChanges, type RecordCreation, validateAll } from '../../../platform/server/record-editor.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'
import type { FoundRow } from './found-rows.server.ts'

/** The errors of fields, by the key of the record and the path. */
export type Problems = ReadonlyMap<string, string>
/** The key of a row: that of its record, or of the record that it becomes. */
export const toKey = ({ record, line }: Pick<FoundRow, 'record' | 'line'>): string => record ?? `row ${line}`
export const findProblem = (problems: Problems, key: string, path: string): string | undefined => problems.get(`${key} ${path}`)

/** The errors of changed fields, checked for each record separately, and the values that must be unique. */
export const findProblems = async (
  context: AppContext,
  kind: EditableRecordKind,
  changed: ReadonlyMap<string, FieldChanges>,
  nameOf: (key: string) => string | undefined,
): Promise<{ readonly problems: Problems; readonly wanted: readonly NewValues[] }> => {
  const { db, readModel } = context
  const problems = new Map<string, string>()
  const atUnchanged = new Map<string, FieldError[]>()
  const wanted: NewValues[] = []
  const rest = createTimeSlices()
  for (const [key, { values, errors }] of await validateAll(db, readModel, kind, changed)) {
    await rest()
    const paths = Object.keys(changed.get(key) ?? {})
    for (const error of errors) {
      const field = paths.find((one) => error.path === one || error.path.startsWith(`${one}.`))
      if (field === undefined) atUnchanged.set(key, [...(atUnchanged.get(key) ?? []), error])
      else problems.set(`${key} ${field}`, error.message)
    }
    const own = pickUnique(kind, values)
    if (own) wanted.push({ key, name: nameOf(key) ?? key, values: own })
  }
  for (const { key, field, message } of await findCauses(context, kind, changed, atUnchanged))
    if (!problems.has(`${key} ${field}`)) problems.set(`${key} ${field}`, message)
  return { problems, wanted }
}

/** The values that must be unique; undefined if there are none. */
export const pickUnique = ({ unique = [] }: EditableRecordKind, values: FieldChanges): FieldChanges | undefined => {
  const own = unique.flatMap(({ path }) => (values[path] === undefined ? [] : [[path, values[path]] as const]))
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** The errors of values that another record has or would get. */
export const findSharedProblems = async ({ db }: AppContext, kind: EditableRecordKind, wanted: readonly NewValues[]): Promise<Problems> =>
  new Map((await findSharedValues(db, kind.unique ?? [], wanted)).map(({ key, path, message }) => [`${key} ${path}`, message]))

/**
 * Errors at fields that a row does not change, each with the changed field that causes it: the one without which the error does not occur. For
 * example, a new start time may be after the stored end time.
 */
const findCauses = async (
  { db, readModel }: AppContext,
  kind: EditableRecordKind,
  changed: ReadonlyMap<string, FieldChanges>,
  errorsByKey: ReadonlyMap<string, readonly FieldError[]>,
): Promise<{ readonly key: string; readonly field: string; readonly message: string }[]> => {
  const causes: { key: string; field: string; message: string }[] = []
  const open = new Map(errorsByKey)
  for (let nth = 0; open.size > 0; nth++) {
    const trials = new Map<string, { readonly field: string; readonly others: FieldChanges }>()
    for (const [key, errors] of open) {
      const changes = changed.get(key) ?? {}
      const fields = Object.keys(changes)
      const field = fields[nth]
      if (field !== undefined) trials.set(key, { field, others: omit(changes, field) })
      else {
        // The remaining errors are caused by several changes together.
        causes.push(...errors.map(({ path, message }) => ({ key, field: fields[0] ?? path, message })))
        open.delete(key)
      }
    }
    const results = await validateAll(db, readModel, kind, new Map([...trials].map(([key, { others }]) => [key, others])))
    for (const [key, { field }] of trials) {
      const remaining = results.get(key)?.errors ?? []
      const isRemaining = (error: FieldError) => remaining.some(({ path, message }) => path === error.path && message === error.message)
      const errors = open.get(key) ?? []
      causes.push(...errors.flatMap((error) => (isRemaining(error) ? [] : [{ key, field, message: error.message }])))
      const left = errors.filter(isRemaining)
      if (left.length > 0) open.set(key, left)
      else open.delete(key)
    }
  }
  return causes
}

const omit = (changes: FieldChanges, path: string): FieldChanges =>
  Object.fromEntries(Object.entries(changes).filter(([one]) => one !== path))

/** The errors of a record to be created. */
export const findCreationErrors = (creation: RecordCreation, values: FieldChanges): readonly FieldError[] => {
  try {
    creation.validate(values)
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    return error.errors
  }
}
