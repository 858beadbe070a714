import { formatCount, type Noun } from '../../../../contract/format.ts'
import type { SheetCell, SheetChoices, SheetPreview } from '../contract.ts'
import { ID_FIELD } from '../sheet-format.ts'

/** The choice for one cell. */
export type CellChoice = 'mine' | 'theirs' | 'leave' | { readonly value: unknown }

/** The choices in a preview, as stored on this device. */
export interface Chosen {
  readonly cells: Readonly<Record<string, CellChoice>>
  /** Rows that do not become records. */
  readonly leftRows: readonly number[]
  /** Warnings whose cells are used anyway, by index. */
  readonly used: readonly number[]
}
export const NOTHING_CHOSEN: Chosen = { cells: {}, leftRows: [], used: [] }

/** Returns the error of a value; undefined if it can be saved. */
export type JudgeCell = (cell: SheetCell, value: unknown) => string | undefined

/** The cells of one row. */
export interface RowCells {
  readonly row: number
  readonly name: string
  readonly cells: readonly [SheetCell, ...SheetCell[]]
}

/** The findings of a preview, without those that its warnings leave out. */
export interface Findings {
  readonly errors: readonly SheetCell[]
  readonly conflicts: readonly SheetCell[]
  readonly changes: readonly RowCells[]
  readonly newRows: readonly RowCells[]
  /** Cells that are left out until their warning is accepted. */
  readonly suspended: ReadonlySet<string>
}

const groupByRow = (cells: readonly SheetCell[]): RowCells[] =>
  [...Map.groupBy(cells, ({ row }) => row)].flatMap(([row, [first, ...others]]) =>
    first ? [{ row, name: first.name ?? `Row ${row}`, cells: [first, ...others] as const }] : [],
  )

/** Cells of warnings that look like an accident and were not accepted. */
export const findSuspended = ({ warnings }: Pick<SheetPreview, 'warnings'>, used: readonly number[]): ReadonlySet<string> =>
  new Set(warnings.flatMap(({ isSuspicious, cells }, nth) => (isSuspicious && !used.includes(nth) ? cells : [])))

export const sortFindings = (preview: Pick<SheetPreview, 'cells' | 'warnings'>, used: readonly number[]): Findings => {
  const suspended = findSuspended(preview, used)
  const cells = preview.cells.filter(({ cell }) => !suspended.has(cell))
  const of = (state: SheetCell['state']) => cells.filter((cell) => cell.state === state)
  return { errors: of('error'), conflicts: of('conflict'), changes: groupByRow(of('change')), newRows: groupByRow(of('new')), suspended }
}

/** False for an error at a row's identifier or of a whole row, which no value can fix. */
export const isFixable = ({ field }: SheetCell): boolean => field !== ID_FIELD

/** Errors that one value can fix: the same text in the same column with the same message. Others stay alone. */
export const groupErrors = (errors: readonly SheetCell[]): SheetCell[][] => [
  ...Map.groupBy(errors, (cell) => (isFixable(cell) ? JSON.stringify([cell.field, cell.after, cell.message]) : cell)).values(),
]

const isValue = (choice: CellChoice | undefined): choice is { readonly value: unknown } => typeof choice === 'object'

/** The value entered for a cell; undefined if there is none that can be saved. */
const findFixed = (cell: SheetCell, { cells }: Chosen, judge: JudgeCell): { readonly value: unknown } | undefined => {
  const choice = cells[cell.cell]
  return isValue(choice) && judge(cell, choice.value) === undefined ? choice : undefined
}

/** Whether a cell has a typed value that cannot be saved. */
export const isWrong = (cell: SheetCell, { cells }: Chosen, judge: JudgeCell): boolean => {
  const choice = cells[cell.cell]
  return isValue(choice) && judge(cell, choice.value) !== undefined
}

export interface Summary {
  /** Cells of existing records that will change. */
  readonly cells: number
  /** Rows that become records. */
  readonly newRows: number
  /** The sum of both. */
  readonly total: number
  readonly keptTheirs: number
  /** Errors that are left out. */
  readonly errors: readonly SheetCell[]
  /** Rows that cannot become records while one of their cells is left out. */
  readonly heldRows: ReadonlySet<number>
  /** Cells with typed values that cannot be saved. */
  readonly wrong: readonly SheetCell[]
}

