import { useQuery } from '@tanstack/react-query'

import { isOwnAddress } from '../../../contract/user.ts'
import { useUser } from '../../../platform/web/caller.ts'
import { queryClient, callQueryOptions } from '../../../platform/web/queries.ts'
import { listLeadershipRoles } from '../../people/contract.ts'
import { listSiteSummaries, readSite, type Site } from '../contract.ts'

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

/** Puts the response of a save into the query cache. */
export const cacheSite = (site: Site): void => {
  for (const name of [site.slug, site._id]) queryClient.setQueryData(siteQueryOptions(name).queryKey, site)
}
