import { dayOf, showDay } from '../../../../platform/contract/dates.ts'
import { showPhone } from '../../../../platform/contract/phones.ts'
import { Status, STATUS_LABELS } from '../../../../platform/contract/status.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { sectionTitles } from '../../../records/charter-affairs/rules.ts'
import { ORIENTATION_DAYS } from '../../../records/enrollment/contract.ts'
import { labelOf } from './partWords.ts'

type Fields = Readonly<Record<string, unknown>>

const PICTURES: ReadonlySet<string> = new Set(['photo', 'brandPhoto', 'brandIcon'])
const PHONES: ReadonlySet<string> = new Set(['phone', 'fax', 'phone_2', 'charterContactnumber'])
/** Fields that point at another record; one that has no name any more was deleted. */
const REFERENCES: ReadonlySet<string> = new Set(['charter', 'region', 'brand', 'person', 'role', 'program_type', 'site'])

export const EMPTY = 'empty'

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (fields: Fields, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')

const hours = (fields: Fields): string => [textIn(fields, 'start_time'), textIn(fields, 'end_time')].filter(Boolean).join(' to ')

/** 'Monday, 09:00AM to 10:00AM; Friday, …': the days that are set. */
const recurringDays = (days: Fields): string =>
  ORIENTATION_DAYS.flatMap((name) => {
    const day = days[name]
    return isFields(day) && day['set'] === true ? [[name, hours(day)].filter(Boolean).join(', ')] : []
  }).join('; ')

const oneOfList = (item: unknown): string => {
  if (!isFields(item)) return showDay(String(item))
  if ('date' in item) return [showDay(textIn(item, 'date')), hours(item)].filter(Boolean).join(', ')
  if ('url' in item) return [textIn(item, 'name'), textIn(item, 'url')].filter(Boolean).join(': ')
  return objectWords(item)
}

/** Anything that has no words of its own, never as it lies in the database. */
const objectWords = (fields: Fields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${labelOf('', name)}: ${isFields(value) ? objectWords(value) : String(value)}`)
    .join('; ')

const stringWords = (field: string, value: string): string => {
  if (PICTURES.has(field)) return 'a picture'
  if (PHONES.has(field)) return showPhone(value)
  if (field === 'leftAt') return showDay(dayOf(value, configuration.timeZone))
  const status = field === 'status' ? Status.safeParse(value) : undefined
  return status?.success ? STATUS_LABELS[status.data] : showDay(value)
}

/** All that a charter affair holds is free text, and is shown as it was typed (D29): `part` is one of its eight sections. */
const isFreeText = (part: string): boolean => Object.hasOwn(sectionTitles, part)

/** A value as a manager reads it; `name` is what a record it points at is called. */
export const showValue = (part: string, field: string, value: unknown, name: string | null = null): string => {
  if (value === null || value === undefined || value === '') return EMPTY
  if (name !== null) return name
  if (typeof value === 'string' && isFreeText(part)) return value
  if (REFERENCES.has(field)) return field === 'person' ? 'a deleted person' : 'a deleted record'
  if (typeof value === 'boolean') {
    if (part === 'sis_site' && field === 'status') return value ? 'Active' : 'Inactive'
    return value ? 'Yes' : 'No'
  }
  if (typeof value === 'number') return field === 'studentCount' ? value.toLocaleString('en-US') : String(value)
  if (Array.isArray(value)) return value.map(oneOfList).join(value.some(isFields) ? '; ' : ', ') || EMPTY
  if (isFields(value)) return (field === 'recurring_dates' ? recurringDays(value) : objectWords(value)) || EMPTY
  return typeof value === 'string' ? stringWords(field, value) : EMPTY
}
