import { type DataValidation, type WriteSheet, writeXlsx } from 'hucre/xlsx'

import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, readFields } from '../../../platform/server/record-editor.ts'
import { type EditableColumn, ID_HEADER, listNames, SHEETS, toCellText, VERSION_HEADER } from './columns.server.ts'
import type { SheetKind } from './contract.ts'
import { toColumnLetters } from './parse.server.ts'
import { readVersions } from './versions.server.ts'

/** Rows below the last record that can still be typed in. */
const SPARE_ROWS = 200
/** Excel takes the entries of a drop-down from cells where they are longer than this. */
const MAX_INLINE_CHOICES = 250

const GRAY = { fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'EFEDE9' } }, protection: { locked: true } }
const HEAD = { font: { bold: true }, fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'DEE7FC' } } }
const toStyle = ({ type }: EditableColumn) => ({ numFmt: type === 'day' ? 'mm/dd/yyyy' : '@', protection: { locked: false } })

const toValue = (column: EditableColumn, text: string) =>
  column.type === 'day' && /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : text || null

const HELP = [
  ['How to edit this sheet'],
  ['1. Change values in the white cells, and save the file as .xlsx.'],
  ['2. Upload it where you downloaded it. Nothing is saved before you have seen every changed cell.'],
  ['3. Gray columns say which record a row is. They cannot be changed.'],
  ['4. Rows that you delete are kept as they are. To close a site or end a role, use its page.'],
  ['5. An empty cell empties the field, if the field may be empty.'],
  ['6. Drop-downs show what a field takes.'],
  ['7. Dates are month/day/year. Phone numbers and ZIP codes are text, so that zeros stay.'],
  ['8. You may sort, filter, hide and move columns. Sort all columns together.'],
  ['9. What someone else changes in the meantime is shown beside your value.'],
  ['10. All of it is saved as one, and can be undone as one.'],
]

/** The records of a sheet as a workbook to edit. */
export const buildSheet = async (
  context: AppContext,
  kind: EditableRecordKind,
  sheet: SheetKind,
  keys: readonly string[],
): Promise<Uint8Array> => {
  const { readModel: model, db } = context
  const { columns, title, table } = SHEETS[sheet]
  const paths = columns.map(({ path }) => path)
  const values = await readFields(db, model, kind, new Map(keys.map((key) => [key, paths])))
  const versions = await readVersions(db, table, keys)
  const rows = keys.flatMap((key) => {
    const row = values.get(key)
    return row
      ? [
          [
            key,
            versions.get(key) ?? 0,
            kind.describe(model, key)?.name ?? '',
            ...columns.map((column) => toValue(column, toCellText(model, column, row[column.path]))),
          ],
        ]
      : []
  })
  const last = rows.length + 1 + SPARE_ROWS
  const lists: { readonly header: string; readonly entries: readonly string[] }[] = []
  const dataValidations = columns.flatMap((column, at): DataValidation[] => {
    const isReference = column.type === 'region' || column.type === 'charter' || column.type === 'brand'
    const choices = isReference ? listLabels(context, column.type) : column.choices
    if (!choices || choices.length === 0) return []
    const letters = toColumnLetters(at + 3)
    const range = `${letters}2:${letters}${last}`
    if (!isReference && choices.join(',').length <= MAX_INLINE_CHOICES && !choices.some((choice) => choice.includes(',')))
      return [{ type: 'list' as const, values: [...choices], allowBlank: true, range }]
    lists.push({ header: column.label, entries: choices })
    const from = toColumnLetters(lists.length - 1)
    return [{ type: 'list' as const, formula1: `Choices!$${from}$2:$${from}$${choices.length + 1}`, allowBlank: true, range }]
  })
  const main: WriteSheet = {
    name: title,
    columns: [
      { header: ID_HEADER, width: 12, hidden: true, style: GRAY },
      { header: VERSION_HEADER, width: 8, hidden: true, style: GRAY },
      { header: 'Record', width: 32, style: GRAY },
      ...columns.map((column) => ({
        header: column.label,
        width: Math.min(40, Math.max(14, column.label.length + 2)),
        style: toStyle(column),
      })),
    ],
    rows: [[ID_HEADER, VERSION_HEADER, 'Record', ...columns.map(({ label }) => label)], ...rows],
    cells: new Map(Array.from({ length: columns.length + 3 }, (_, at) => [`0,${at}`, { style: HEAD }])),
    dataValidations,
    autoFilter: { range: `A1:${toColumnLetters(columns.length + 2)}${rows.length + 1}` },
    freezePane: { rows: 1, columns: 3 },
    protection: { sheet: true, formatCells: false, formatColumns: false, formatRows: false, sort: false, autoFilter: false },
  }
  const height = Math.max(0, ...lists.map(({ entries }) => entries.length))
  const choices: WriteSheet[] =
    lists.length === 0
      ? []
      : [
          {
            name: 'Choices',
            hidden: true,
            rows: [
              lists.map(({ header }) => header),
              ...Array.from({ length: height }, (_, at) => lists.map(({ entries }) => entries[at] ?? null)),
            ],
          },
        ]
  return writeXlsx({ sheets: [main, { name: 'Help', columns: [{ width: 100 }], rows: HELP }, ...choices] })
}

const listLabels = ({ readModel: model }: AppContext, table: 'region' | 'charter' | 'brand'): string[] => {
  const names = listNames(model, table)
  return [...new Set(names.values())]
    .flatMap((_id) => (_id === undefined ? [] : [toCellText(model, { path: table, label: table, type: table }, _id)]))
    .toSorted((a, b) => a.localeCompare(b))
}
