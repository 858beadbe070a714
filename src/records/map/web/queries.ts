import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { listSiteLocations } from '../contract.ts'
import type { SiteLocation } from '../contract.ts'
import { type Area, createAreaFilter, filterLocatedSites, type Point, parseArea, formatArea } from '../rules.ts'

/** A site with coordinates. */
export interface LocatedSite extends Point {
  readonly from: NonNullable<SiteLocation['from']>
}

const none: readonly SiteLocation[] = []

export const useSiteLocations = () => useQuery(callQueryOptions(listSiteLocations))

/** The map area as a filter of the list, in the URL as `?area=`. */
export const useMapArea = () => {
  const [{ area: inAddress }, change] = useSearchParams()
  const locations = useSiteLocations()
  const area = useMemo(() => parseArea(inAddress), [inAddress])
  const located = useMemo(() => filterLocatedSites(locations.data ?? none) as ReadonlyMap<string, LocatedSite>, [locations.data])
  const shows = useMemo(() => createAreaFilter(area, located), [area, located])
  const setArea = useCallback((next: Area | undefined) => change({ area: next && formatArea(next) }), [change])
  return useMemo(
    () => ({
      area,
      setArea,
      /** Whether a site is in the area. */
      shows,
      /** The query that a list with an area has to wait for; undefined for a list without an area. */
      pendingQuery: area && locations.data === undefined ? locations : undefined,
      locations,
      located,
    }),
    [area, setArea, shows, locations, located],
  )
}
export type MapAreaFilter = ReturnType<typeof useMapArea>

/** The suffix of a list's count about sites without a location; empty where there are none. */
export const useUnlocatedText = ({ locations, located }: MapAreaFilter, sites: readonly { readonly _id: string }[]): string => {
  const isKnown = locations.data !== undefined
  return useMemo(() => {
    const count = isKnown ? sites.filter(({ _id }) => !located.has(_id)).length : 0
    if (count === 0) return ''
    return `, ${count.toLocaleString('en-US')} of them ${count === 1 ? 'has' : 'have'} no location on the map`
  }, [isKnown, located, sites])
}
