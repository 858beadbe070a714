import { useMemo, useState } from 'react'

import {
  buildColumnFilter,
  type ColumnFilter,
  formatColumnFilters,
  parseColumnFilters,
  parseGroup,
} from '../../../contract/column-filters.ts'
import { parseSort, sortByColumn } from '../../../contract/lists.ts'
import { isObject } from '../../../contract/objects.ts'
import { configuration } from '../configuration.ts'
import { useSearchParams } from '../search-params.ts'
import type { Column } from './columns.ts'

const LIST_VIEWS = ['cards', 'table'] as const
export type ListView = (typeof LIST_VIEWS)[number]

/** Widths of columns in rem, by key. */
export type ColumnWidths = Readonly<Record<string, number>>

/** A user's display settings for a list, on this device. */
interface ListPreferences {
  readonly show?: ListView
  readonly columns?: readonly string[]
  readonly widths?: ColumnWidths
}

const getStorageKey = (name: string): string => `list.${name}`

const readPreferences = (name: string): ListPreferences => {
  try {
    const preferences: unknown = JSON.parse(localStorage.getItem(getStorageKey(name)) ?? '{}')
    if (!isObject(preferences)) return {}
    const { show, columns, widths } = preferences
    const view = LIST_VIEWS.find((one) => one === show)
    return {
      ...(view ? { show: view } : {}),
      ...(Array.isArray(columns) ? { columns: columns.filter((key) => typeof key === 'string') } : {}),
      ...(isObject(widths)
        ? { widths: Object.fromEntries(Object.entries(widths).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))) }
        : {}),
    }
  } catch {
    return {}
  }
}

const savePreferences = (name: string, preferences: ListPreferences): void => {
  try {
    localStorage.setItem(getStorageKey(name), JSON.stringify(preferences))
  } catch {
    // Storage is disabled: the choice lasts only as long as the page.
  }
}

export interface Table<T> {
  readonly view: ListView
  readonly setView: (view: ListView) => void
  /** All records, sorted. */
  readonly sortedRecords: readonly T[]
  /** `city`, `-city`, or undefined for the list's default order. */
  readonly sort: string | undefined
  readonly setSort: (sort: string | undefined) => void
  readonly columns: readonly Column<T>[]
  /** The visible columns, in order; always includes the first. */
  readonly visibleColumns: readonly Column<T>[]
  /** The keys of the visible columns; undefined for cards. */
  readonly shownColumns: readonly string[] | undefined
  /** Undefined restores the default columns and widths. */
  readonly setColumns: (keys: readonly string[] | undefined) => void
  readonly hasDefaultColumns: boolean
  /** The widths of the columns that were changed. */
  readonly widths: ColumnWidths
  readonly setWidths: (widths: ColumnWidths) => void
  readonly columnFilters: readonly ColumnFilter[]
  /** Whether a record passes the filters by columns. */
  readonly matchesColumns: (record: T) => boolean
  /** Replaces the filter of a column; undefined removes it. */
  readonly setColumnFilter: (key: string, filter: Omit<ColumnFilter, 'key'> | undefined) => void
  /** The column that the table is grouped by. */
  readonly group: Column<T> | undefined
  readonly setGroup: (key: string | undefined) => void
}

interface List<T> {
  /** The storage key. */
  readonly name: string
  readonly columns: readonly Column<T>[]
  /** The view until someone selects another. */
  readonly defaultView: ListView
}

/**
 * A list as cards or as a table. Sort order, group and filters by column are in the URL; so is the view if it is not the default one. View, columns
 * and widths are remembered for the list on this device; the URL takes precedence. `columns` must be stable between renders; so are the returned values.
 */
export const useTable = <T>({ name, columns, defaultView }: List<T>, records: readonly T[]): Table<T> => {
  const [{ sort: requestedSort, group: requestedGroup, where, show }, change] = useSearchParams()
  const [preferences, setPreferences] = useState(() => readPreferences(name))
  const sort = useMemo(() => parseSort(requestedSort, columns), [requestedSort, columns])
  const { column, isDescending = false } = sort ?? {}
  const view = LIST_VIEWS.find((one) => one === show) ?? preferences.show ?? defaultView
  const group = useMemo(
    () => (view === 'table' ? parseGroup(requestedGroup, requestedSort, columns) : undefined),
    [view, requestedGroup, requestedSort, columns],
  )
  const sortedRecords = useMemo(() => {
    const sorted = column ? sortByColumn(records, column, isDescending, configuration.timeZone) : records
    return group ? sortByColumn(sorted, group.column, group.isDescending, configuration.timeZone) : sorted
  }, [records, column, isDescending, group])
  const visibleColumns = useMemo(
    () => columns.filter(({ key, isDefault }, at) => at === 0 || (preferences.columns ? preferences.columns.includes(key) : isDefault)),
    [columns, preferences.columns],
  )
  return useMemo(() => {
    const columnFilters = parseColumnFilters(where, columns)
    const save = (next: ListPreferences) => {
      setPreferences(next)
      savePreferences(name, next)
    }
    return {
      view,
      setView: (next) => {
        save({ ...preferences, show: next })
        change({ show: next === defaultView ? undefined : next })
      },
      sortedRecords,
      sort: sort && requestedSort,
      setSort: (next) => change({ sort: next }),
      columns,
      visibleColumns,
      shownColumns: view === 'table' ? visibleColumns.map(({ key }) => key) : undefined,
      setColumns: (keys) => {
        const { columns: _columns, widths: _widths, ...others } = preferences
        save(keys ? { ...preferences, columns: keys } : others)
      },
      hasDefaultColumns: preferences.columns === undefined && preferences.widths === undefined,
      widths: preferences.widths ?? {},
      setWidths: (widths) => save({ ...preferences, widths }),
      columnFilters,
      matchesColumns: buildColumnFilter(columnFilters, columns, configuration.timeZone),
      setColumnFilter: (key, filter) => {
        const others = columnFilters.filter((one) => one.key !== key)
        change({ where: formatColumnFilters(filter ? [...others, { key, ...filter }] : others) })
      },
      group: group?.column,
      setGroup: (key) => change({ group: key }),
    }
  }, [name, columns, defaultView, requestedSort, view, change, preferences, sort, sortedRecords, visibleColumns, where, group])
}
