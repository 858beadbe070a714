import { useMemo, useState } from 'react'

import { parseSort, sortByColumn } from '../../contract/lists.ts'
import { useAddress } from '../address.ts'
import { configuration } from '../configuration.ts'
import type { Column } from './columns.ts'

const LOOKS = ['cards', 'table'] as const
export type Look = (typeof LOOKS)[number]

/** What somebody chose for a list, on this device. */
interface Kept {
  readonly show?: Look
  readonly columns?: readonly string[]
}

const placeOf = (name: string): string => `list.${name}`

const readKept = (name: string): Kept => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(name)) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    const { show, columns } = kept as Record<string, unknown>
    const look = LOOKS.find((one) => one === show)
    return {
      ...(look ? { show: look } : {}),
      ...(Array.isArray(columns) ? { columns: columns.filter((key) => typeof key === 'string') } : {}),
    }
  } catch {
    return {}
  }
}

const writeKept = (name: string, kept: Kept): void => {
  try {
    localStorage.setItem(placeOf(name), JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing forgets the choice with the page.
  }
}

export interface Table<T> {
  readonly look: Look
  readonly setLook: (look: Look) => void
  /** All records in the order asked for. */
  readonly ordered: readonly T[]
  /** `city`, `-city`, or undefined for the list's own order. */
  readonly sort: string | undefined
  readonly setSort: (sort: string | undefined) => void
  readonly columns: readonly Column<T>[]
  /** Those of the columns that are shown, in their order; the first is always among them. */
  readonly shownColumns: readonly Column<T>[]
  /** Undefined goes back to the usual ones. */
  readonly setColumns: (keys: readonly string[] | undefined) => void
  readonly hasUsualColumns: boolean
}

interface List<T> {
  /** What it is remembered under. */
  readonly name: string
  readonly columns: readonly Column<T>[]
  /** How it is shown until somebody chooses otherwise. */
  readonly usual: Look
}

/**
 * A list as cards or as a table. The order is in the address; so is the look once it is not the usual one. Look and columns are
 * remembered for the list on this device; the address goes first. Keep `columns` the same between renderings, and so is what is given.
 */
export const useTable = <T>({ name, columns, usual }: List<T>, records: readonly T[]): Table<T> => {
  const [{ sort: asked, show }, change] = useAddress()
  const [kept, setKept] = useState(() => readKept(name))
  const sort = useMemo(() => parseSort(asked, columns), [asked, columns])
  const { column, isDescending = false } = sort ?? {}
  const ordered = useMemo(
    () => (column ? sortByColumn(records, column, isDescending, configuration.timeZone) : records),
    [records, column, isDescending],
  )
  const shownColumns = useMemo(
    () => columns.filter(({ key, atFirst }, at) => at === 0 || (kept.columns ? kept.columns.includes(key) : atFirst)),
    [columns, kept.columns],
  )
  return useMemo(() => {
    const keep = (next: Kept) => {
      setKept(next)
      writeKept(name, next)
    }
    return {
      look: LOOKS.find((one) => one === show) ?? kept.show ?? usual,
      setLook: (look) => {
        keep({ ...kept, show: look })
        change({ show: look === usual ? undefined : look })
      },
      ordered,
      sort: sort && asked,
      setSort: (next) => change({ sort: next }),
      columns,
      shownColumns,
      setColumns: (keys) => {
        const { columns: _before, ...others } = kept
        keep(keys ? { ...others, columns: keys } : others)
      },
      hasUsualColumns: kept.columns === undefined,
    }
  }, [name, columns, usual, asked, show, change, kept, sort, ordered, shownColumns])
}
