import { toIsoDay, formatDay } from '../../../contract/dates.ts'
import { capitalize } from '../../../contract/format.ts'
import type { HistoryPart, HistoryParts } from '../../../contract/history.ts'
import { isObject, type JsonObject } from '../../../contract/objects.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { RECORD_KINDS } from '../../../contract/records.ts'
import { Status, STATUS_LABELS } from '../../../contract/status.ts'
import type { Change } from './contract.ts'

/** A departure is undone on the page of the person, or with its changeset, together with everything it ended; archiving on the page of the record. */
export const RESTORED_AS_WHOLE: ReadonlySet<string> = new Set(['leftAt', 'archivedAt', 'archivedReason', 'mergedInto'])

/** The labels of columns that records of every kind have. */
const COMMON_LABELS: Readonly<Record<string, string>> = { archivedAt: 'Archived', archivedReason: 'Reason', mergedInto: 'Merged into' }

/** 'homeSite_id' as 'Home site id', for names without a label. */
export const humanizeName = (name: string): string => {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
  return capitalize(words)
}

const findPart = (parts: HistoryParts, table: string): HistoryPart | undefined => (Object.hasOwn(parts, table) ? parts[table] : undefined)

const getLabel = (labels: Readonly<Record<string, string>> | undefined, name: string): string => {
  const known = { ...COMMON_LABELS, ...labels }
  return (Object.hasOwn(known, name) ? known[name] : undefined) ?? humanizeName(name)
}

/** The label of a field; for a text in a section, 'overview.fein', it is 'Overview, FEIN'. */
export const getFieldLabel = (parts: HistoryParts, table: string, field: string): string => {
  const part = findPart(parts, table)
  const [section = '', text] = field.split('.')
  const label = getLabel(part?.labels, section)
  return text === undefined ? label : `${label}, ${getLabel(part?.sections?.[section], text)}`
}

export const getPartTitle = (parts: HistoryParts, table: string): string => findPart(parts, table)?.title ?? humanizeName(table)

/** The changed part: 'the site', 'the SIS site Lodi IS', 'Hannah Ashworth, Registrar'. */
export const getPartName = (parts: HistoryParts, table: string, title: string | null): string => {
  const part = findPart(parts, table)
  if (title !== null && part?.isNamedByTitle) return title
  const shown = title !== null && part?.titles && Object.hasOwn(part.titles, title) ? part.titles[title] : title
  return [part?.name ?? `the ${humanizeName(table).toLowerCase()}`, shown].filter(Boolean).join(' ')
}

const PICTURES: ReadonlySet<string> = new Set(['photo', 'brandPhoto', 'brandIcon'])
const PHONES: ReadonlySet<string> = new Set(['phone', 'fax', 'phone_2', 'charterContactnumber'])
/** Fields that reference another record; one without a name was deleted. */
const REFERENCES: ReadonlySet<string> = new Set([...RECORD_KINDS, 'role', 'program_type'])
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

export const EMPTY_TEXT = 'empty'

const getText = (object: JsonObject, name: string): string => (typeof object[name] === 'string' ? object[name] : '')

const formatHours = (object: JsonObject): string =>
  [getText(object, 'start_time'), getText(object, 'end_time')].filter(Boolean).join(' to ')

/** 'Monday, 09:00AM to 10:00AM; Friday, …': only the days that are set. */
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

const formatString = (field: string, value: string, timeZone: string): string => {
  if (PICTURES.has(field)) return 'a picture'
  if (PHONES.has(field)) return formatPhone(value)
  if (field === 'leftAt' || field === 'archivedAt') return formatDay(toIsoDay(value, timeZone))
  const status = field === 'status' ? Status.safeParse(value) : undefined
  return status?.success ? STATUS_LABELS[status.data] : formatDay(value)
}

/** Free text as typed. */
export const formatFreeText = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : EMPTY_TEXT)

/** A value as text; `name` is the name of the referenced record. */
const formatHistoryValue = (field: string, value: unknown, timeZone: string, name: string | null = null): string => {
  if (value === null || value === undefined || value === '') return EMPTY_TEXT
  if (name !== null) return name
  if (REFERENCES.has(field)) return field === 'person' ? 'a deleted person' : 'a deleted record'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return field === 'studentCount' ? value.toLocaleString('en-US') : String(value)
  if (Array.isArray(value)) return value.map(formatListItem).join(value.some(isObject) ? '; ' : ', ') || EMPTY_TEXT
  if (isObject(value)) return (field === 'recurring_dates' ? formatRecurringDays(value) : formatObject(value)) || EMPTY_TEXT
  return typeof value === 'string' ? formatString(field, value, timeZone) : EMPTY_TEXT
}

