import { useMemo, useState } from 'react'

import { parseSort, sortByColumn } from '../../../contract/lists.ts'
import { configuration } from '../configuration.ts'
import { useSearchParams } from '../search-params.ts'
import type { Column } from './columns.ts'

const LIST_VIEWS = ['cards', 'table'] as const
export type ListView = (typeof LIST_VIEWS)[number]

/** What someone chose for a list, on this device. */
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
    // A browser that keeps nothing forgets the choice with the page.
  }
}

export interface Table<T> {
  readonly view: ListView
  readonly setView: (view: ListView) => void
  /** All records in the order asked for. */
  readonly sortedRecords: readonly T[]
  /** `city`, `-city`, or undefined for the list's own order. */
  readonly sort: string | undefined
  readonly setSort: (sort: string | undefined) => void
  readonly columns: readonly Column<T>[]
  /** Those of the columns that are shown, in their order; the first is always among them. */
  readonly visibleColumns: readonly Column<T>[]
  /** The keys of the columns on the page; undefined for cards. */
  readonly shownColumns: readonly string[] | undefined
  /** Undefined goes back to the default ones. */
  readonly setColumns: (keys: readonly string[] | undefined) => void
  readonly hasDefaultColumns: boolean
}

interface List<T> {
  /** What it is remembered under. */
  readonly name: string
  readonly columns: readonly Column<T>[]
  /** How it is shown until someone chooses otherwise. */
  readonly defaultView: ListView
}

/**
 * A list as cards or as a table. The order is in the address; so is the view once it is not the default one. View and columns are
 * remembered for the list on this device; the address goes first. Keep `columns` the same between renderings, and so is what is given.
 */
export const useTable = <T>({ name, columns, defaultView }: List<T>, records: readonly T[]): Table<T> => {
  const [{ sort: asked, show }, change] = useSearchParams()
  const [preferences, setPreferences] = useState(() => readPreferences(name))
  const sort = useMemo(() => parseSort(asked, columns), [asked, columns])
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
      sort: sort && asked,
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
  }, [name, columns, defaultView, asked, show, change, preferences, sort, sortedRecords, visibleColumns])
}
