import { parseMinutes } from '../../../contract/times.ts'
import type { EnrollmentInfo } from './contract.ts'

type Orientation = EnrollmentInfo['orientation']
type Shown = Exclude<keyof EnrollmentInfo, 'version' | 'updatedAt' | 'updatedBy' | 'orientation'>

/** The labels of an enrollment record. */
export const enrollmentLabels: Record<Shown, string> = {
  about: 'About',
  moreAbout: 'More about',
  programTypes: 'Program types',
  registrationEmail: 'Registration email',
  interestEmail: 'Interest email',
  primaryEmailstatus: 'Primary email status',
  addtionalEmailstatus: 'Additional email status',
}
export const orientationLabels: Record<keyof Orientation, string> = {
  virtual_orientation_link: 'Virtual orientation link',
  selected_dates: 'Selected dates',
  recurring_dates: 'Recurring days',
  blackout_dates: 'Blackout dates',
}

interface Dated {
  readonly date: string
  readonly start_time: string
}
/** Sorts orientation dates by day and start time. */
export const sortDates = <D extends Dated>(dates: readonly D[]): D[] =>
  dates.toSorted(
    (a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0) || (parseMinutes(a.start_time) ?? 0) - (parseMinutes(b.start_time) ?? 0),
  )
