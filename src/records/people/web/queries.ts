import { useQuery } from '@tanstack/react-query'

import { getQueryKey, queryClient, callQueryOptions } from '../../../platform/web/queries.ts'
import { listLeadershipRoles, listRoles, listStudentSupportRoles, readPerson } from '../contract.ts'
import type { PersonWithSites, RoleGroup } from '../contract.ts'

export const rolesQueryOptions = callQueryOptions(listRoles)
export const personQueryOptions = (slug: string) => callQueryOptions(readPerson, { params: { slug } })
const leadershipRolesQueryOptions = callQueryOptions(listLeadershipRoles)
const studentSupportRolesQueryOptions = callQueryOptions(listStudentSupportRoles)

export const useRoles = () => useQuery(rolesQueryOptions)
/** The roles of one group. */
export const useRolesOfGroup = (group: RoleGroup) =>
  useQuery(group === 'LEADERSHIP' ? leadershipRolesQueryOptions : studentSupportRolesQueryOptions)
/** One person with the summaries of their sites, by slug or `_id`. */
export const usePerson = (slug: string) => useQuery(personQueryOptions(slug))

/** Puts the response of a save into the query cache and invalidates everything else. */
export const cachePerson = (person: PersonWithSites): void => {
  for (const slug of [person._id, person.slug]) queryClient.setQueryData(getQueryKey(readPerson, { params: { slug } }), person)
  void queryClient.invalidateQueries()
}