/** The value of a field, with the labels that its part has. */
export const formatFieldValue = (
  part: HistoryPart | undefined,
  field: string,
  value: unknown,
  name: string | null,
  timeZone: string,
): string =>
  part?.isFreeText ? formatFreeText(value) : (part?.values?.[field]?.[String(value)] ?? formatHistoryValue(field, value, timeZone, name))

/** One field of a change as text. */
export interface ChangeLine {
  /** The path of the field in the API, 'phone' or 'overview.fein', for restoring it. */
  readonly field: string
  readonly label: string
  readonly from: string
  readonly to: string
}

/** A section of a charter affair. */
export interface HistorySection {
  readonly field: string
  readonly title: string
}

type ChangedField = Change['fields'][number]
/** A line for each differing text of a section, in page order. */
const getSectionLines = (parts: HistoryParts, { field, from, to }: ChangedField): ChangeLine[] => {
  const [before, after] = [isObject(from) ? from : {}, isObject(to) ? to : {}]
  const ordered = Object.keys(parts['charter_affair']?.sections?.[field] ?? {})
  return [...new Set([...ordered, ...Object.keys({ ...before, ...after })])]
    .filter((text) => (before[text] ?? null) !== (after[text] ?? null))
    .map((text) => ({
      field: `${field}.${text}`,
      label: getFieldLabel(parts, 'charter_affair', `${field}.${text}`),
      from: formatFreeText(before[text]),
      to: formatFreeText(after[text]),
    }))
}

/** The fields of a change as text, except those that its title repeats; `field` selects one field, or all texts of a section. */
export const getChangeLines = (parts: HistoryParts, change: Change, timeZone: string, field?: string): ChangeLine[] => {
  const { part, action, title } = change
  const own = findPart(parts, part)
  const hidden = action !== 'update' && title !== null ? (own?.titleFields ?? []) : []
  return change.fields
    .filter((one) => !hidden.includes(one.field))
    .flatMap((one) =>
      part === 'charter_affair' && one.field !== 'charter'
        ? getSectionLines(parts, one)
        : [
            {
              field: one.field,
              label: getFieldLabel(parts, part, one.field),
              from: formatFieldValue(own, one.field, one.from, one.fromName, timeZone),
              to: formatFieldValue(own, one.field, one.to, one.toName, timeZone),
            },
          ],
    )
    .filter((line) => field === undefined || line.field === field || line.field.startsWith(`${field}.`))
}

const VERBS = { insert: 'added', update: 'changed', delete: 'removed', check: 'checked', uncheck: 'undid the check of' } as const

export const formatActor = ({ by }: Pick<Change, 'by'>): string => by ?? 'Import or automatic change'

/** What someone did: 'changed the charter', 'removed the SIS site Lodi IS', 'checked the site'. */
export const formatAction = (parts: HistoryParts, { action, part, title }: Pick<Change, 'action' | 'part' | 'title'>): string =>
  `${VERBS[action]} ${getPartName(parts, part, title)}`

/** The first 60 characters of a value on one line, for labels and sentences. */
export const truncateText = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line
}

/** The sections of a charter affair among these lines. */
export const listSections = (parts: HistoryParts, lines: readonly ChangeLine[]): HistorySection[] =>
  [...new Set(lines.flatMap(({ field }) => (field.includes('.') ? (field.split('.')[0] ?? []) : [])))].map((field) => ({
    field,
    title: getFieldLabel(parts, 'charter_affair', field),
  }))

/** What to restore of a change: one field, a whole section, everything that it changed, or the whole row as it was before. */
export type RestoreTarget = { readonly line: ChangeLine } | { readonly section: HistorySection } | 'all' | 'whole'

/** The message after a restore. */
export const formatRestored = (parts: HistoryParts, change: Change, target: RestoreTarget, timeZone: string): string => {
  const name = getPartName(parts, change.part, change.title)
  if (change.action === 'delete') return `${capitalize(name)} was restored.`
  if (target === 'whole') return `${capitalize(name)} was restored to before this change.`
  if (target !== 'all' && 'section' in target) return `The section ${target.section.title} was restored.`
  const lines = target === 'all' ? getChangeLines(parts, change, timeZone) : [target.line]
  const [only] = lines
  if (only && lines.length === 1) return `${only.label} was restored to ${truncateText(only.from)}.`
  return `${lines.length} fields of ${name} were restored.`
}