/** Whether a new row is left out while an error of it is. */
export type IsHolding = (cell: SheetCell) => boolean
const isAlwaysHolding: IsHolding = () => true

/** New rows that are left out, or that have an error that is left out. */
const findHeldRows = ({ errors }: Findings, chosen: Chosen, judge: JudgeCell, isHolding: IsHolding): Set<number> =>
  new Set([
    ...chosen.leftRows,
    ...errors.flatMap((cell) => (cell.record === null && isHolding(cell) && !findFixed(cell, chosen, judge) ? [cell.row] : [])),
  ])

/** What saving would do. */
export const summarize = (findings: Findings, chosen: Chosen, judge: JudgeCell, isHolding: IsHolding = isAlwaysHolding): Summary => {
  const { errors, conflicts, changes, newRows } = findings
  const heldRows = findHeldRows(findings, chosen, judge, isHolding)
  const fixed = new Set(errors.filter((cell) => findFixed(cell, chosen, judge)))
  const resolved = conflicts.filter((cell) => chosen.cells[cell.cell] === 'mine' || findFixed(cell, chosen, judge))
  const changed = changes.flatMap(({ cells }) => cells).filter(({ cell }) => chosen.cells[cell] !== 'leave')
  const rows = new Set([...newRows.map(({ row }) => row), ...[...fixed].flatMap(({ record, row }) => (record === null ? [row] : []))])
  const created = [...rows].filter((row) => !heldRows.has(row)).length
  const cells = [...fixed].filter(({ record }) => record !== null).length + resolved.length + changed.length
  return {
    cells,
    newRows: created,
    total: cells + created,
    keptTheirs: conflicts.length - resolved.length,
    errors: errors.filter((cell) => !fixed.has(cell)),
    heldRows,
    wrong: [...errors, ...conflicts].filter((cell) => isWrong(cell, chosen, judge)),
  }
}

/** The choices to send: every one other than to use the file's value, and one for each conflict. */
export const buildChoices = (
  preview: Pick<SheetPreview, 'cells' | 'warnings'>,
  chosen: Chosen,
  judge: JudgeCell,
  isHolding: IsHolding = isAlwaysHolding,
): Required<Pick<SheetChoices, 'choices' | 'leaveWarnings' | 'warningsAccepted'>> => {
  const findings = sortFindings(preview, chosen.used)
  const heldRows = findHeldRows(findings, chosen, judge, isHolding)
  const choose = (cell: SheetCell): CellChoice | undefined => {
    if (cell.record === null && heldRows.has(cell.row)) return 'leave'
    const fixed = findFixed(cell, chosen, judge)
    if (fixed) return fixed
    if (cell.state === 'error') return 'leave'
    if (cell.state === 'conflict') return chosen.cells[cell.cell] === 'mine' ? 'mine' : 'theirs'
    return chosen.cells[cell.cell] === 'leave' ? 'leave' : undefined
  }
  const sent = preview.cells.filter(({ cell }) => !findings.suspended.has(cell))
  return {
    choices: Object.fromEntries(
      sent.flatMap((cell): [string, CellChoice][] => {
        const choice = choose(cell)
        return choice === undefined ? [] : [[cell.cell, choice]]
      }),
    ),
    leaveWarnings: preview.warnings.flatMap(({ isSuspicious }, nth) => (isSuspicious && !chosen.used.includes(nth) ? [nth] : [])),
    warningsAccepted: chosen.used.length > 0,
  }
}

/** '14 cells will change, 1 site is new' */
export const formatSummary = ({ cells, newRows, total }: Summary, noun: Noun): string => {
  if (total === 0) return 'Nothing will be saved'
  const parts = [
    ...(cells > 0 ? [`${formatCount(cells, 'cell')} will change`] : []),
    ...(newRows > 0 ? [`${formatCount(newRows, noun)} ${newRows === 1 ? 'is' : 'are'} new`] : []),
  ]
  return parts.join(', ')
}
