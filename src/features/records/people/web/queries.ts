import { useQuery } from '@tanstack/react-query'

import { keyOf, queryClient, reading } from '../../../../platform/web/queries.ts'
import { listLeadershipRoles, listPeopleOfGroup, listRoles, listStudentSupportRoles, readPerson } from '../contract.ts'
import type { PersonWithSites, RoleGroup } from '../contract.ts'

export const rolesQuery = reading(listRoles)
export const peopleOfGroupQuery = (group: RoleGroup) => reading(listPeopleOfGroup, { params: { group } })
export const personQuery = (slug: string) => reading(readPerson, { params: { slug } })
const leadershipRolesQuery = reading(listLeadershipRoles)
const studentSupportRolesQuery = reading(listStudentSupportRoles)

export const useRoles = () => useQuery(rolesQuery)
/** Staff with a role of the group (D44). */
export const usePeopleOfGroup = (group: RoleGroup) => useQuery(peopleOfGroupQuery(group))
/** The roles of one group. */
export const useRolesOfGroup = (group: RoleGroup) => useQuery(group === 'LEADERSHIP' ? leadershipRolesQuery : studentSupportRolesQuery)
/** One person with the cards of their sites, by slug or `_id`. */
export const usePerson = (slug: string) => useQuery(personQuery(slug))

/** Takes up what a save answered, and has everything else that may show it read anew. */
export const putPerson = (person: PersonWithSites): void => {
  for (const slug of [person._id, person.slug]) queryClient.setQueryData(keyOf(readPerson, { params: { slug } }), person)
  void queryClient.invalidateQueries()
}
