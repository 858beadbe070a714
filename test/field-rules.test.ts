import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { INVALID_EMAIL, isEmail } from '../src/platform/contract/emails.ts'
import { REQUIRED } from '../src/platform/contract/messages.ts'
import { cleanSlug, isReachable } from '../src/platform/contract/slugs.ts'
import { cleanLine, cleanLines, wrongInLine, wrongInLines } from '../src/platform/contract/texts.ts'
import { fieldsOfKind, type Place } from './walking.ts'

// One value has one verdict in every field of its kind, in whichever call, whether it makes or changes a record.

const names = (fields: readonly Place[]): string[] => fields.map(({ call, path }) => `${call} ${path.join('.')}`)

/** What a field makes of a value: what is stored, or what is said. */
const verdict = ({ schema }: Place, value: unknown): unknown => {
  const read = (schema as z.ZodType).safeParse(value)
  return read.success ? { stored: read.data } : read.error.issues[0]?.message
}
/** What a blank text becomes: nothing, or a complaint where something is required. */
const isOfABlank = (of: unknown): boolean =>
  typeof of === 'string' ? of === REQUIRED || /^Please (say|provide)/.test(of) : JSON.stringify(of) === '{"stored":null}'

const odd = fc.constantFrom(
  ...[
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
  ],
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
  const fields = fieldsOfKind('email')
  const lists = fieldsOfKind('emails')
  test('is judged by one rule wherever it is written', () => {
    expect(names(fields)).toEqual(
      expect.arrayContaining([
        'POST /locations-api/people email',
        'PUT /locations-api/people/:id email',
        'POST /api/permissions/new_app_permission userInfo.azureID',
        'POST /locations-api/is_support email',
        'POST /locations-api/site_send_change email',
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
        for (const field of fields) {
          if (clean === '') expect(isOfABlank(verdict(field, typed))).toBe(true)
          else expect(verdict(field, typed)).toEqual(isEmail(clean) ? { stored: clean } : INVALID_EMAIL)
        }
        if (clean !== '')
          for (const list of lists) expect(verdict(list, [typed])).toEqual(isEmail(clean) ? { stored: [clean] } : INVALID_EMAIL)
      }),
      RUNS,
    )
  })
})

describe('a line', () => {
  test('is judged by one rule wherever it is written', () => {
    const fields = fieldsOfKind('line')
    expect(fields.length).toBeGreaterThan(40)
    fc.assert(
      fc.property(anyText, (typed) => {
        const clean = cleanLine(typed)
        for (const field of fields) {
          const of = verdict(field, typed)
          if (clean === '') expect([names([field]), isOfABlank(of)]).toEqual([names([field]), true])
          else expect([names([field]), of]).toEqual([names([field]), wrongInLine(clean) ?? { stored: clean }])
        }
      }),
      RUNS,
    )
  })
})

describe('a text of several lines', () => {
  test('is judged by one rule wherever it is written', () => {
    const fields = fieldsOfKind('lines')
    expect(fields.length).toBeGreaterThan(100)
    fc.assert(
      fc.property(anyText, (typed) => {
        const clean = cleanLines(typed)
        for (const field of fields) {
          const of = verdict(field, typed)
          if (clean === '') expect([names([field]), isOfABlank(of)]).toEqual([names([field]), true])
          else expect([names([field]), of]).toEqual([names([field]), wrongInLines(clean) ?? { stored: clean }])
        }
      }),
      RUNS,
    )
  })
})

describe('a slug', () => {
  test('is judged by one rule wherever it is written, and leads to its record from every address', () => {
    const fields = fieldsOfKind('slug')
    expect(names(fields)).toEqual(['POST /locations-api/addcharter slug', 'PUT /locations-api/charterview/:id slug'])
    fc.assert(
      fc.property(anyText, (typed) => {
        const [made, changed] = fields.map((field) => verdict(field, typed))
        expect(made).toEqual(changed)
        const clean = cleanSlug(typed)
        if (!/^[\p{L}\p{M} .|-]*$/u.test(clean) || !isReachable(clean)) expect(typeof made).toBe('string')
        else
          expect([made, new URL(`https://x.test/charter/${encodeURIComponent(clean)}`).pathname]).toEqual([
            { stored: clean },
            `/charter/${encodeURIComponent(clean)}`,
          ])
      }),
      RUNS,
    )
  })
})
