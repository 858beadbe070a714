import { type FieldError, Problem } from '../../../contract/problem.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { tryCreate, trySave } from '../../../platform/server/changeset.ts'
import { type EditableRecordKind, type FieldChanges, findPart, type RecordCreation } from '../../../platform/server/record-editor.ts'
import { createTimeSlices } from '../../../platform/server/time-slices.ts'

/** Records that are saved and rolled back to see what rules over several records say; of further ones only the fields' own rules are asked. */
export const TRIALS = 300

const catchErrors = async (work: () => unknown): Promise<readonly FieldError[]> => {
  try {
    await work()
    return []
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    return error.errors
  }
}

/** What the rules of the records say of changed fields, by record and path: of each record by its own fields, of the first ones also by a trial. */
export const findProblems = async (
  context: AppContext,
  kind: EditableRecordKind,
  present: ReadonlyMap<string, FieldChanges | undefined>,
  changed: ReadonlyMap<string, FieldChanges>,
): Promise<ReadonlyMap<string, string>> => {
  const problems = new Map<string, string>()
  const rest = createTimeSlices()
  let nth = 0
  for (const [key, changes] of changed) {
    nth++
    await rest()
    const paths = Object.keys(changes)
    const { part } = findPart(kind, paths[0] ?? '')
    const errors = await catchErrors(() =>
      nth <= TRIALS ? trySave(context, kind, key, changes) : part.validate?.(changes, present.get(key) ?? {}),
    )
    for (const { path, message } of errors) {
      const field = paths.find((one) => path === one || path.startsWith(`${one}.`)) ?? paths[0] ?? path
      problems.set(`${key} ${field}`, message)
    }
  }
  return problems
}

/** What the rules say of a record that is to be created. */
export const findCreationErrors = (
  context: AppContext,
  creation: RecordCreation,
  values: FieldChanges,
  isTried: boolean,
): Promise<readonly FieldError[]> => catchErrors(() => (isTried ? tryCreate(context, creation, values) : creation.validate(values)))
