import { useMemo, useState } from 'react'

import type { RecordKind } from '../../../../platform/contract/records.ts'
import { useFavourites, useRecent } from '../../../record-tools/favorites/web/queries.ts'
import { useFound } from './queries.ts'
import { groupsBefore, groupsFound } from './shownGroups.ts'
import type { ShownGroup } from './shownGroups.ts'

const none: readonly string[] = []

/** A group with the place of its first hit among all hits. */
interface PlacedGroup extends ShownGroup {
  readonly from: number
}

const placed = (groups: readonly ShownGroup[]): { groups: PlacedGroup[]; count: number } => {
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

/** What the palette shows for a text, and which hit is selected: the first, until another one among the same hits is chosen. */
export const usePaletteHits = (text: string, alone: RecordKind | undefined) => {
  const found = useFound(text, alone)
  const { data: recent } = useRecent()
  const { data: favourites } = useFavourites()
  const isEmpty = text.trim() === ''
  const { groups, count } = useMemo(
    () => placed(isEmpty ? groupsBefore(recent ?? [], favourites ?? []) : found.data ? groupsFound(found.data, alone) : []),
    [isEmpty, recent, favourites, found.data, alone],
  )
  const among = `${alone ?? ''} ${isEmpty ? '' : (found.data?.query ?? '')}`
  const [chosen, setChosen] = useState({ among, at: 0 })
  return {
    found,
    isEmpty,
    /** The hits are those of just this text. */
    isReady: isEmpty || found.isOf,
    groups,
    count,
    marks: isEmpty ? none : (found.data?.marks ?? none),
    at: chosen.among === among ? Math.min(chosen.at, Math.max(0, count - 1)) : 0,
    select: (at: number) => setChosen({ among, at }),
  }
}
