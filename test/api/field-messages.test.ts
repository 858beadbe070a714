import { expect, test } from 'vitest'

import { toFieldErrors } from '../../src/contract/problem.ts'
import { setAtPath, callInputs } from '../support/schema-fields.ts'

/** Wrong inputs: missing, too long, of another type, with other characters. */
const WRONG: readonly unknown[] = [
  '',
  '   ',
  'x',
  'x'.repeat(150_000),
  '<b>',
  'a\nb',
  'a\u0007b',
  '\u0000',
  '\ud800',
  '2026-02-30',
  'not@an@address',
  '123456',
  '-1',
  '1.5',
  'NaN',
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e12,
  Number.NaN,
  [],
  {},
  [null],
  ['x'],
  [1],
  [[]],
  { a: 1 },
  Array.from({ length: 5000 }, () => 'x'),
]

/** Terms of the schema library and of schema authors, which no message may contain. */
const OF_THE_LIBRARY =
  /invalid|expected|received|regex|must match|too (big|small)|unrecognized|undefined|\bnull\b|\bNaN\b|\bstring\b|boolean|\binteger\b|zod|\/\^|[[\]\\]|>=|<=/i

test('every error in every field of a call has its own message', () => {
  const messages = new Map<string, string>()
  for (const { name, schema, fields } of callInputs) {
    for (const { path } of fields) {
      for (const value of WRONG) {
        const read = schema.safeParse(setAtPath(path, value))
        for (const { path: at, message } of read.success ? [] : toFieldErrors(read.error)) messages.set(message, `${name} ${at}`)
      }
    }
  }
  expect(messages.size).toBeGreaterThan(40)
  expect([...messages].filter(([message]) => OF_THE_LIBRARY.test(message) || !/^\p{Lu}/u.test(message))).toEqual([])
})

test('a limit is described in the unit that it counts', () => {
  const messageOf = (call: string, path: string, value: unknown): string | undefined => {
    const read = callInputs.find(({ name }) => name === `${call} body`)?.schema.safeParse(setAtPath(path.split('.'), value))
    return read?.error && toFieldErrors(read.error).find((error) => error.path === path.replace('*', '0'))?.message
  }
  const charter = 'PUT /locations-api/charterview/:id'
  for (const count of ['123456', 123_456, -1, 1.5, '12a', ' 1 2', true, {}])
    expect(messageOf(charter, 'studentCount', count)).toBe('Use at most 5 digits')
  expect(messageOf(charter, 'name', 'x'.repeat(61))).toBe('Use at most 60 characters')
  expect(messageOf(charter, 'slug', 'x'.repeat(61))).toBe('Use at most 60 characters')
  expect(messageOf(charter, 'abbreviation', 'x'.repeat(11))).toBe('Use at most 10 characters')
  expect(messageOf(charter, 'schoolTypeUrls.*.url', 'x'.repeat(51))).toBe('Use at most 50 characters')
  expect(messageOf(charter, 'name', '  ')).toBe('This field is required')
  expect(messageOf(charter, 'name', 7)).toBe('Enter text')
  expect(messageOf(charter, 'status', 'OPEN')).toBe('Choose one from the list')
  expect(messageOf('PATCH /locations-api/sites/:id', 'address.city', 'x'.repeat(51))).toBe('Use at most 50 characters')
  expect(messageOf('PATCH /locations-api/site_fac_updates/:id', 'partnership', 'perhaps')).toBe('Choose yes or no')
  expect(messageOf('PATCH /locations-api/site_fac_updates/:id', 'lease_start', '02/30/2026')).toBe(
    'Enter a date as MM/DD/YYYY, such as 11/20/2026',
  )
})
