import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { SiteSummary } from '../../../contract/references.ts'
import { isOwnAddress } from '../../../features/access/session/rules.ts'
import { useUser } from '../../../features/access/session/web/queries.ts'
import type { Phrase } from '../../../platform/web/list/plain-words.ts'
import { queryClient, callQueryOptions } from '../../../platform/web/queries.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { listLeadershipRoles } from '../../people/contract.ts'
import { listSiteSummaries, readSite } from '../contract.ts'
import type { Site } from '../contract.ts'
import { listFacilityTypes, FACILITY_TYPE_PHRASES } from '../rules.ts'

export const siteSummariesQueryOptions = callQueryOptions(listSiteSummaries)
export const siteQueryOptions = (slug: string) => callQueryOptions(readSite, { params: { slug } })

/** All sites as shown in lists and cards. */
export const useSiteSummaries = () => useQuery(siteSummariesQueryOptions)
/** One site with everything its pages show, by slug or `_id`. */
export const useSite = (slug: string) => useQuery(siteQueryOptions(slug))

/** Whether the user has a leadership role at a site. */
export const useIsLeading = ({ people }: Pick<Site, 'people'>): boolean => {
  const user = useUser()
  const held = people.filter(({ person }) => user !== null && isOwnAddress(user, person.email))
  const { data: roles } = useQuery({ ...callQueryOptions(listLeadershipRoles), enabled: held.length > 0 })
  return held.some(({ role_match }) => roles?.some(({ _id }) => _id === role_match._id))
}

/** The facility type filter of a list of sites (`?type=Online`). */
export interface FacilityTypeFilterState {
  /** Undefined without a filter. */
  type: string | undefined
  types: readonly string[]
  /** The phrases that a search field turns into this filter. */
  phrases: readonly Phrase[]
}

export const useFacilityTypeFilter = (sites: readonly SiteSummary[]): FacilityTypeFilterState => {
  const [{ type }] = useSearchParams()
  const types = useMemo(() => listFacilityTypes(sites), [sites])
  const phrases = useMemo(
    () => types.map((value) => ({ filter: 'type', value, synonyms: [value, ...(FACILITY_TYPE_PHRASES[value] ?? [])] })),
    [types],
  )
  return { type: type || undefined, types, phrases }
}

/** Puts the response of a save into the query cache. */
export const cacheSite = (site: Site): void => {
  for (const name of [site.slug, site._id]) queryClient.setQueryData(siteQueryOptions(name).queryKey, site)
}
