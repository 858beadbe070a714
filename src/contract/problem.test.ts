import { expect, test } from 'vitest'
import { z } from 'zod'

import { invalidFields, toFieldErrors, MAX_FIELD_ERRORS, Problem } from './problem.ts'

const errorsOf = (schema: z.ZodType, value: unknown) => toFieldErrors(schema.safeParse(value).error ?? expect.fail('it is right'))
const sizeOf = (problem: Problem): number => JSON.stringify(problem.toBody()).length

test.each([
  [
    'wrong elements',
    errorsOf(
      z.array(z.string()),
      Array.from({ length: 50_000 }, () => 1),
    ),
  ],
  ['unknown keys', errorsOf(z.strictObject({}), Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key ${n}`, 1])))],
])('of many field errors the first hundred are returned, with a note that there are more: %s', (_what, errors) => {
  const answer = invalidFields(errors).toBody()
  expect(answer.errors).toHaveLength(MAX_FIELD_ERRORS)
  expect(answer.title).toBe('More than 100 fields need to be corrected')
  expect(answer.detail).toBe('Only the first 100 are listed.')
})

test('a few field errors are returned unchanged', () => {
  expect(invalidFields(errorsOf(z.strictObject({ a: z.string({ error: 'Wrong' }) }), { b: 1 })).toBody()).toEqual({
    title: '2 fields need to be corrected',
    status: 422,
    errors: [
      { path: 'a', message: 'Wrong' },
      { path: 'b', message: 'Unknown field' },
    ],
  })
})

const LONG = '\0"\\\u001F'.repeat(50_000)

test.each<[string, Problem]>([
  ['names', invalidFields(errorsOf(z.strictObject({}), Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${n} ${LONG}`, 1]))))],
  [
    'a name with many errors after it',
    invalidFields(errorsOf(z.record(z.string(), z.array(z.string())), { [LONG]: Array.from({ length: 1000 }, () => 1) })),
  ],
  ['messages', invalidFields(Array.from({ length: 200 }, () => ({ path: 'a', message: LONG })))],
  ['title and detail', new Problem(404, LONG, { detail: LONG })],
])('a quoted value is limited in length: %s', (_what, problem) => {
  expect(sizeOf(problem)).toBeLessThan(100_000)
})
