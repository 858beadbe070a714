import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'
import { day, id, recordFields, text } from '../../platform/contract/fields.ts'

export const ProgramType = z.strictObject({ _id: id, name: z.string() })
export type ProgramType = z.infer<typeof ProgramType>

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
