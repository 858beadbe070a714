import { sortKeys } from '../../../contract/objects.ts'
/** The value of one form field: text ('' if empty), a checkbox, a choice, or a list. */
export type FieldValue = string | boolean | readonly unknown[] | Readonly<Record<string, unknown>> | null

/** The values of a form, by the path of each field in the call's body: `address.city`. */
export type Values = Readonly<Record<string, FieldValue>>

/** The text of a value; empty for any other value. */
export const toText = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')

/** Normalizes missing values: empty text, null and undefined are equal. */
export const toComparable = (value: unknown): string => JSON.stringify(value === '' || value === undefined ? null : value, sortKeys)
export const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'string' && typeof b === 'string' ? false : toComparable(a) === toComparable(b))

/** The paths of the fields that differ, in the order of the first argument. */
export const changedPaths = (base: Values, values: Values): string[] =>
  Object.keys(base).filter((path) => !isSameValue(base[path], values[path]))

/** Only the given fields. */
export const pick = (values: Values, paths: readonly string[]): Values =>
  Object.fromEntries(paths.map((path) => [path, values[path] ?? null]))

/** Nests fields as in the body of a call: `address.city` becomes the city of the address. */
export const toBody = (values: Values): Record<string, unknown> => {
  const body: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.')
    const last = keys.pop() ?? path
    let target = body
    for (const key of keys) target = (target[key] ??= {}) as Record<string, unknown>
    target[last] = value
  }
  return body
}
