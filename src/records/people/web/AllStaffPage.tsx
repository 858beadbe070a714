import { useListed } from '../../pages/web/public/use-listed.ts'
import { listPeople, type Role } from '../contract.ts'
import { listEmployed } from '../list.ts'
import { useRoles } from './queries.ts'
import { StaffList } from './StaffList.tsx'

const NO_ROLES: readonly Role[] = []

/** `/staff`: everyone in the directory, with and without a role. */
export const AllStaffPage = () => {
  const { data: roles = NO_ROLES } = useRoles()
  return <StaffList title="All Staff" name="staff" query={useListed(listPeople, undefined, listEmployed)} roles={roles} />
}
