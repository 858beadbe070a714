import { StaffOfGroup } from './StaffOfGroup.tsx'

/** `/support`. */
export const StudentSupportPage = () => <StaffOfGroup title="Student Support" name="support" group="STUDENT_SUPPORT" />
