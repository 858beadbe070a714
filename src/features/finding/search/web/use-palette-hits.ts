import { useMemo, useState } from 'react'

import type { RecordKind } from '../../../../contract/records.ts'
import { useFavorites, useRecent } from '../../../record-tools/favorites/web/queries.ts'
import { toInitialGroups, toResultGroups } from './palette-groups.ts'
import type { PaletteGroupData } from './palette-groups.ts'
import { useSearch } from './queries.ts'

const none: readonly string[] = []

/** A group with the index of its first hit. */
interface IndexedGroup extends PaletteGroupData {
  readonly from: number
}

const indexGroups = (groups: readonly PaletteGroupData[]): { groups: IndexedGroup[]; count: number } => {
  let count = 0
  return {
    groups: groups.map((group) => {
      const from = count
      count += group.hits.length
      return { ...group, from }
    }),
    get count() {
      return count
    },
  }
}

/** The groups for a text and the selected hit: the first, until the user selects another. */
export const usePaletteHits = (text: string, onlyKind: RecordKind | undefined) => {
  const found = useSearch(text, onlyKind)
  const { data: recent } = useRecent()
  const { data: favorites } = useFavorites()
  const isEmpty = text.trim() === ''
  const { groups, count } = useMemo(
    () => indexGroups(isEmpty ? toInitialGroups(recent ?? [], favorites ?? []) : found.data ? toResultGroups(found.data, onlyKind) : []),
    [isEmpty, recent, favorites, found.data, onlyKind],
  )
  const among = `${onlyKind ?? ''} ${isEmpty ? '' : (found.data?.query ?? '')}`
  const [chosen, setChosen] = useState({ among, at: 0 })
  return {
    found,
    isEmpty,
    /** Whether the hits are those of this text. */
    isReady: isEmpty || found.isOf,
    groups,
    count,
    marks: isEmpty ? none : (found.data?.marks ?? none),
    at: chosen.among === among ? Math.min(chosen.at, Math.max(0, count - 1)) : 0,
    select: (at: number) => setChosen({ among, at }),
  }
}
