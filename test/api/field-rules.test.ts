import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { INVALID_EMAIL, isEmail } from '../../src/contract/emails.ts'
import { normalizeSlug, isReachableSlug } from '../../src/contract/slugs.ts'
import { cleanLine, cleanMultiline, findLineError, findMultilineError } from '../../src/contract/text-cleaning.ts'
import { listFieldsOfKind, type SchemaField } from '../support/schema-fields.ts'

// A value is treated the same in every field of its kind, in all calls that create or change a record.

const names = (fields: readonly SchemaField[]): string[] => fields.map(({ call, path }) => `${call} ${path.join('.')}`)

/** The result of parsing a value with a field's schema: the stored value or the error message. */
const verdict = ({ schema }: SchemaField, value: unknown): unknown => {
  const read = schema.safeParse(value)
  return read.success ? { stored: read.data } : read.error.issues[0]?.message
}
/** The same, with a single result for blank text, whether the field stores nothing or requires a value. */
const verdictOrBlank = (field: SchemaField, typed: string): unknown => {
  const of = verdict(field, typed)
  const isBlank = JSON.stringify(of) === JSON.stringify(verdict(field, ''))
  return isBlank ? BLANK : of
}
const BLANK = 'nothing, or required'

/** Expects the same result from all fields for a text; a failure names the fields that differ. */
const expectAll = (fields: readonly SchemaField[], typed: string, expected: unknown): void =>
  expect(fields.map((field) => [...names([field]), verdictOrBlank(field, typed)])).toEqual(
    fields.map((field) => [...names([field]), expected]),
  )

const odd = fc.constantFrom(
  ' ',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '\u0007',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u2066',
  '\ud800',
  '\ufe0f',
)
const plain = fc.constantFrom('a', 'B', 'é', '7', '.', '..', '|', '-', "'", '+', '%', '%2e', '?', '&', '<', ',', '"', '/', '\\', '東', '👩‍🏫')
const anyText = fc.array(fc.oneof(odd, plain, plain), { maxLength: 6 }).map((parts) => parts.join(''))
const address = fc
  .tuple(
    fc.array(fc.oneof(plain, odd), { maxLength: 3 }),
    fc.constantFrom('@', '', '@@'),
    fc.array(fc.oneof(plain, fc.constantFrom('x', '.co', '-', '.c1', '.org', 'xn--')), { maxLength: 4 }),
    fc.constantFrom('', '.org', '.c', '@x.org', '\n', ' '),
  )
  .map(([local, at, domain, end]) => `${local.join('')}${at}${domain.join('')}${end}`)
const RUNS = { numRuns: 400 }

describe('an email address', () => {
  const fields = listFieldsOfKind('email')
  const lists = listFieldsOfKind('emails')
  test('is checked by one rule in every call', () => {
    expect(names(fields)).toEqual(
      expect.arrayContaining([
        'POST /locations-api/people email',
        'PUT /locations-api/people/:id email',
        'POST /api/permissions/new_app_permission userInfo.azureID',
      ]),
    )
    expect(names(lists)).toEqual(
      expect.arrayContaining([
        'POST /locations-api/site enrollment_info.registrationEmail',
        'POST /locations-api/site enrollment_info.interestEmail',
        'PATCH /locations-api/site_enroll_updates/:id registrationEmail',
        'PATCH /locations-api/site_enroll_updates/:id interestEmail',
        'PUT /api/settings supportRequestsTo',
        'PUT /api/settings changeRequestsTo.*.emails',
      ]),
    )
    fc.assert(
      fc.property(address, (typed) => {
        const clean = cleanLine(typed)
        const expected = isEmail(clean) ? { stored: clean } : INVALID_EMAIL
        expectAll(fields, typed, clean === '' ? BLANK : expected)
        expect(lists.map((list) => verdict(list, [typed, 'a@b.co']))).toEqual(
          lists.map(() => (clean === '' ? { stored: ['a@b.co'] } : isEmail(clean) ? { stored: [clean, 'a@b.co'] } : INVALID_EMAIL)),
        )
      }),
      RUNS,
    )
  })
})

describe('a single-line text', () => {
  test('is checked by one rule in every call', () => {
    // Webhooks take no other text than web addresses, and a time zone is one of a list.
    const addresses = listFieldsOfKind('address').filter(({ call }) => !call.includes('/api/webhooks'))
    const lines = listFieldsOfKind('line').filter(({ path }) => path.at(-1) !== 'timeZone')
    const fields = [...lines, ...addresses]
    expect(fields.length).toBeGreaterThan(40)
    fc.assert(
      fc.property(anyText, (typed) => {
        const clean = cleanLine(typed)
        expectAll(fields, typed, clean === '' ? BLANK : (findLineError(clean) ?? { stored: clean }))
      }),
      RUNS,
    )
  })
})

describe('a multi-line text', () => {
  test('is checked by one rule in every call', () => {
    const fields = listFieldsOfKind('lines')
    expect(fields.length).toBeGreaterThan(100)
    fc.assert(
      fc.property(anyText, (typed) => {
        const clean = cleanMultiline(typed)
        expectAll(fields, typed, clean === '' ? BLANK : (findMultilineError(clean) ?? { stored: clean }))
      }),
      RUNS,
    )
  })
})

describe('a slug', () => {
  test('is checked by one rule in every call, and every URL with it leads to its record', () => {
    const fields = listFieldsOfKind('slug')
    expect(names(fields)).toEqual(['POST /locations-api/addcharter slug', 'PUT /locations-api/charterview/:id slug'])
    const reached: boolean[] = []
    fc.assert(
      fc.property(anyText, (typed) => {
        const [made, changed] = fields.map((field) => verdict(field, typed))
        expect(made).toEqual(changed)
        const clean = normalizeSlug(typed)
        const isRight = /^[\p{L}\p{M} .|-]*$/u.test(clean) && isReachableSlug(clean)
        expect(typeof made === 'string' ? 'refused' : made).toEqual(isRight ? { stored: clean } : 'refused')
        if (isRight)
          reached.push(new URL(`https://x.test/charter/${encodeURIComponent(clean)}`).pathname === `/charter/${encodeURIComponent(clean)}`)
      }),
      RUNS,
    )
    expect(reached).toContain(true)
    expect(reached).not.toContain(false)
  })
})
