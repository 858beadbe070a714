import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { measureComparableCpu } from '../../test/support/cpu-time.ts'
import type { Problem } from './problem.ts'
import { optionalLine, requiredPattern, optionalDay } from './text-schemas.ts'
import { validateChanges } from './validate-changes.ts'

const Body = z
  .strictObject({
    name: optionalLine(5),
    opened: optionalDay(),
    address: z.strictObject({ zip: requiredPattern(/^\d{5}$/, 'Five digits'), city: optionalLine() }).partial(),
  })
  .partial()
const stored = { name: 'much too long', opened: null, address: { zip: '9524', city: null } }
const errorsOf = (sent: unknown) => {
  try {
    validateChanges(Body, sent, stored)
  } catch (error) {
    return (error as Problem).errors?.map(({ path, message }) => `${path}: ${message}`)
  }
  return []
}

describe('an edit', () => {
  test('is the sent values, with null for an empty text', () => {
    expect(validateChanges(Body, { name: '', opened: '', address: { zip: '95240' } }, stored)).toEqual({
      name: null,
      opened: null,
      address: { zip: '95240' },
    })
    expect(validateChanges(Body, { opened: '2026-11-20', name: null }, stored)).toEqual({ opened: '2026-11-20', name: null })
  })

  test('ignores a stored invalid value that is sent back unchanged', () => {
    expect(validateChanges(Body, { name: 'much too long', opened: '2026-11-20', address: { zip: '9524', city: 'Lodi' } }, stored)).toEqual({
      opened: '2026-11-20',
      address: { city: 'Lodi' },
    })
  })

  test('names every field that breaks a rule, and every unknown field', () => {
    expect(errorsOf({ name: 'also too long', opened: '2026-13-01', address: { zip: '', street: 'x' }, planet: 1 })?.toSorted()).toEqual([
      'address.street: Unknown field',
      'address.zip: This field is required',
      'name: Use at most 5 characters',
      'opened: Enter a date as MM/DD/YYYY, such as 11/20/2026',
      'planet: Unknown field',
    ])
    expect(errorsOf({ name: 'much too long', planet: 1 })).toEqual(['planet: Unknown field'])
    expect(errorsOf([])).not.toEqual([])
    expect(errorsOf({ name: 5 })).toEqual(['name: Enter text'])
  })
})

test('a list with thousands of invalid entries is compared only once', async () => {
  const schema = z.strictObject({ list: z.array(z.string()) })
  const list = Array.from({ length: 20_000 }, () => 1)
  const ms = await measureComparableCpu(async () => {
    expect(() => validateChanges(schema, { list }, { list: ['a'] })).toThrow('More than 100 fields need to be corrected')
    expect(validateChanges(schema.partial(), { list }, { list })).toEqual({})
  })
  expect(ms, 'milliseconds of CPU time').toBeLessThan(500)
})
