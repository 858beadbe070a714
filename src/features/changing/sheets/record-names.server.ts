import type { AppContext } from '../../../platform/server/app-context.ts'
import type { EditableRecordKind } from '../../../platform/server/record-editor.ts'

/** The names of the records of a kind. */
export const readNames = async (
  { db, readModel: model }: AppContext,
  kind: EditableRecordKind,
): Promise<(key: string) => string | undefined> => {
  const names = new Map((await kind.listRows(db, model)).map(({ _id, name }) => [_id, name]))
  return (key) => kind.describe(model, key)?.name ?? names.get(key)
}
