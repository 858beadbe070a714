import { formatMomentDay } from '../../../contract/dates.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import type { Charter } from '../contract.ts'

import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './StudentCount.module.css'

interface StudentCountProps {
  charter: Pick<Charter, 'studentCount' | 'studentCountUpdatedAt'>
  /** Shown as the main number of a page. */
  isProminent?: boolean
}

/** The student count of a charter, with its date. */
export const StudentCount = ({ charter: { studentCount, studentCountUpdatedAt }, isProminent = false }: StudentCountProps) => (
  <span>
    {studentCount === null ? (
      <span className={textClasses.note}>No count on file</span>
    ) : (
      <span className={isProminent ? classes.prominent : undefined}>{studentCount.toLocaleString('en-US')}</span>
    )}
    {studentCountUpdatedAt ? (
      <span className={textClasses.note}> as of {formatMomentDay(studentCountUpdatedAt, configuration.timeZone)}</span>
    ) : null}
  </span>
)
