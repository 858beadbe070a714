import type { Header } from './fields.ts'
import type { Difference, Value } from './plan.ts'
import type { School } from './school.ts'

/** What became, or would become, of one row that was taken. */
interface TakenRow {
  readonly line: number
  readonly school: School
  readonly added: { readonly charter: boolean; readonly site: boolean }
  readonly changed: readonly Difference[]
  readonly kept: readonly Difference[]
  /** Names of regions and brands by id. */
  readonly names: ReadonlyMap<string, string>
}

/** A row in words: where it is, and what about it. */
export interface Told {
  readonly line: number
  readonly id: string
  readonly name: string
  readonly what: readonly string[]
}

export interface Outcome {
  readonly header: Header
  /** Rows of the file that are not blank. */
  readonly rows: number
  /** Rows that were neither refused nor left out. */
  readonly rowsTaken: number
  readonly rowsToWrite: number
  readonly added: { readonly rows: number; readonly charters: number; readonly sites: number }
  readonly changed: { readonly rows: number; readonly byField: ReadonlyMap<string, number>; readonly first: readonly Told[] }
  /** Values the file has otherwise, left alone because somebody edited them since the last import. */
  readonly kept: { readonly values: number; readonly first: readonly Told[] }
  readonly left: number
  /** Rows the file itself says are no charters. */
  readonly leftOut: number
  readonly refusals: { readonly rows: number; readonly first: readonly Told[] }
  /** The brand that is made for them, where there is none of that name. */
  readonly newBrand: string | undefined
}

const TELL = 10

const show = (value: Value, names: ReadonlyMap<string, string>): string =>
  value === null ? '(none)' : (names.get(String(value)) ?? String(value))

/** Counts an import as it goes, and keeps the first few of each kind in words. */
export class OutcomeSoFar implements Outcome {
  readonly header: Header
  rows = 0
  rowsTaken = 0
  rowsToWrite = 0
  added = { rows: 0, charters: 0, sites: 0 }
  changed = { rows: 0, byField: new Map<string, number>(), first: [] as Told[] }
  kept = { values: 0, first: [] as Told[] }
  left = 0
  leftOut = 0
  refusals = { rows: 0, first: [] as Told[] }
  newBrand: string | undefined

  constructor(header: Header) {
    this.header = header
  }

  refused(line: number, id: string, reasons: readonly string[]): void {
    this.refusals.rows++
    if (this.refusals.first.length < TELL) this.refusals.first.push({ line, id, name: '', what: reasons })
  }

  took({ line, school, added, changed, kept, names }: TakenRow): void {
    const told = (differences: readonly Difference[], say: (difference: Difference) => string): Told => ({
      line,
      id: school.directory_id,
      name: school.name,
      what: differences.map(say),
    })
    this.rowsTaken++
    this.added.charters += Number(added.charter)
    this.added.sites += Number(added.site)
    if (added.charter || added.site) this.added.rows++
    else if (changed.length > 0) this.changed.rows++
    else this.left++
    if (added.charter || added.site || changed.length > 0) this.rowsToWrite++

    for (const { table, column } of changed) {
      const field = `${table} ${column}`
      this.changed.byField.set(field, (this.changed.byField.get(field) ?? 0) + 1)
    }
    if (changed.length > 0 && this.changed.first.length < TELL) {
      this.changed.first.push(
        told(changed, ({ table, column, from, to }) => `${table} ${column}: ${show(from, names)} -> ${show(to, names)}`),
      )
    }
    this.kept.values += kept.length
    if (kept.length > 0 && this.kept.first.length < TELL) {
      this.kept.first.push(
        told(kept, ({ table, column, from, to }) => `${table} ${column} stays ${show(from, names)}; the file has ${show(to, names)}`),
      )
    }
  }
}
