import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { day, id, recordFields, text } from '../../platform/contract/fields.ts'

/** What a wrong address is told (section 8). */
export const INVALID_EMAIL = 'Please provide a valid email address'

export const ProgramType = z.strictObject({ _id: id, name: z.string() })
export type ProgramType = z.infer<typeof ProgramType>

/** A standard address (section 5). */
const email = z
  .string()
  .max(254, INVALID_EMAIL)
  .regex(/^[^\s@,;<>"()[\]\\]+@[^\s@,;<>"()[\]\\]+\.[^\s@,;.<>"()[\]\\]{2,}$/, INVALID_EMAIL)

/** Addresses as they are written: a list, or one text split by spaces, commas and semicolons (section 5, D35). One at least is required. */
export const EmailList = z
  .union([z.array(z.string()).max(50, 'At most 50 addresses'), z.string().max(10_000, 'At most 10,000 characters')], {
    error: ({ input }) => (input === undefined || input === null ? 'This field is required' : 'A list of addresses'),
  })
  .transform((given) => (typeof given === 'string' ? given.split(/[\s,;]+/) : given).map((one) => one.trim()).filter((one) => one !== ''))
  .pipe(z.array(email).min(1, 'This field is required').max(50, 'At most 50 addresses'))

/** The days an orientation can recur on (section 9). */
export const ORIENTATION_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

const RecurringDay = z.strictObject({ set: z.boolean(), start_time: z.string(), end_time: z.string() })
const YesNo = z.enum(['Yes', 'No'])

/** `enrollment_info` of a site as it is answered (section 3, D47): lists come back sorted, unset times are empty strings. */
export const EnrollmentInfo = z.strictObject({
  about: text,
  moreAbout: text,
  programTypes: z.array(ProgramType),
  registrationEmail: z.array(z.string()),
  interestEmail: z.array(z.string()),
  primaryEmailstatus: YesNo,
  addtionalEmailstatus: YesNo,
  orientation: z.strictObject({
    virtual_orientation_link: text,
    selected_dates: z.array(z.strictObject({ date: day, start_time: z.string(), end_time: z.string() })),
    recurring_dates: z.record(z.enum(ORIENTATION_DAYS), RecurringDay),
    blackout_dates: z.array(day),
  }),
  ...recordFields,
})
export type EnrollmentInfo = z.infer<typeof EnrollmentInfo>

export const listProgramTypes = call({
  method: 'GET',
  path: '/locations-api/programtypes',
  needs: 'browse the directory',
  does: 'All program types a site can offer.',
  answer: z.array(ProgramType),
})
