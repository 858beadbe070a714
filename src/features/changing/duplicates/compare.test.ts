import { expect, test } from 'vitest'

import type { DuplicateKind } from '../../../contract/records.ts'
import { compareProfiles, type ListRows, toProfile } from './compare.ts'

const noRows: ListRows = () => []
const compare = (kind: DuplicateKind, a: object, b: object) => compareProfiles(kind, toProfile(kind, a, noRows), toProfile(kind, b, noRows))
const person = (name: string, values: object = {}) => ({ name, ...values })
const site = (displayName: string, values: object = {}) => ({ displayName, name: null, city: 'Lodi', zip: '95240', ...values })
const PHONE = { phone: '209-555-0188' }
const BUILDING = { ...PHONE, address_1: '12 N. Main St.' }

test.each([
  ['Katherine Duplessis', 'Kathy Duplessis', PHONE, PHONE, 70, ['Same phone', 'Kathy is short for Katherine', 'Same last name']],
  ['José Núñez', 'Jose Nunez', {}, {}, 65, ['Same name']],
  ['Hannah Ashworth', 'Ashworth, Hannah', {}, {}, 60, ['Same words in another order']],
  ['Mary Ann St. John', 'Mary St. John', PHONE, PHONE, 75, ['Same phone', 'Names differ by ‘Ann’']],
  [
    'Jonathan Reed',
    'Jonathon Reed',
    PHONE,
    { phone: '(209) 555-0188' },
    70,
    ['Same phone', 'Jonathan and Jonathon differ by one letter', 'Same last name'],
  ],
])('%s and %s are probably one person', (one, other, facts, others, score, reasons) => {
  expect(compare('person', person(one, facts), person(other, others))).toEqual({ score, reasons })
})

test.each([
  ['namesakes with different HR numbers', person('Maria Garcia', { sql_person_id: '1' }), person('Maria Garcia', { sql_person_id: '2' })],
  ['people with one last name and one phone', person('Ana Reyes', PHONE), person('Luis Reyes', PHONE)],
  ['a father and a son', person('John Reed', PHONE), person('John Reed Jr.', PHONE)],
  ['nicknames without another sign', person('Robert Hall'), person('Bob Hall')],
])('%s are not', (_what, one, other) => {
  expect(compare('person', one, other)).toBeUndefined()
})

test('sites in one building are one if their names are near, and not if these name other grade levels or numbers', () => {
  expect(
    compare(
      'site',
      site('St. Mary Academy', BUILDING),
      site('Saint Mary Academy', { ...PHONE, address_1: '12 North Main Street, Suite 4' }),
    ),
  ).toEqual({
    score: 100,
    reasons: ['Same street', 'Same phone', 'Names differ by ‘St.’'],
  })
  expect(compare('site', site('Lodi', BUILDING), site('Lodi Resource Center', BUILDING))?.reasons).toContain(
    'Names differ by ‘Resource Center’',
  )
  for (const [one, other] of [
    ['Lodi Elementary', 'Lodi High'],
    ['Lodi Academy', 'Lodi Middle Academy'],
    ['Lodi 1', 'Lodi 2'],
    ['Lodi', 'Lodi Online'],
    ['Oak Grove', 'Pine Hill'],
  ])
    expect(compare('site', site(one ?? '', BUILDING), site(other ?? '', BUILDING))).toBeUndefined()
})

test('equal names in other cities are those of different sites', () => {
  expect(compare('site', site('Hope Academy'), site('Hope Academy', { city: 'Galt', zip: '95632' }))).toBeUndefined()
  expect(compare('site', site('Hope Academy'), site('Hope Academy'))).toEqual({ score: 65, reasons: ['Same name'] })
})
