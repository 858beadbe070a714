import { isObject, sortKeys } from '../../../contract/objects.ts'
/** A record as parsed from a file. */
export type RawRecord = Readonly<Record<string, unknown>>

/** Keys under which a list may be wrapped: `{data: […]}`, `{success: true, data: […]}`, and similar. */
const WRAPPERS = ['data', 'result', 'results', 'recordset', 'docs', 'items', 'records', 'response', 'payload'] as const

const unwrap = (value: unknown, names: readonly string[]): unknown => {
  if (!isObject(value) || '_id' in value) return value
  for (const name of [...WRAPPERS, ...names]) {
    const inner = value[name]
    if (Array.isArray(inner) || isObject(inner)) return unwrap(inner, names)
  }
  return value
}

/**
 * The records in a response: a plain list, a wrapped list (also under the name of the file), a single record, or records by their id. Undefined for
 * anything else: an error response, a page, a number.
 */
export const findRecords = (answer: unknown, names: readonly string[] = []): unknown[] | undefined => {
  const inner = unwrap(answer, names)
  if (Array.isArray(inner)) return inner
  if (!isObject(inner)) return undefined
  if (getId(inner) !== null || 'charter_affair_info' in inner || 'overview' in inner) return [inner]
  const values = Object.values(inner)
  return values.length > 0 && values.every((value) => isObject(value) && '_id' in value) ? values : undefined
}

/** An id as text: a text, a number, MongoDB's `{$oid}`, or the `_id` (or `id`) of a record; null if there is none. */
export const getId = (value: unknown): string | null => {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (!isObject(value)) return null
  if ('$oid' in value) return getId(value['$oid'])
  return getId(value['_id'] ?? null) ?? getId(value['id'] ?? null)
}

/** Whether a value is empty: an empty text, list or object, or null. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

/** Canonical JSON, independent of key order: two values are equal if these are. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value ?? null, sortKeys)

/** A value in a cell of the report: text unchanged, everything else as JSON. */
export const formatCell = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** The first item of a list for a single-valued field, and the others. */
export const splitFirst = (value: unknown): { first: unknown; others: readonly unknown[] } =>
  Array.isArray(value) ? { first: value[0] ?? null, others: value.slice(1) } : { first: value, others: [] }
