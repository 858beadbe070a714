import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import { useAddress } from '../../../../platform/web/address.ts'
import { reading } from '../../../../platform/web/queries.ts'
import { listSiteLocations } from '../contract.ts'
import type { SiteLocation } from '../contract.ts'
import { type Area, createAreaFilter, filterLocatedSites, type Point, parseArea, formatArea } from '../rules.ts'

/** A place on the map. */
export interface LocatedSite extends Point {
  readonly from: NonNullable<SiteLocation['from']>
}

const none: readonly SiteLocation[] = []

export const useSiteLocations = () => useQuery(reading(listSiteLocations))

/** The part of the map that a list keeps to: one more filter of the list, in the address as `?area=`. */
export const useMapArea = () => {
  const [{ area: inAddress }, change] = useAddress()
  const places = useSiteLocations()
  const area = useMemo(() => parseArea(inAddress), [inAddress])
  const located = useMemo(() => filterLocatedSites(places.data ?? none) as ReadonlyMap<string, LocatedSite>, [places.data])
  const shows = useMemo(() => createAreaFilter(area, located), [area, located])
  const setArea = useCallback((next: Area | undefined) => change({ area: next && formatArea(next) }), [change])
  return useMemo(
    () => ({
      area,
      setArea,
      /** Whether the area lets a site through. */
      shows,
      /** What has to be there before a list with an area in its address can be shown; undefined for a list without one. */
      pendingQuery: area && places.data === undefined ? places : undefined,
      places,
      located,
    }),
    [area, setArea, shows, places, located],
  )
}
export type MapArea = ReturnType<typeof useMapArea>

/** What the count of a list adds about sites the map cannot show: nothing while it shows all of them. */
export const useUnlocatedText = ({ places, located }: MapArea, sites: readonly { readonly _id: string }[]): string => {
  const isKnown = places.data !== undefined
  return useMemo(() => {
    const count = isKnown ? sites.filter(({ _id }) => !located.has(_id)).length : 0
    if (count === 0) return ''
    return `, ${count.toLocaleString('en-US')} of them ${count === 1 ? 'has' : 'have'} no location on the map`
  }, [isKnown, located, sites])
}
