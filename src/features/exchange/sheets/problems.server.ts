import { type FieldError, Problem } from '../../../contract/problem.ts'
import { findSharedValues, type WantedValues } from '../../../database/unique-fields.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, type FieldChanges, type RecordCreation, validateAll } from '../../../platform/server/record-editor.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'

/** What the rules say of changed fields and of new rows, by key and path: of each by itself, and of values that no two records share. */
export const findProblems = async (
  { db, readModel }: AppContext,
  kind: EditableRecordKind,
  changed: ReadonlyMap<string, FieldChanges>,
  nameOf: (key: string) => string | undefined,
  created: readonly WantedValues[],
): Promise<ReadonlyMap<string, string>> => {
  const problems = new Map<string, string>()
  const wanted = [...created]
  const rest = createTimeSlices()
  for (const [key, { values, errors }] of await validateAll(db, readModel, kind, changed)) {
    await rest()
    const paths = Object.keys(changed.get(key) ?? {})
    for (const { path, message } of errors) {
      const field = paths.find((one) => path === one || path.startsWith(`${one}.`)) ?? paths[0] ?? path
      problems.set(`${key} ${field}`, message)
    }
    wanted.push({ key, name: nameOf(key) ?? key, values })
  }
  for (const { key, path, message } of await findSharedValues(db, kind.unique ?? [], wanted))
    if (!problems.has(`${key} ${path}`)) problems.set(`${key} ${path}`, message)
  return problems
}

/** What the rules say of a record that is to be created. */
export const findCreationErrors = (creation: RecordCreation, values: FieldChanges): readonly FieldError[] => {
  try {
    creation.validate(values)
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    return error.errors
  }
}
