import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { SiteSummary } from '../../../../platform/contract/references.ts'
import { useAddress } from '../../../../platform/web/address.ts'
import type { Phrase } from '../../../../platform/web/list/plainWords.ts'
import { queryClient, reading } from '../../../../platform/web/queries.ts'
import { listSiteSummaries, readSite } from '../contract.ts'
import type { Site } from '../contract.ts'
import { listFacilityTypes, FACILITY_TYPE_PHRASES } from '../rules.ts'

export const siteSummariesQueryOptions = reading(listSiteSummaries)
export const siteQueryOptions = (slug: string) => reading(readSite, { params: { slug } })

/** All sites as lists and cards show them. */
export const useSiteSummaries = () => useQuery(siteSummariesQueryOptions)
/** One site with everything its pages show, by slug or `_id`. */
export const useSite = (slug: string) => useQuery(siteQueryOptions(slug))

/** The facility type filter of a list of sites (`?type=Online`). */
export interface FacilityTypeFilter {
  /** Undefined without a filter. */
  type: string | undefined
  types: readonly string[]
  /** The phrases that a search field turns into this filter. */
  phrases: readonly Phrase[]
}

export const useFacilityTypeFilter = (sites: readonly SiteSummary[]): FacilityTypeFilter => {
  const [{ type }] = useAddress()
  const types = useMemo(() => listFacilityTypes(sites), [sites])
  const phrases = useMemo(
    () => types.map((value) => ({ filter: 'type', value, said: [value, ...(FACILITY_TYPE_PHRASES[value] ?? [])] })),
    [types],
  )
  return { type: type || undefined, types, phrases }
}

/** Puts the response of a save into the query cache. */
export const cacheSite = (site: Site): void => {
  for (const name of [site.slug, site._id]) queryClient.setQueryData(siteQueryOptions(name).queryKey, site)
}
