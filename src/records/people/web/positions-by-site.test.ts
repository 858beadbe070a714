import { expect, test } from 'vitest'

import type { Status } from '../../../contract/status.ts'
import { listUnique, groupPositionsBySite } from './positions-by-site.ts'

const location = (displayName: string, role: string, status: Status = 'ACTIVE') => ({
  _id: `${displayName} ${role}`,
  role: { _id: role, name: role },
  site: {
    _id: displayName,
    slug: displayName.toLowerCase(),
    name: null,
    displayName,
    category: null,
    finance_id: null,
    status,
    photo: null,
    address: { address_1: null, address_2: null, city: null, state: null, zip: null, phone: null },
    charter: null,
    region: null,
    principal: null,
    vacant: [],
    version: 1,
    updatedAt: '2026-11-20T00:00:00Z',
    checkedAt: null,
  },
})

test('a site where a person has two roles is listed once, with both', () => {
  const bySite = groupPositionsBySite([location('Lodi', 'Principal'), location('Lodi', 'Registrar')])
  expect(bySite.map(({ site, roles }) => [site.displayName, ...roles])).toEqual([['Lodi', 'Principal', 'Registrar']])
})

test('open sites come first, then by name', () => {
  const bySite = groupPositionsBySite([
    location('Acton', 'Principal', 'CLOSED - PERMANENTLY'),
    location('Tracy', 'Principal', 'PENDING'),
    location('Lodi', 'Principal'),
  ])
  expect(bySite.map(({ site }) => site.displayName)).toEqual(['Lodi', 'Tracy', 'Acton'])
})

test('a region or charter of several sites is listed once', () => {
  const [california, texas] = [
    { _id: '1', name: 'California' },
    { _id: '2', name: 'Texas' },
  ]
  expect(listUnique([texas, california, null, california])).toEqual([california, texas])
})
