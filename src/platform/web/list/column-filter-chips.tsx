import { type ColumnFilter, formatColumnFilters } from '../../../contract/column-filters.ts'
import { type Column, formatColumnValue } from './columns.ts'
import { FilterToggle } from './Filters.tsx'
import type { ListFilter } from './list-filter.ts'
import type { Table } from './use-table.ts'

/** More values are counted. */
const MAX_NAMED_VALUES = 3

/** 'City: Lodi, CA or Fresno, CA', 'Principal contains “ann”' */
const describe = <T,>(columns: readonly Column<T>[], { key, operator, values }: ColumnFilter): string => {
  const { label = key, isNumber } = columns.find((column) => column.key === key) ?? {}
  if (operator !== 'is') return operator === 'contains' ? `${label} contains “${values.join(' ')}”` : `${label}: Not empty`
  const texts = values.map((value) => formatColumnValue({ isNumber }, value))
  return `${label}: ${texts.length > MAX_NAMED_VALUES ? `${texts.length} values` : texts.join(' or ')}`
}

/** The filters by columns as one of a list's filters, with a chip for each, and one for the group. */
export const toColumnsFilter = <T,>({ columns, columnFilters, setColumnFilter, group, setGroup }: Table<T>): ListFilter => {
  const chips = columnFilters.map((filter) => ({ key: filter.key, label: describe(columns, filter) }))
  return {
    value: formatColumnFilters(columnFilters),
    control: (
      <>
        {chips.map(({ key, label }) => (
          <FilterToggle key={key} label={label} on isRemoved onToggle={() => setColumnFilter(key, undefined)} />
        ))}
        {group ? <FilterToggle label={`Grouped by ${group.label}`} on isRemoved onToggle={() => setGroup(undefined)} /> : null}
      </>
    ),
    condition: chips.length > 0 ? `with ${chips.map(({ label }) => label).join(' and ')}` : undefined,
  }
}
