import { z } from 'zod'

import { isObject } from './objects.ts'
import { invalidFields, toFieldErrors } from './problem.ts'

type Path = readonly PropertyKey[]

const getValueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<PropertyKey, unknown>>)[key] : undefined),
    value,
  )

/** A list is one field: an error within it is an error of the list. */
const getFieldPath = (sent: unknown, path: Path): Path => {
  const list = path.findIndex((_, at) => Array.isArray(getValueAt(sent, path.slice(0, at))))
  return list === -1 ? path : path.slice(0, list)
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const omitPath = (value: unknown, path: Path): unknown => {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const { [key]: inner, ...others } = value as Record<PropertyKey, unknown>
  return rest.length === 0 ? others : { ...others, [key]: omitPath(inner, rest) }
}

/** Omits unchanged fields whose stored values would be altered by trimming or carriage return removal: no one has edited them. */
const omitUnchanged = (validated: unknown, sent: unknown, stored: unknown): unknown => {
  if (!isObject(validated) || !isObject(sent) || !isObject(stored)) return validated
  return Object.fromEntries(
    Object.entries(validated)
      .filter(([key, value]) => isObject(value) || isEqual(value, sent[key]) || !(key in stored) || !isEqual(sent[key], stored[key]))
      .map(([key, value]) => [key, omitUnchanged(value, sent[key], stored[key])]),
  )
}

/**
 * Validates the body of an edit: an invalid field is accepted, and left out of the edit, if it equals the stored value, since imported records
 * contain invalid values too. All other errors are thrown as 422. `stored` has the fields in the format of the body.
 */
export const validateChanges = <S extends z.ZodType>(schema: S, sent: unknown, stored: object): z.output<S> => {
  const first = schema.safeParse(sent)
  if (first.success) return omitUnchanged(first.data, sent, stored) as z.output<S>
  // Once per field; otherwise each of a list's thousand errors would compare the whole list.
  const comparedFields = new Map<string, boolean>()
  const isOld = ({ code, path }: z.core.$ZodIssue): boolean => {
    if (code === 'unrecognized_keys') return false
    const field = getFieldPath(sent, path)
    const name = JSON.stringify(field)
    const known = comparedFields.get(name)
    if (known !== undefined) return known
    const value = getValueAt(sent, field)
    const isUnchanged = field.length > 0 && value !== undefined && isEqual(value, getValueAt(stored, field))
    comparedFields.set(name, isUnchanged)
    return isUnchanged
  }
  const issues = first.error.issues.filter((issue) => !isOld(issue))
  if (issues.length > 0) throw invalidFields(toFieldErrors(new z.ZodError(issues)))
  const remaining = [...comparedFields.keys()].reduce<unknown>((body, name) => omitPath(body, JSON.parse(name) as Path), sent)
  const second = schema.safeParse(remaining)
  if (!second.success) throw invalidFields(toFieldErrors(second.error))
  return omitUnchanged(second.data, sent, stored) as z.output<S>
}
