import { formatMomentDay } from '../../../../platform/contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { Charter } from '../contract.ts'

import classes from './StudentCount.module.css'

interface StudentCountProps {
  charter: Pick<Charter, 'studentCount' | 'studentCountUpdatedAt'>
  /** The one big number of a page. */
  isProminent?: boolean
}

/** How many students a charter has, and since when that is known. */
export const StudentCount = ({ charter: { studentCount, studentCountUpdatedAt }, isProminent = false }: StudentCountProps) => (
  <span>
    {studentCount === null ? (
      <span className={classes.note}>No count on file</span>
    ) : (
      <span className={isProminent ? classes.loud : undefined}>{studentCount.toLocaleString('en-US')}</span>
    )}
    {studentCountUpdatedAt ? (
      <span className={classes.note}> as of {formatMomentDay(studentCountUpdatedAt, configuration.timeZone)}</span>
    ) : null}
  </span>
)
