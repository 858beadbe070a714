import type { ImportedCell, ImportedRow } from '../../../../platform/server/importer.ts'
import type { SheetChoices, SheetWarning } from '../contract.ts'
import { isIdentifier, toAddress } from '../found-rows.server.ts'

/** The texts that replace those of cells. */
export const readCorrections = ({ choices }: SheetChoices): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(choices).flatMap(([address, choice]) =>
      typeof choice === 'object'
        ? [[address, typeof choice.value === 'string' || typeof choice.value === 'number' ? String(choice.value) : ''] as const]
        : [],
    ),
  )

/** Divides the cells of a row into those that are saved and those that are left out. */
export const createChoose = (warnings: readonly SheetWarning[], { choices, rows, leaveWarnings = [], warningsAccepted }: SheetChoices) => {
  const unused = new Set(
    warnings.flatMap(({ isSuspicious, cells }, nth) => (isSuspicious && (!warningsAccepted || leaveWarnings.includes(nth)) ? cells : [])),
  )
  const chosenRows = rows && new Set(rows)
  return (row: ImportedRow): { readonly saved: readonly ImportedCell[]; readonly left: readonly ImportedCell[] } => {
    const isLeft = (cell: ImportedCell): boolean => {
      const choice = choices[toAddress(row, cell)]
      if (cell.state === 'error' || isIdentifier(cell) || choice === 'leave' || choice === 'theirs') return true
      if (choice === undefined) return cell.state === 'conflict' || unused.has(toAddress(row, cell))
      return false
    }
    const left = row.cells.filter(isLeft)
    const isRowLeft =
      chosenRows?.has(row.line) === false || left.some(({ isRequired, state }) => isRequired && (row.record === null || state === 'error'))
    if (isRowLeft) return { saved: [], left: row.cells }
    const saved = row.cells.flatMap((cell): ImportedCell[] => {
      if (!left.includes(cell)) return [cell]
      // Of a cell that fills two fields, the one that no one edited is saved.
      const writes = cell.state === 'conflict' ? cell.writes.filter(({ isEdited }) => !isEdited) : []
      return writes.length === 0 ? [] : [{ ...cell, writes }]
    })
    return { saved, left }
  }
}
