import { useListed } from '../../pages/web/public/use-listed.ts'
import { listPeopleOfGroup, type Role, type RoleGroup } from '../contract.ts'
import { useRolesOfGroup } from './queries.ts'
import { StaffList } from './StaffList.tsx'

const NO_ROLES: readonly Role[] = []

/** The people with a role of a group. */
export const StaffOfGroup = ({ group, ...more }: { title: string; name: 'leadership' | 'support'; group: RoleGroup }) => {
  const { data: roles = NO_ROLES } = useRolesOfGroup(group)
  return <StaffList {...more} query={useListed(listPeopleOfGroup, { params: { group } })} roles={roles} />
}
