import { expect, test } from 'vitest'

import type { RecordKind } from '../../../contract/records.ts'
import { type HitSource, toRecordHit } from './record-hits.ts'

const PRINCIPAL = { name: 'Principal', group: 'LEADERSHIP' }
const ASSISTANT = { name: 'Administrative Assistant', group: 'LEADERSHIP' }
const REGISTRAR = { name: 'Registrar', group: 'STUDENT_SUPPORT' }
const ROLES = new Map([
  ['p', PRINCIPAL],
  ['a', ASSISTANT],
  ['r', REGISTRAR],
])

const site = (displayName: string, changes: object = {}) => ({
  _id: displayName,
  slug: displayName.toLowerCase(),
  displayName,
  city: 'Lodi',
  state: 'CA',
  category: 'Online',
  finance_id: null,
  phone: '209-555-0142',
  status: 'ACTIVE' as const,
  version: 3,
  ...changes,
})
const SITES = new Map(
  [site('Amber'), site('Birch', { status: 'CLOSED - PERMANENTLY' }), site('Cedar', { city: 'Fresno', finance_id: '04127' })].map((one) => [
    one._id,
    one,
  ]),
)

const source = (positions: readonly (readonly [role: string, site: string])[], leftAt: string | null = null): HitSource => ({
  getRow: (kind, _id) => {
    const rows: Readonly<Partial<Record<RecordKind, object | undefined>>> = {
      person: { _id, slug: 'ann', name: 'Ann', phone: null, email: 'ann@sites.example', leftAt, version: 2 },
      site: SITES.get(_id),
      charter: { _id, slug: 'c', name: 'Delta', studentCount: 1234, charterContactnumber: null, status: 'ACTIVE', version: 1 },
      brand: { _id, slug: 'b', brandName: 'Meridian', status: 'ACTIVE', version: 1 },
    }
    return rows[kind]
  },
  getRole: (_id) => ROLES.get(_id),
  listPositions: () => positions.map(([role, site]) => ({ role, site })),
  count: (counted) => (counted === 'site' ? 3 : 1),
})
const getDetail = (...[rows, context]: [Parameters<typeof source>[0], Parameters<typeof toRecordHit>[3]?]) =>
  toRecordHit(source(rows), 'person', 'x', context)?.detail

test('a person is shown with the first role and its site', () => {
  expect(getDetail([['r', 'Amber'], ['a', 'Amber'], ['p', 'Cedar']])).toBe('Principal · Cedar') // prettier-ignore
  expect(getDetail([['p', 'Amber'], ['p', 'Cedar']])).toBe('Principal · 2 sites') // prettier-ignore
  expect(getDetail([])).toBe('No role assigned')
  expect(toRecordHit(source([], '2026-01-01'), 'person', 'x')?.detail).toBe('Left')
})

test('a person is shown with the role and the site that matched', () => {
  expect(getDetail([['p', 'Amber'], ['r', 'Cedar']], { role: 'r' })).toBe('Registrar · Cedar') // prettier-ignore
  const isSearchedSite = (nameAndCity: string) => nameAndCity.includes('Fresno')
  expect(getDetail([['p', 'Amber'], ['p', 'Birch'], ['p', 'Cedar']], { role: 'p', isSearchedSite })).toBe('Principal · Cedar and 2 more') // prettier-ignore
})

test('of several matching sites, an open one is named', () => {
  expect(getDetail([['p', 'Birch'], ['p', 'Amber']], { isSearchedSite: () => true })).toBe('Principal · Amber and 1 more') // prettier-ignore
})

test('a long list of sites is counted instead of named', () => {
  const positions = Array.from({ length: 61 }, () => ['p', 'Amber'] as const)
  expect(getDetail(positions, { isSearchedSite: () => true })).toBe('Principal · 61 sites')
})

test('every kind of record has its details', () => {
  expect(toRecordHit(source([]), 'site', 'Cedar')).toEqual({
    kind: 'site',
    _id: 'Cedar',
    slug: 'cedar',
    name: 'Cedar',
    detail: 'Fresno, CA · Online · Finance no. 04127',
    phone: '209-555-0142',
    email: null,
    status: 'ACTIVE',
    version: 3,
  })
  expect(toRecordHit(source([]), 'charter', 'x')?.detail).toBe('1,234 students · 3 sites')
  expect(toRecordHit(source([]), 'brand', 'x')?.detail).toBe('1 charter')
  expect(toRecordHit(source([]), 'region', 'x')).toBeUndefined()
})
