import { z } from 'zod'

import { badFields, fieldErrorsOf } from './problem.ts'

type Path = readonly PropertyKey[]

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<PropertyKey, unknown>>)[key] : undefined),
    value,
  )

/** A list is one field: what is wrong within it is wrong with it. */
const fieldOf = (sent: unknown, path: Path): Path => {
  const list = path.findIndex((_, at) => Array.isArray(valueAt(sent, path.slice(0, at))))
  return list === -1 ? path : path.slice(0, list)
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const without = (value: unknown, path: Path): unknown => {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const { [key]: inner, ...others } = value as Record<PropertyKey, unknown>
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) }
}

/** Leaves out what comes back just as it is stored and would be cleaned of its outer blanks or carriage returns: nobody has edited it. */
const withoutCleaned = (settled: unknown, sent: unknown, stored: unknown): unknown => {
  if (!isPlain(settled) || !isPlain(sent) || !isPlain(stored)) return settled
  return Object.fromEntries(
    Object.entries(settled)
      .filter(([key, value]) => isPlain(value) || isSame(value, sent[key]) || !(key in stored) || !isSame(sent[key], stored[key]))
      .map(([key, value]) => [key, withoutCleaned(value, sent[key], stored[key])]),
  )
}

/**
 * What was sent for an edit, checked: a field that breaks a rule is accepted when it comes back just as it is stored (D33), and left out of
 * the edit. Everything else that is wrong is thrown as 422. `stored` has the fields as they are sent.
 */
export const validateChanges = <S extends z.ZodType>(schema: S, sent: unknown, stored: object): z.output<S> => {
  const first = schema.safeParse(sent)
  if (first.success) return withoutCleaned(first.data, sent, stored) as z.output<S>
  // By field, since each of a list's thousand mistakes would compare the whole list.
  const judged = new Map<string, boolean>()
  const isOld = ({ code, path }: z.core.$ZodIssue): boolean => {
    if (code === 'unrecognized_keys') return false
    const field = fieldOf(sent, path)
    const name = JSON.stringify(field)
    const known = judged.get(name)
    if (known !== undefined) return known
    const value = valueAt(sent, field)
    const isUnchanged = field.length > 0 && value !== undefined && isSame(value, valueAt(stored, field))
    judged.set(name, isUnchanged)
    return isUnchanged
  }
  const wrong = first.error.issues.filter((issue) => !isOld(issue))
  if (wrong.length > 0) throw badFields(fieldErrorsOf(new z.ZodError(wrong)))
  const left = [...judged.keys()].reduce<unknown>((body, name) => without(body, JSON.parse(name) as Path), sent)
  const second = schema.safeParse(left)
  if (!second.success) throw badFields(fieldErrorsOf(second.error))
  return withoutCleaned(second.data, sent, stored) as z.output<S>
}
