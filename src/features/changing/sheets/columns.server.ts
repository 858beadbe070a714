import { invalidFields } from '../../../contract/problem.ts'
import { getSheetTitle, type SheetKind, SHEETS } from '../../../contract/sheets.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import type { EditableColumn, SheetDefinition } from '../../../platform/server/sheet-definition.ts'

/** The definition of a sheet, from its kind of record. */
export const getSheet = ({ kinds }: Pick<AppContext, 'kinds'>, sheet: SheetKind): SheetDefinition => {
  const definition = kinds[SHEETS[sheet].kind].sheets[sheet]
  if (!definition) throw new Error(`The kind ${SHEETS[sheet].kind} declares no sheet ${sheet}`)
  return definition
}

/**
 * The requested columns in the order of the sheet, named by field paths or list columns (`name` of a site is both). All columns if none are named;
 * throws 422 for unknown ones.
 */
export const chooseColumns = (context: AppContext, sheet: SheetKind, named: string | undefined): readonly EditableColumn[] => {
  const all = getSheet(context, sheet).columns(context.readModel)
  if (named === undefined) return all
  const fieldsOf = new Map(context.kinds[SHEETS[sheet].list].lists?.columns.map(({ key, fields }) => [key, fields]))
  const paths = new Set<string>()
  for (const name of named.split(',').map((one) => one.trim())) {
    const isPath = all.some(({ path }) => path === name)
    if (!isPath && !fieldsOf.has(name))
      throw invalidFields([{ path: 'columns', message: `${getSheetTitle(sheet)} has no column “${name}”` }])
    for (const path of [name, ...(fieldsOf.get(name) ?? [])]) paths.add(path)
  }
  const chosen = all.filter(({ path }) => paths.has(path))
  if (chosen.length === 0) throw invalidFields([{ path: 'columns', message: 'None of these columns can be edited here' }])
  return chosen
}
