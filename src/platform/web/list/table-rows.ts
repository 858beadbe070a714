import { compareTexts } from '../../../contract/lists.ts'

/** A row of a table: a record by its index, or the heading of a group. */
export type TableRow = { readonly place: number } | { readonly value: string; readonly count: number }

/** The rows of a table by the values of its records in the column that it is grouped by, without the records of collapsed groups. */
export const listTableRows = (values: readonly string[], collapsed: ReadonlySet<string>): TableRow[] => {
  const rows: TableRow[] = []
  let group: { readonly value: string; count: number } | undefined
  for (const [place, value] of values.entries()) {
    // Values that are sorted alike, such as Elan and Élan, are one group.
    if (group === undefined || compareTexts(value, group.value) !== 0) {
      group = { value, count: 0 }
      rows.push(group)
    }
    group.count++
    if (!collapsed.has(group.value)) rows.push({ place })
  }
  return rows
}
