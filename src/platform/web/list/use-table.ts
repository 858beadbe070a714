import { useMemo, useState } from 'react'

import { parseSort, sortByColumn } from '../../../contract/lists.ts'
import { configuration } from '../configuration.ts'
import { useSearchParams } from '../search-params.ts'
import type { Column } from './columns.ts'

const LIST_VIEWS = ['cards', 'table'] as const
export type ListView = (typeof LIST_VIEWS)[number]

/** A user's display settings for a list, on this device. */
interface ListPreferences {
  readonly show?: ListView
  readonly columns?: readonly string[]
}

const getStorageKey = (name: string): string => `list.${name}`

const readPreferences = (name: string): ListPreferences => {
  try {
    const preferences: unknown = JSON.parse(localStorage.getItem(getStorageKey(name)) ?? '{}')
    if (typeof preferences !== 'object' || preferences === null) return {}
    const { show, columns } = preferences as Record<string, unknown>
    const view = LIST_VIEWS.find((one) => one === show)
    return {
      ...(view ? { show: view } : {}),
      ...(Array.isArray(columns) ? { columns: columns.filter((key) => typeof key === 'string') } : {}),
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
  /** Undefined restores the default columns. */
  readonly setColumns: (keys: readonly string[] | undefined) => void
  readonly hasDefaultColumns: boolean
}

interface List<T> {
  /** The storage key. */
  readonly name: string
  readonly columns: readonly Column<T>[]
  /** The view until someone selects another. */
  readonly defaultView: ListView
}

/**
 * A list as cards or as a table. The sort order is in the URL; so is the view if it is not the default one. View and columns are remembered for the
 * list on this device; the URL takes precedence. `columns` must be stable between renders; so are the returned values.
 */
export const useTable = <T>({ name, columns, defaultView }: List<T>, records: readonly T[]): Table<T> => {
  const [{ sort: requestedSort, show }, change] = useSearchParams()
  const [preferences, setPreferences] = useState(() => readPreferences(name))
  const sort = useMemo(() => parseSort(requestedSort, columns), [requestedSort, columns])
  const { column, isDescending = false } = sort ?? {}
  const sortedRecords = useMemo(
    () => (column ? sortByColumn(records, column, isDescending, configuration.timeZone) : records),
    [records, column, isDescending],
  )
  const visibleColumns = useMemo(
    () => columns.filter(({ key, isDefault }, at) => at === 0 || (preferences.columns ? preferences.columns.includes(key) : isDefault)),
    [columns, preferences.columns],
  )
  return useMemo(() => {
    const save = (next: ListPreferences) => {
      setPreferences(next)
      savePreferences(name, next)
    }
    const view = LIST_VIEWS.find((one) => one === show) ?? preferences.show ?? defaultView
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
        const { columns: _before, ...others } = preferences
        save(keys ? { ...others, columns: keys } : others)
      },
      hasDefaultColumns: preferences.columns === undefined,
    }
  }, [name, columns, defaultView, requestedSort, show, change, preferences, sort, sortedRecords, visibleColumns])
}
