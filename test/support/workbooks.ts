import { readXlsx } from 'hucre/xlsx'
import readSheets from 'read-excel-file/node'
import { expect } from 'vitest'

/** A cell as both readers return it: a day as its ISO text under `day`, a number under `number`, so that neither equals text. */
export type ReadCell = string | { readonly day: string } | { readonly number: number } | null

export interface ReadSheet {
  readonly name: string
  readonly heads: readonly string[]
  /** Each row by column header. */
  readonly rows: readonly Readonly<Record<string, ReadCell>>[]
  readonly frozenRows: number | undefined
  /** The range of the filter: 'A1:C4'. */
  readonly filtered: string | undefined
}

const cellOf = (value: unknown): ReadCell => {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return { day: value.toISOString().replace('T00:00:00.000Z', '') }
  if (typeof value === 'number') return { number: value }
  if (typeof value !== 'string') throw new Error(`A cell is neither text nor a day: ${JSON.stringify(value)}`)
  return value
}
/** The second reader trims text. */
const trimmed = (cell: ReadCell): ReadCell => (typeof cell === 'string' ? cell.trim() || null : cell)

/**
 * A workbook as read by two libraries that are independent of each other and of the writer (`hucre` and `read-excel-file`). They must agree, and find
 * no formula.
 */
export const readWorkbook = async (file: Buffer): Promise<ReadSheet[]> => {
  const { sheets } = await readXlsx(file)
  const others = await readSheets(file)
  expect(sheets.map(({ name }) => name)).toEqual(others.map(({ sheet }) => sheet))
  return sheets.map((sheet, at) => {
    const [head = [], ...rows] = sheet.rows.map((row) => row.map(cellOf))
    const heads = head.map((cell) => (typeof cell === 'string' ? cell : ''))
    const [otherHeads, ...otherRows] = others[at]?.data.map((row) => row.map(cellOf)) ?? []
    expect(heads).toEqual(otherHeads)
    expect(rows.map((row) => heads.map((_, index) => trimmed(row[index] ?? null)))).toEqual(
      otherRows.map((row) => heads.map((_, index) => trimmed(row[index] ?? null))),
    )
    const formulas = [...(sheet.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)
    expect(formulas).toEqual([])
    return {
      name: sheet.name,
      heads,
      rows: rows.map((row) => Object.fromEntries(heads.map((head, index) => [head, row[index] ?? null]))),
      frozenRows: sheet.freezePane?.rows,
      filtered: sheet.autoFilter?.range,
    }
  })
}
