import type { EnrollmentChange } from '../contract.ts'

/** What each field is called, on the page as in its form. */
export const enrollmentLabels: Record<Exclude<keyof EnrollmentChange, 'recurringDates'>, string> = {
  about: 'About',
  moreAbout: 'More about',
  programTypes: 'Program types',
  registrationEmail: 'Registration email',
  interestEmail: 'Interest email',
  primaryEmailstatus: 'Primary email status',
  addtionalEmailstatus: 'Additional email status',
  orientationLink: 'Virtual orientation link',
  individualDates: 'Selected dates',
  blackoutDates: 'Blackout dates',
}
export const RECURRING_DAYS = 'Recurring days'
