import type { FieldValue } from '../../../platform/web/form/values.ts'
import type { EnrollmentInfo } from '../contract.ts'

export type OrientationDate = EnrollmentInfo['orientation']['selected_dates'][number]
export type RecurringDay = EnrollmentInfo['orientation']['recurring_dates']['Monday']

const toList = (value: FieldValue): readonly unknown[] => (Array.isArray(value) ? value : [])
export const toOrientationDates = (value: FieldValue): readonly OrientationDate[] => toList(value) as readonly OrientationDate[]
export const toDays = (value: FieldValue): readonly string[] => toList(value) as readonly string[]
export const toProgramTypes = (value: FieldValue): EnrollmentInfo['programTypes'] => [...(toList(value) as EnrollmentInfo['programTypes'])]
