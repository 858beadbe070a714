import type { FieldValue } from '../../../../platform/web/form/values.ts'
import type { EnrollmentInfo } from '../contract.ts'

export type OrientationDate = EnrollmentInfo['orientation']['selected_dates'][number]
export type RecurringDay = EnrollmentInfo['orientation']['recurring_dates']['Monday']

const listOf = (value: FieldValue): readonly unknown[] => (Array.isArray(value) ? value : [])
export const datesIn = (value: FieldValue): readonly OrientationDate[] => listOf(value) as readonly OrientationDate[]
export const daysIn = (value: FieldValue): readonly string[] => listOf(value) as readonly string[]
export const programsIn = (value: FieldValue): EnrollmentInfo['programTypes'] => [...(listOf(value) as EnrollmentInfo['programTypes'])]
