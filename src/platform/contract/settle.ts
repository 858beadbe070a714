import { z } from 'zod'

import { badFields, fieldErrorsOf } from './problem.ts'

type Path = readonly PropertyKey[]

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<PropertyKey, unknown>>)[key] : undefined),
    value,
  )

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const without = (value: unknown, path: Path): unknown => {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null) return value
  const { [key]: inner, ...others } = value as Record<PropertyKey, unknown>
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) }
}

/**
 * What was sent for an edit, checked: a field that breaks a rule is accepted when it comes back just as it is stored (D33), and left out of
 * the edit. Everything else that is wrong is thrown as 422. `stored` has the fields as they are sent.
 */
export const settle = <S extends z.ZodType>(schema: S, sent: unknown, stored: object): z.output<S> => {
  const first = schema.safeParse(sent)
  if (first.success) return first.data
  const isOld = ({ code, path }: z.core.$ZodIssue): boolean =>
    code !== 'unrecognized_keys' &&
    path.length > 0 &&
    valueAt(sent, path) !== undefined &&
    isSame(valueAt(sent, path), valueAt(stored, path))
  const wrong = first.error.issues.filter((issue) => !isOld(issue))
  if (wrong.length > 0) throw badFields(fieldErrorsOf(new z.ZodError(wrong)))
  const left = first.error.issues.reduce<unknown>((body, { path }) => without(body, path), sent)
  const second = schema.safeParse(left)
  if (!second.success) throw badFields(fieldErrorsOf(second.error))
  return second.data
}
