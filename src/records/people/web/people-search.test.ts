import { expect, test } from 'vitest'

import type { Person } from '../contract.ts'
import { findPeople, formatPosition } from './people-search.ts'

const toPerson = (name: string, change: Partial<Person> = {}) =>
  ({ _id: name, name, email: `${name.toLowerCase()}@school.example`, leftAt: null, roles: [], sites: [], ...change }) as unknown as Person
const people = [
  toPerson('Hannah Ashworth'),
  toPerson('Anaïs Lane'),
  toPerson('Ann Left', { leftAt: '2026-01-01T00:00:00.000Z' }),
  toPerson('Zoe Ander'),
]
const find = (typed: string, excludedId?: string) => findPeople(people, typed, excludedId).map(({ name }) => name)

test('people with a word that begins with the text come first, and people who left are not found', () => {
  expect(find('AN')).toEqual(['Anaïs Lane', 'Zoe Ander', 'Hannah Ashworth'])
  expect(find('anais')).toEqual(['Anaïs Lane'])
  expect(find('an', 'Anaïs Lane')).toEqual(['Zoe Ander', 'Hannah Ashworth'])
  expect(find('q')).toEqual([])
})

test('a person is shown with role and site, and with the email address if there is no role', () => {
  const named = (names: string[]) => names.map((name) => ({ _id: name, name, displayName: name })) as never
  expect(formatPosition(toPerson('Ada', { roles: named(['Principal']), sites: named(['Lodi']) }))).toBe('Principal, Lodi')
  expect(formatPosition(toPerson('Ada', { roles: named(['Registrar']), sites: named(['Galt', 'Lodi']) }))).toBe(
    'Registrar, Galt and 1 more',
  )
  expect(formatPosition(toPerson('Ada'))).toBe('ada@school.example')
  expect(formatPosition(toPerson('Ada', { email: null }))).toBe('No role')
})
