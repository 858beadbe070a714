import { StaffList } from './StaffList.tsx'

/** `/support`. */
export const StudentSupportPage = () => <StaffList title="Student Support" group="STUDENT_SUPPORT" />
