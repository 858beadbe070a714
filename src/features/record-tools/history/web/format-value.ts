import { toIsoDay, formatDay } from '../../../../contract/dates.ts'
import { formatPhone } from '../../../../contract/phones.ts'
import { Status, STATUS_LABELS } from '../../../../contract/status.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { humanizeName } from './part-names.ts'

type JsonObject = Readonly<Record<string, unknown>>

const PICTURES: ReadonlySet<string> = new Set(['photo', 'brandPhoto', 'brandIcon'])
const PHONES: ReadonlySet<string> = new Set(['phone', 'fax', 'phone_2', 'charterContactnumber'])
/** Fields that reference another record; one without a name was deleted. */
const REFERENCES: ReadonlySet<string> = new Set(['charter', 'region', 'brand', 'person', 'role', 'program_type', 'site'])
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

export const EMPTY_TEXT = 'empty'

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
const getText = (object: JsonObject, name: string): string => (typeof object[name] === 'string' ? object[name] : '')

const formatHours = (object: JsonObject): string =>
  [getText(object, 'start_time'), getText(object, 'end_time')].filter(Boolean).join(' to ')

/** 'Monday, 09:00AM to 10:00AM; Friday, …': the days that are set. */
const formatRecurringDays = (days: JsonObject): string =>
  WEEKDAYS.flatMap((name) => {
    const day = days[name]
    return isObject(day) && day['set'] === true ? [[name, formatHours(day)].filter(Boolean).join(', ')] : []
  }).join('; ')

const formatListItem = (item: unknown): string => {
  if (!isObject(item)) return formatDay(String(item))
  if ('date' in item) return [formatDay(getText(item, 'date')), formatHours(item)].filter(Boolean).join(', ')
  if ('url' in item) return [getText(item, 'name'), getText(item, 'url')].filter(Boolean).join(': ')
  return formatObject(item)
}

/** Any other object, so that raw JSON is never shown. */
const formatObject = (object: JsonObject): string =>
  Object.entries(object)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${humanizeName(name)}: ${isObject(value) ? formatObject(value) : String(value)}`)
    .join('; ')

const formatString = (field: string, value: string): string => {
  if (PICTURES.has(field)) return 'a picture'
  if (PHONES.has(field)) return formatPhone(value)
  if (field === 'leftAt') return formatDay(toIsoDay(value, configuration.timeZone))
  const status = field === 'status' ? Status.safeParse(value) : undefined
  return status?.success ? STATUS_LABELS[status.data] : formatDay(value)
}

/** A free text as it was typed. */
export const formatFreeText = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : EMPTY_TEXT)

/** A value as a manager reads it; `name` is the name of the record it references. */
export const formatValue = (part: string, field: string, value: unknown, name: string | null = null): string => {
  if (value === null || value === undefined || value === '') return EMPTY_TEXT
  if (name !== null) return name
  if (REFERENCES.has(field)) return field === 'person' ? 'a deleted person' : 'a deleted record'
  if (typeof value === 'boolean') {
    if (part === 'sis_site' && field === 'status') return value ? 'Active' : 'Inactive'
    return value ? 'Yes' : 'No'
  }
  if (typeof value === 'number') return field === 'studentCount' ? value.toLocaleString('en-US') : String(value)
  if (Array.isArray(value)) return value.map(formatListItem).join(value.some(isObject) ? '; ' : ', ') || EMPTY_TEXT
  if (isObject(value)) return (field === 'recurring_dates' ? formatRecurringDays(value) : formatObject(value)) || EMPTY_TEXT
  return typeof value === 'string' ? formatString(field, value) : EMPTY_TEXT
}
