import { formatDay } from '../../../contract/dates.ts'
import type { FieldPath, FormValues } from '../../../platform/web/form/body-fields.ts'
import { buildFormFields, buildSection, toDefinedValues } from '../../../platform/web/form/defined-fields.ts'
import type { FormField } from '../../../platform/web/form/fields.ts'
import type { FormSection } from '../../../platform/web/form/FormPage.tsx'
import type { FieldValue } from '../../../platform/web/form/values.ts'
import type { EnrollmentInfo, updateEnrollment } from '../contract.ts'
import { ENROLLMENT_FIELDS, ORIENTATION_DAYS, orientationLabels } from '../fields.ts'
import { BlackoutDatesInput } from './BlackoutDatesInput.tsx'
import { toOrientationDates, toDays, toProgramTypes } from './enrollment-values.ts'
import type { RecurringDay } from './enrollment-values.ts'
import { IndividualDatesInput } from './IndividualDatesInput.tsx'
import { ProgramsInput } from './ProgramsInput.tsx'
import { RecurringDayInput } from './RecurringDayInput.tsx'

type Path = Exclude<FieldPath<typeof updateEnrollment>, 'recurringDates'>
type Day = Extract<Path, `recurringDates.${string}`>
const formatRecurringDay = (value: FieldValue): string => {
  const { set, start_time, end_time } = value as RecurringDay
  return set ? `${start_time || '?'} to ${end_time || '?'}` : 'not set'
}
const RECURRING_DAY_FIELDS = Object.fromEntries(
  ORIENTATION_DAYS.map((day): [Day, FormField] => [
    `recurringDates.${day}`,
    { kind: 'own', label: day, span: 6, isGroup: true, hasHiddenLabel: true, Input: RecurringDayInput, toText: formatRecurringDay },
  ]),
) as Record<Day, FormField>

/** The fields of the form; a missing field does not compile. */
export const enrollmentFields: Record<Path, FormField> = {
  ...buildFormFields(ENROLLMENT_FIELDS, {
    programTypes: (label) => ({
      kind: 'own',
      label,
      isGroup: true,
      Input: ProgramsInput,
      toText: (value) =>
        toProgramTypes(value)
          .map(({ name }) => name)
          .join(', '),
    }),
  }),
  orientationLink: { kind: 'line', label: orientationLabels.virtual_orientation_link, span: 6, keyboard: 'url' },
  individualDates: {
    kind: 'own',
    label: orientationLabels.selected_dates,
    span: 6,
    isGroup: true,
    Input: IndividualDatesInput,
    toText: (value) =>
      toOrientationDates(value)
        .map(({ date, start_time, end_time }) => `${formatDay(date)} ${start_time} to ${end_time}`)
        .join(', '),
  },
  ...RECURRING_DAY_FIELDS,
  blackoutDates: {
    kind: 'own',
    label: orientationLabels.blackout_dates,
    span: 6,
    isGroup: true,
    Input: BlackoutDatesInput,
    toText: (value) => toDays(value).map(formatDay).join(', '),
  },
}

const buildOrientationSection = (title: string, about: string, fields: readonly Path[]): FormSection<Path> => ({ title, about, fields })
export const ENROLLMENT_SECTIONS: readonly FormSection<Path>[] = [
  buildSection(ENROLLMENT_FIELDS, 'Programs', 'Programs the site offers and how families see them described'),
  buildSection(ENROLLMENT_FIELDS, 'Email', 'Who receives registration and interest emails'),
  buildOrientationSection('Orientation', 'One-time dates, and a link for joining online', ['orientationLink', 'individualDates']),
  buildOrientationSection(
    orientationLabels.recurring_dates,
    'Check the days with orientation, then enter both times',
    ORIENTATION_DAYS.map((day): Day => `recurringDates.${day}`),
  ),
  buildOrientationSection('Blackout', 'Days with no orientation', ['blackoutDates']),
]

/** The values of the form: email lists as one text, one value per recurring day. */
export const toEnrollmentValues = (enrollment: EnrollmentInfo): FormValues<typeof updateEnrollment> => {
  const { orientation } = enrollment
  return {
    ...toDefinedValues(ENROLLMENT_FIELDS, enrollment),
    orientationLink: orientation.virtual_orientation_link ?? '',
    individualDates: orientation.selected_dates,
    blackoutDates: orientation.blackout_dates,
    ...(Object.fromEntries(
      ORIENTATION_DAYS.map((day): [Day, RecurringDay] => [`recurringDates.${day}`, orientation.recurring_dates[day]]),
    ) as Record<Day, RecurringDay>),
  }
}
