import type { FieldDefinitions } from '../../../contract/field-definitions.ts'
import { EMPTY_TEXT, formatFieldValue } from '../../../features/changing/history/rules.ts'
import { RECORD_PARTS } from '../../exports/history.ts'
import type { Fact } from '../document.ts'

/** A text as it is shown; an empty one was not filled in. */
const toValue = (text: string): string => (text === EMPTY_TEXT ? '' : text)

const ISO_DAY = /^\d{4}-\d\d-\d\d$/

/** The fields of a record as they were declared, without pictures; `names` are those of records that fields refer to. */
export const toFacts = (
  table: string,
  fields: FieldDefinitions,
  values: Readonly<Record<string, unknown>>,
  timeZone: string,
  names: Readonly<Record<string, string | null>> = {},
): Fact[] =>
  Object.entries(fields).flatMap(([field, { label, fullLabel = label, control }]): Fact[] => {
    if (control === 'picture') return []
    const value = values[field]
    if (typeof value === 'string' && ISO_DAY.test(value)) return [{ label: fullLabel, value, isDay: true }]
    return [{ label: fullLabel, value: toValue(formatFieldValue(RECORD_PARTS[table], field, value, names[field] ?? null, timeZone)) }]
  })

/** Fields that are all text. */
export const toTextFacts = (labels: Readonly<Record<string, string>>, texts: Readonly<Record<string, unknown>>): Fact[] =>
  Object.entries(labels).map(([field, label]) => ({ label, value: typeof texts[field] === 'string' ? texts[field] : '' }))
