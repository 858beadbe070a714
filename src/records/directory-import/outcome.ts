import type { Difference, Value } from './plan.ts'
import type { Header } from './school-fields.ts'
import type { School } from './school.ts'

/** The result for one valid row, actual or planned. */
interface ProcessedRow {
  readonly line: number
  readonly school: School
  readonly added: { readonly charter: boolean; readonly site: boolean }
  readonly changed: readonly Difference[]
  readonly kept: readonly Difference[]
  /** Names of regions and brands by id. */
  readonly names: ReadonlyMap<string, string>
}

/** A row as text: its position, and what to report. */
export interface RowMessage {
  readonly line: number
  readonly id: string
  readonly name: string
  readonly details: readonly string[]
}

export interface Outcome {
  readonly header: Header
  /** Rows of the file that are not blank. */
  readonly rows: number
  /** Rows that were neither refused nor skipped. */
  readonly validRows: number
  readonly rowsToWrite: number
  readonly added: { readonly rows: number; readonly charters: number; readonly sites: number }
  readonly changed: { readonly rows: number; readonly byField: ReadonlyMap<string, number>; readonly first: readonly RowMessage[] }
  /** Values that differ in the file but are kept, because someone edited them since the last import. */
  readonly kept: { readonly values: number; readonly first: readonly RowMessage[] }
  readonly unchanged: number
  /** Rows that are not charters according to the file. */
  readonly skipped: number
  readonly refusals: { readonly rows: number; readonly first: readonly RowMessage[] }
  /** The brand to be created, if none has this name. */
  readonly newBrand: string | undefined
}

const MAX_EXAMPLES = 10

const formatValue = (value: Value, names: ReadonlyMap<string, string>): string =>
  value === null ? '(none)' : (names.get(String(value)) ?? String(value))

/** Counts the outcome of an import, with the first few examples of each kind as text. */
export class OutcomeCounter implements Outcome {
  readonly header: Header
  rows = 0
  validRows = 0
  rowsToWrite = 0
  added = { rows: 0, charters: 0, sites: 0 }
  changed = { rows: 0, byField: new Map<string, number>(), first: [] as RowMessage[] }
  kept = { values: 0, first: [] as RowMessage[] }
  unchanged = 0
  skipped = 0
  refusals = { rows: 0, first: [] as RowMessage[] }
  newBrand: string | undefined

  constructor(header: Header) {
    this.header = header
  }

  addRefusal(line: number, id: string, reasons: readonly string[]): void {
    this.refusals.rows++
    if (this.refusals.first.length < MAX_EXAMPLES) this.refusals.first.push({ line, id, name: '', details: reasons })
  }

  addRow({ line, school, added, changed, kept, names }: ProcessedRow): void {
    const describeDifferences = (differences: readonly Difference[], describe: (difference: Difference) => string): RowMessage => ({
      line,
      id: school.directory_id,
      name: school.name,
      details: differences.map(describe),
    })
    this.validRows++
    this.added.charters += Number(added.charter)
    this.added.sites += Number(added.site)
    if (added.charter || added.site) this.added.rows++
    else if (changed.length > 0) this.changed.rows++
    else this.unchanged++
    if (added.charter || added.site || changed.length > 0) this.rowsToWrite++

    for (const { table, column } of changed) {
      const field = `${table} ${column}`
      this.changed.byField.set(field, (this.changed.byField.get(field) ?? 0) + 1)
    }
    if (changed.length > 0 && this.changed.first.length < MAX_EXAMPLES) {
      this.changed.first.push(
        describeDifferences(
          changed,
          ({ table, column, from, to }) => `${table} ${column}: ${formatValue(from, names)} -> ${formatValue(to, names)}`,
        ),
      )
    }
    this.kept.values += kept.length
    if (kept.length > 0 && this.kept.first.length < MAX_EXAMPLES) {
      this.kept.first.push(
        describeDifferences(
          kept,
          ({ table, column, from, to }) => `${table} ${column} stays ${formatValue(from, names)}; the file has ${formatValue(to, names)}`,
        ),
      )
    }
  }
}
