import { formatDay } from '../../../../contract/dates.ts'
import type { FieldPath, FormValues } from '../../../../platform/web/form/body-fields.ts'
import { buildEmailsField } from '../../../../platform/web/form/emails-field.ts'
import { toChoices } from '../../../../platform/web/form/fields.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import type { FormSection } from '../../../../platform/web/form/FormPage.tsx'
import type { FieldValue } from '../../../../platform/web/form/values.ts'
import { ORIENTATION_DAYS, type updateEnrollment } from '../contract.ts'
import type { EnrollmentInfo } from '../contract.ts'
import { enrollmentLabels, orientationLabels } from '../rules.ts'
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
const YES_NO = toChoices(['Yes', 'No'])

const RECURRING_DAY_FIELDS = Object.fromEntries(
  ORIENTATION_DAYS.map((day): [Day, FormField] => [
    `recurringDates.${day}`,
    { kind: 'own', label: day, span: 6, isGroup: true, hasHiddenLabel: true, Input: RecurringDayInput, toText: formatRecurringDay },
  ]),
) as Record<Day, FormField>

/** The fields of the form; a missing field does not compile. */
export const enrollmentFields: Record<Path, FormField> = {
  about: { kind: 'lines', label: enrollmentLabels.about, span: 6 },
  moreAbout: { kind: 'lines', label: enrollmentLabels.moreAbout, span: 6 },
  programTypes: {
    kind: 'own',
    label: enrollmentLabels.programTypes,
    span: 6,
    isGroup: true,
    Input: ProgramsInput,
    toText: (value) =>
      toProgramTypes(value)
        .map(({ name }) => name)
        .join(', '),
  },
  registrationEmail: buildEmailsField(enrollmentLabels.registrationEmail),
  interestEmail: buildEmailsField(enrollmentLabels.interestEmail),
  primaryEmailstatus: { kind: 'choice', label: enrollmentLabels.primaryEmailstatus, choices: YES_NO },
  addtionalEmailstatus: { kind: 'choice', label: enrollmentLabels.addtionalEmailstatus, choices: YES_NO },
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

const buildSection = (title: string, about: string, fields: readonly Path[]): FormSection<Path> => ({ title, about, fields })
export const ENROLLMENT_SECTIONS = [
  buildSection('Programs', 'Programs the site offers and how families see them described', ['about', 'moreAbout', 'programTypes']),
  buildSection('Email', 'Who receives registration and interest emails', [
    'registrationEmail',
    'interestEmail',
    'primaryEmailstatus',
    'addtionalEmailstatus',
  ]),
  buildSection('Orientation', 'One-time dates, and a link for joining online', ['orientationLink', 'individualDates']),
  buildSection(
    orientationLabels.recurring_dates,
    'Check the days with orientation, then enter both times',
    ORIENTATION_DAYS.map((day): Day => `recurringDates.${day}`),
  ),
  buildSection('Blackout', 'Days with no orientation', ['blackoutDates']),
]

/** The values of the form: email lists as one text, one value per recurring day. */
export const toEnrollmentValues = (enrollment: EnrollmentInfo): FormValues<typeof updateEnrollment> => {
  const { orientation } = enrollment
  return {
    about: enrollment.about ?? '',
    moreAbout: enrollment.moreAbout ?? '',
    programTypes: enrollment.programTypes,
    registrationEmail: enrollment.registrationEmail.join(' '),
    interestEmail: enrollment.interestEmail.join(' '),
    primaryEmailstatus: enrollment.primaryEmailstatus,
    addtionalEmailstatus: enrollment.addtionalEmailstatus,
    orientationLink: orientation.virtual_orientation_link ?? '',
    individualDates: orientation.selected_dates,
    blackoutDates: orientation.blackout_dates,
    ...(Object.fromEntries(
      ORIENTATION_DAYS.map((day): [Day, RecurringDay] => [`recurringDates.${day}`, orientation.recurring_dates[day]]),
    ) as Record<Day, RecurringDay>),
  }
}
