import { StaffOfGroup } from './StaffOfGroup.tsx'

/** `/leadership`. */
export const LeadershipPage = () => <StaffOfGroup title="Leadership" name="leadership" group="LEADERSHIP" />
