import { StaffList } from './StaffList.tsx'

/** `/leadership`. */
export const LeadershipPage = () => <StaffList title="Leadership" group="LEADERSHIP" />
