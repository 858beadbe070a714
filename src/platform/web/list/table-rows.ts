/** A row of a table: a record by its index, or the heading of a group. */
export type TableRow = { readonly place: number } | { readonly value: string; readonly count: number }

/** The rows of a table with `count` records; with `getValue`, under a heading for each value, without those of collapsed groups. */
export const listTableRows = (
  count: number,
  getValue: ((place: number) => string) | undefined,
  isCollapsed: (value: string) => boolean,
): TableRow[] => {
  const rows: TableRow[] = []
  let group: { readonly value: string; count: number } | undefined
  for (let place = 0; place < count; place++) {
    const value = getValue?.(place)
    if (value !== undefined && value !== group?.value) {
      group = { value, count: 0 }
      rows.push(group)
    }
    if (group) group.count++
    if (value === undefined || !isCollapsed(value)) rows.push({ place })
  }
  return rows
}
