import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { byIdOrSlug, day, id, idOrSlug, recordFields, text } from '../../../contract/fields.ts'
import { NOT_IN_LIST, formatMaxMessage } from '../../../contract/messages.ts'
import { optionalUrl, optionalLine, optionalMultiline, requiredEmails } from '../../../contract/text-schemas.ts'
import { END_BEFORE_START, isEndBeforeStart } from '../../../contract/times.ts'

export const ProgramType = z.strictObject({ _id: id, name: z.string() })
export type ProgramType = z.infer<typeof ProgramType>

/** The weekdays an orientation can be on. */
export const ORIENTATION_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

const RecurringDay = z.strictObject({ set: z.boolean(), start_time: z.string(), end_time: z.string() })
const YesNo = z.enum(['Yes', 'No'])

/** The enrollment record of a site. Lists are sorted; unset times are empty strings. */
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
  capability: 'browse the directory',
  summary: 'All program types a site can offer.',
  response: z.array(ProgramType),
})

/** The times of an orientation: '06:00AM' to '10:30PM' in half hours. */
export const ORIENTATION_TIMES: readonly string[] = Array.from({ length: 34 }, (_, step) => {
  const minutes = 6 * 60 + step * 30
  const hour = Math.floor(minutes / 60)
  const shown = hour > 12 ? hour - 12 : hour
  return `${String(shown).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}${hour < 12 ? 'AM' : 'PM'}`
})

export const UNKNOWN_PROGRAM = 'Please select a program from the list.'
export const DUPLICATE_PROGRAM = 'This program is already selected. Please choose a different one.'

/** The message for a recurring day without a time. */
export const DAY_NEEDS_TIMES = 'Enter a start time and an end time'

const orientationTime = z.string().refine((value) => ORIENTATION_TIMES.includes(value), NOT_IN_LIST)
const orientationTimeOrEmpty = z.string().refine((value) => value === '' || ORIENTATION_TIMES.includes(value), NOT_IN_LIST)

const isEndAfterStart = ({ start_time, end_time }: { start_time: string; end_time: string }): boolean =>
  !isEndBeforeStart(start_time, end_time)
const ENDS_TOO_EARLY_ERROR = { message: END_BEFORE_START, path: ['end_time'] }

/** A weekday with orientation. The times of an unchecked day are cleared. */
const recurringDayInput = z
  .strictObject({
    set: z.boolean(),
    start_time: orientationTimeOrEmpty.nullable().default(''),
    end_time: orientationTimeOrEmpty.nullable().default(''),
  })
  .transform(({ set, start_time, end_time }) => (set ? { set, start_time: start_time ?? '', end_time: end_time ?? '' } : NOT_SET))
  .refine(({ set, start_time, end_time }) => !set || (start_time !== '' && end_time !== ''), DAY_NEEDS_TIMES)
  .refine(isEndAfterStart, ENDS_TOO_EARLY_ERROR)
const NOT_SET = { set: false, start_time: '', end_time: '' }
const recurringDates = z.partialRecord(z.enum(ORIENTATION_DAYS), recurringDayInput)

const TOO_MANY_DATES = formatMaxMessage(1000, 'dates')
/** Single orientation dates. Incomplete ones are ignored. */
const individualDates = z
  .array(
    z.strictObject({
      date: z.string().nullable().optional(),
      start_time: z.string().nullable().optional(),
      end_time: z.string().nullable().optional(),
    }),
  )
  .max(1000, TOO_MANY_DATES)
  .transform((dates) => dates.filter(({ date, start_time, end_time }) => date && start_time && end_time))
  .pipe(
    z.array(
      z
        .strictObject({ date: z.iso.date(), start_time: orientationTime, end_time: orientationTime })
        .refine(isEndAfterStart, ENDS_TOO_EARLY_ERROR),
    ),
  )
/** Days without orientation. Empty and repeated ones are ignored. */
const blackoutDates = z
  .array(z.string().nullable())
  .max(1000, TOO_MANY_DATES)
  .transform((dates) => [...new Set(dates.filter((date) => date !== null && date !== ''))])
  .pipe(z.array(z.iso.date()))

/** A program type by its `_id`, alone or as `_id` or `id` of an object. */
const programInput = z
  .union([z.string(), z.strictObject({ _id: idOrSlug.optional(), id: idOrSlug.optional(), name: optionalLine(200).optional() })], {
    error: UNKNOWN_PROGRAM,
  })
  .transform((program) => (typeof program === 'string' ? program : (program._id ?? program.id ?? '')))

/** Any part of an enrollment record, with the field names of the update request. */
export const EnrollmentChange = z
  .strictObject({
    about: optionalMultiline(),
    moreAbout: optionalMultiline(),
    programTypes: z.array(programInput).max(200, formatMaxMessage(200, 'programs')),
    registrationEmail: requiredEmails(),
    interestEmail: requiredEmails(),
    primaryEmailstatus: YesNo,
    addtionalEmailstatus: YesNo,
    orientationLink: optionalUrl(2000),
    individualDates,
    recurringDates,
    blackoutDates,
  })
  .partial()
export type EnrollmentChange = z.infer<typeof EnrollmentChange>

export const updateEnrollment = call({
  method: 'PATCH',
  path: '/locations-api/site_enroll_updates/:id',
  capability: 'edit a site',
  summary:
    'Changes the given fields of a site’s enrollment record. `programTypes` replaces the whole list; a day missing from `recurringDates` is not changed.',
  params: byIdOrSlug,
  body: EnrollmentChange,
  allowUnchangedInvalid: true,
  response: EnrollmentInfo,
})

const serviceCall = { params: byIdOrSlug, capability: 'edit a site', response: EnrollmentInfo } as const
const ChosenProgram = z.strictObject({
  _id: z.string({ error: UNKNOWN_PROGRAM }).optional(),
  id: z.string({ error: UNKNOWN_PROGRAM }).optional(),
  name: optionalLine(200).optional(),
})

export const addService = call({
  method: 'POST',
  path: '/locations-api/site_enroll/:id/service',
  summary:
    'Adds a program type to a site. Answers with the whole enrollment record. An unknown program type is a 422, one the site already has is a 409.',
  body: ChosenProgram,
  ...serviceCall,
})

export const replaceService = call({
  method: 'PUT',
  path: '/locations-api/site_enroll/:id/service',
  summary:
    'Replaces a site’s program type (`_id`) with another (`to`). Answers with the whole enrollment record. One the site already has is a 409.',
  body: z.strictObject({
    _id: z.string({ error: UNKNOWN_PROGRAM }),
    to: z.string({ error: UNKNOWN_PROGRAM }),
    name: optionalLine(200).optional(),
  }),
  ...serviceCall,
})

export const removeService = call({
  method: 'DELETE',
  path: '/locations-api/site_enroll/:id/service/:serviceId',
  summary: 'Removes a program type from a site. One the site does not have is a 404. Answers with the whole enrollment record.',
  capability: 'edit a site',
  params: z.object({ id: idOrSlug, serviceId: idOrSlug }),
  response: EnrollmentInfo,
})
