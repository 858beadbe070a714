import type { Cell, CellValue, DataValidation, WriteOptions, WriteSheet } from 'hucre/xlsx'

import type { CellReference } from '../../../contract/field-definitions.ts'
import { getSheetTitle, type SheetKind } from '../../../contract/sheets.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { type EditableRecordKind, readFields } from '../../../platform/server/record-editor.ts'
import { type EditableColumn, isReference } from '../../../platform/server/sheet-definition.ts'
import { toColumnLetters } from '../../../platform/server/workbook-reader.ts'
import { listNames, toCellNames, toCellText } from './cell-values.server.ts'
import { getSheet } from './columns.server.ts'
import { LEADING_COLUMNS, NAME_HEADER } from './layout.server.ts'
import { ID_HEADER, ORIGIN_SHEET, VERSION_HEADER } from './read-file.server.ts'
import { readNames } from './record-names.server.ts'
import { readVersions } from './versions.server.ts'

/** Editable rows below the last record. */
const SPARE_ROWS = 200
/** Longer lists of choices have to be in cells, from which Excel takes the entries of a drop-down. */
const MAX_INLINE_CHOICES = 250

const GRAY = { fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'EFEDE9' } }, protection: { locked: true } }
const HEAD = { font: { bold: true }, fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'DEE7FC' } } }
const WRONG = { fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'FBE3E1' } }, protection: { locked: false } }
const toStyle = ({ type }: EditableColumn) => ({ numFmt: type === 'day' ? 'mm/dd/yyyy' : '@', protection: { locked: false } })

const toValue = (column: EditableColumn | undefined, text: string): CellValue =>
  column?.type === 'day' && /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : text || null

/** Actions that are allowed in a protected sheet. */
const STILL_ALLOWED = { formatCells: true, formatColumns: true, formatRows: true, insertRows: true, sort: true, autoFilter: true }

const HELP = [
  ['How to edit this sheet'],
  ['1. Change values in the white cells, and save the file as .xlsx.'],
  ['2. Upload it where you downloaded it. Nothing is saved before you have seen every changed cell.'],
  ['3. Gray columns say which record a row is. They cannot be changed.'],
  ['4. Rows that you delete are kept as they are. To close a site or end a role, use its page.'],
  ['5. An empty cell empties the field, if the field may be empty.'],
  ['6. Drop-downs show what a field takes.'],
  ['7. Dates are month/day/year. Phone numbers and ZIP codes are text, so that zeros stay.'],
  ['8. You may filter, hide and add rows. To sort them or to move columns, first choose Review, Unprotect Sheet. Sort whole rows.'],
  ['9. What someone else changes in the meantime is shown beside your value.'],
  ['10. All of it is saved as one, and can be undone as one.'],
]

/** A comment on a cell: the index of its row below the header, and of its column. */
export interface CellNote {
  readonly row: number
  readonly column: number
  readonly text: string
}

interface Grid {
  readonly sheet: SheetKind
  readonly downloadedAt: Date
  /** The columns in order; undefined for those that cannot be edited. */
  readonly columns: readonly { readonly header: string; readonly column: EditableColumn | undefined }[]
  /** The index of the header row. */
  readonly headerRow: number
  /** The texts of the rows below the header; undefined for an empty row. */
  readonly rows: readonly (readonly string[] | undefined)[]
  readonly records: readonly string[]
  readonly notes: readonly CellNote[]
}

const NOTE_AUTHOR = 'Homeroom'
/** Rows measured for the width of a column. */
const MEASURED_ROWS = 200

const measureWidth = (header: string, rows: readonly (readonly string[] | undefined)[], at: number): number =>
  Math.min(40, Math.max(14, 2 + Math.max(header.length, ...rows.slice(0, MEASURED_ROWS).map((row) => row?.[at]?.length ?? 0))))

/** Cells with comments, below the header. */
const toMarked = (notes: readonly CellNote[], headerRow: number) =>
  notes.map(({ row, column, text }): [string, Partial<Cell>] => [
    `${headerRow + 1 + row},${column}`,
    { style: WRONG, comment: { author: NOTE_AUTHOR, text } },
  ])

/** A workbook of texts with comments, without anything that is locked or checked. */
export const toPlainWorkbook = (
  title: string,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  notes: readonly CellNote[],
): WriteOptions => ({
  sheets: [
    {
      name: title,
      columns: headers.map((header, at) => ({ header, width: measureWidth(header, rows, at), style: { numFmt: '@' } })),
      rows: [[...headers], ...rows.map((row) => row.map((text) => text || null))],
      cells: new Map<string, Partial<Cell>>([
        ...headers.map((_, at): [string, Partial<Cell>] => [`0,${at}`, { style: HEAD }]),
        ...toMarked(notes, 0),
      ]),
      freezePane: { rows: 1 },
    },
  ],
})

