import { z } from 'zod'

import { type FieldDefinitions, getLabels } from '../../contract/field-definitions.ts'
import { day, id, idOrSlug } from '../../contract/fields.ts'
import { NOT_IN_LIST, formatMaxMessage } from '../../contract/messages.ts'
import { optionalLine, optionalMultiline, optionalUrl, requiredDay, requiredEmails } from '../../contract/text-schemas.ts'
import { END_BEFORE_START, isEndBeforeStart, readFromList } from '../../contract/times.ts'

export const ProgramType = z.strictObject({ _id: id, name: z.string() })
export type ProgramType = z.infer<typeof ProgramType>

/** The weekdays an orientation can be on. */
export const ORIENTATION_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

const RecurringDay = z.strictObject({ set: z.boolean(), start_time: z.string(), end_time: z.string() })
const YES_NO = ['Yes', 'No'] as const
const YesNo = z.enum(YES_NO)

/** The times of an orientation: '06:00AM' to '10:30PM' in half hours. */
export const ORIENTATION_TIMES: readonly string[] = Array.from({ length: 34 }, (_, step) => {
  const minutes = 6 * 60 + step * 30
  const hour = Math.floor(minutes / 60)
  const shown = hour > 12 ? hour - 12 : hour
  return `${String(shown).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}${hour < 12 ? 'AM' : 'PM'}`
})

export const UNKNOWN_PROGRAM = 'Please select a program from the list.'

/** The message for a recurring day without a time. */
export const DAY_NEEDS_TIMES = 'Enter a start time and an end time'

const readTime = z.string().overwrite((text) => readFromList(ORIENTATION_TIMES, text))
const orientationTime = readTime.refine((value) => ORIENTATION_TIMES.includes(value), NOT_IN_LIST)
const orientationTimeOrEmpty = readTime.refine((value) => value === '' || ORIENTATION_TIMES.includes(value), NOT_IN_LIST)

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
const recurringDatesInput = z.partialRecord(z.enum(ORIENTATION_DAYS), recurringDayInput)

const TOO_MANY_DATES = formatMaxMessage(1000, 'dates')
/** Single orientation dates. Incomplete ones are ignored. */
const individualDatesInput = z
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
        .strictObject({ date: requiredDay(), start_time: orientationTime, end_time: orientationTime })
        .refine(isEndAfterStart, ENDS_TOO_EARLY_ERROR),
    ),
  )
/** Days without orientation. Empty and repeated ones are ignored. */
const blackoutDatesInput = z
  .array(z.string().nullable())
  .max(1000, TOO_MANY_DATES)
  .transform((dates) => dates.filter((date) => date !== null && date !== ''))
  .pipe(z.array(requiredDay()))
  .transform((dates) => [...new Set(dates)])

/** A program type by its `_id`, alone or as `_id` or `id` of an object. */
const programInput = z
  .union([z.string(), z.strictObject({ _id: idOrSlug.optional(), id: idOrSlug.optional(), name: optionalLine(200).optional() })], {
    error: UNKNOWN_PROGRAM,
  })
  .transform((program) => (typeof program === 'string' ? program : (program._id ?? program.id ?? '')))

/** The fields of an enrollment record, in the order of its page. */
export const ENROLLMENT_FIELDS = {
  about: { label: 'About', section: 'Programs', control: 'multiline', input: optionalMultiline() },
  moreAbout: { label: 'More about', section: 'Programs', control: 'multiline', input: optionalMultiline() },
  programTypes: {
    label: 'Program types',
    section: 'Programs',
    control: 'custom',
    cell: null,
    input: z.array(programInput).max(200, formatMaxMessage(200, 'programs')),
    output: z.array(ProgramType),
    span: 6,
  },
  registrationEmail: {
    label: 'Registration email',
    section: 'Email',
    control: 'emails',
    input: requiredEmails(),
    output: z.array(z.string()),
  },
  interestEmail: { label: 'Interest email', section: 'Email', control: 'emails', input: requiredEmails(), output: z.array(z.string()) },
  primaryEmailstatus: { label: 'Primary email status', section: 'Email', control: 'choice', choices: YES_NO, input: YesNo, output: YesNo },
  addtionalEmailstatus: {
    label: 'Additional email status',
    section: 'Email',
    control: 'choice',
    choices: YES_NO,
    input: YesNo,
    output: YesNo,
  },
} as const satisfies FieldDefinitions

/** The fields of its orientation, by their names in a response; `requestName` is the name in a request. */
export const ORIENTATION_FIELDS = {
  virtual_orientation_link: {
    requestName: 'orientationLink',
    label: 'Virtual orientation link',
    section: 'Orientation',
    control: 'url',
    input: optionalUrl(2000),
    span: 6,
  },
  selected_dates: {
    requestName: 'individualDates',
    label: 'Selected dates',
    section: 'Orientation',
    control: 'custom',
    input: individualDatesInput,
    output: z.array(z.strictObject({ date: day, start_time: z.string(), end_time: z.string() })),
    span: 6,
  },
  recurring_dates: {
    requestName: 'recurringDates',
    label: 'Recurring days',
    section: 'Recurring days',
    control: 'custom',
    input: recurringDatesInput,
    output: z.record(z.enum(ORIENTATION_DAYS), RecurringDay),
    span: 6,
  },
  blackout_dates: {
    requestName: 'blackoutDates',
    label: 'Blackout dates',
    section: 'Blackout',
    control: 'custom',
    input: blackoutDatesInput,
    output: z.array(day),
    span: 6,
  },
} as const satisfies Readonly<Record<string, FieldDefinitions[string] & { readonly requestName: string }>>

export const enrollmentLabels = getLabels(ENROLLMENT_FIELDS)
export const orientationLabels = getLabels(ORIENTATION_FIELDS)

/** The label of each field by its path in a request: each recurring day has a separate path. */
export const enrollmentRequestLabels: Readonly<Record<string, string>> = {
  ...enrollmentLabels,
  ...Object.fromEntries(
    Object.values(ORIENTATION_FIELDS).flatMap(({ requestName, label }) =>
      requestName === 'recurringDates'
        ? ORIENTATION_DAYS.map((day) => [`recurringDates.${day}`, `${label}: ${day}`])
        : [[requestName, label]],
    ),
  ),
}