/** A workbook to edit: identifiers hidden and locked, choices as drop-downs, and its origin on a hidden sheet. */
export const toWorkbook = (context: AppContext, { sheet, downloadedAt, columns, headerRow, rows, records, notes }: Grid): WriteOptions => {
  const title = getSheetTitle(sheet)
  const last = headerRow + rows.length + 1 + SPARE_ROWS
  const lists: { readonly header: string; readonly entries: readonly string[] }[] = []
  const dataValidations = columns.flatMap(({ header, column }, at): DataValidation[] => {
    if (!column) return []
    const choices = isReference(column.type) ? listLabels(context, column.type) : column.choices
    if (!choices || choices.length === 0) return []
    const letters = toColumnLetters(at)
    const range = `${letters}${headerRow + 2}:${letters}${last}`
    if (!isReference(column.type) && choices.join(',').length <= MAX_INLINE_CHOICES && !choices.some((choice) => choice.includes(',')))
      return [{ type: 'list' as const, values: [...choices], allowBlank: true, range }]
    lists.push({ header, entries: choices })
    const from = toColumnLetters(lists.length - 1)
    return [{ type: 'list' as const, formula1: `Choices!$${from}$2:$${from}$${choices.length + 1}`, allowBlank: true, range }]
  })
  // Columns for new rows only are locked in the rows of existing records.
  const locked = columns.flatMap(({ column }, at) =>
    column?.isForNewRows
      ? rows.flatMap((row, nth): [string, Partial<Cell>][] => (row?.[0] ? [[`${headerRow + 1 + nth},${at}`, { style: GRAY }]] : []))
      : [],
  )
  const marked = toMarked(notes, headerRow)
  const main: WriteSheet = {
    name: title,
    columns: columns.map(({ header, column }, at) => {
      if (column) return { header, width: measureWidth(header, rows, at), style: toStyle(column) }
      const isHidden = header === ID_HEADER || header === VERSION_HEADER
      return { header, width: isHidden ? 12 : 32, hidden: isHidden, style: GRAY }
    }),
    rows: [
      ...Array.from({ length: headerRow }, () => []),
      columns.map(({ header }) => header),
      ...rows.map((row) => (row ?? []).map((text, at) => toValue(columns[at]?.column, text))),
    ],
    cells: new Map<string, Partial<Cell>>([
      ...columns.map((_, at): [string, Partial<Cell>] => [`${headerRow},${at}`, { style: HEAD }]),
      ...locked,
      ...marked,
    ]),
    dataValidations,
    autoFilter: { range: `A${headerRow + 1}:${toColumnLetters(columns.length - 1)}${headerRow + rows.length + 1}` },
    freezePane: { rows: headerRow + 1, columns: LEADING_COLUMNS },
    protection: { sheet: true, ...STILL_ALLOWED },
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
  const origin: WriteSheet = {
    name: ORIGIN_SHEET,
    hidden: true,
    rows: [
      ['kind', sheet],
      ['downloadedAt', downloadedAt.toISOString()],
      ...records.map((key) => ['record', key]),
      ...columns.flatMap(({ column }) => (column ? [['column', column.path]] : [])),
    ],
  }
  return { sheets: [main, { name: 'Help', columns: [{ width: 100 }], rows: HELP }, ...choices, origin] }
}

/** The records of a sheet as a workbook to edit. */
export const buildSheet = async (
  context: AppContext,
  kind: EditableRecordKind,
  sheet: SheetKind,
  keys: readonly string[],
  columns: readonly EditableColumn[],
): Promise<WriteOptions> => {
  const { readModel: model, db } = context
  const names = toCellNames(model)
  const nameOf = await readNames(context, kind)
  const paths = columns.map(({ path }) => path)
  const values = await readFields(db, model, kind, new Map(keys.map((key) => [key, paths])))
  const versions = await readVersions(db, getSheet(context, sheet).versions, keys)
  const present = keys.filter((key) => values.get(key) !== undefined)
  return toWorkbook(context, {
    sheet,
    downloadedAt: context.now(),
    columns: [
      ...[ID_HEADER, VERSION_HEADER, NAME_HEADER].map((header) => ({ header, column: undefined })),
      ...columns.map((column) => ({ header: column.label, column })),
    ],
    headerRow: 0,
    rows: present.map((key) => [
      key,
      String(versions.get(key) ?? ''),
      nameOf(key) ?? '',
      ...columns.map((column) => toCellText(names, column, values.get(key)?.[column.path])),
    ]),
    records: present,
    notes: [],
  })
}

const listLabels = ({ readModel: model }: AppContext, table: CellReference): string[] => {
  const names = listNames(model, table)
  return [...new Set(names.values())]
    .flatMap((_id) => (_id === undefined ? [] : [toCellText(toCellNames(model), { path: table, label: table, type: table }, _id)]))
    .toSorted((a, b) => a.localeCompare(b))
}
