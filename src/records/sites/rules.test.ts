import { expect, test } from 'vitest'

import { sortByDefault } from '../../contract/lists.ts'
import type { Status } from '../../contract/status.ts'
import { matchesStatusFilter, getStatusRank, isRecentlyUpdated } from './rules.ts'

const zone = 'America/Los_Angeles'
const now = new Date('2026-11-21T04:00:00Z') // November 20, in the evening in California

test.each([
  ['2026-11-21T03:59:00Z', true],
  ['2026-11-13T08:00:00Z', true],
  ['2026-11-13T07:59:00Z', false],
  ['2025-11-20T12:00:00Z', false],
])('a site updated at %s counts as recently updated: %s', (updatedAt, recently) =>
  expect(isRecentlyUpdated(updatedAt, zone, now)).toBe(recently),
)

test('a pending site counts as active and as coming soon, a closed one only as closed', () => {
  const site = (status: 'PENDING' | 'ACTIVE - TEMPORARY' | 'CLOSED - TEMPORARILY') => ({ status, updatedAt: '2020-01-01T00:00:00Z' })
  expect(matchesStatusFilter('active', site('PENDING'), zone, now)).toBe(true)
  expect(matchesStatusFilter('coming-soon', site('PENDING'), zone, now)).toBe(true)
  expect(matchesStatusFilter('active', site('ACTIVE - TEMPORARY'), zone, now)).toBe(true)
  expect(matchesStatusFilter('coming-soon', site('ACTIVE - TEMPORARY'), zone, now)).toBe(false)
  expect(matchesStatusFilter('closed', site('CLOSED - TEMPORARILY'), zone, now)).toBe(true)
  expect(matchesStatusFilter('active', site('CLOSED - TEMPORARILY'), zone, now)).toBe(false)
  expect(matchesStatusFilter('updated', site('PENDING'), zone, now)).toBe(false)
})

test('open sites come first, then those coming soon, then closed ones, each by name', () => {
  const sites = sortByDefault<{ status: Status; displayName: string }>(
    { getRank: ({ status }) => getStatusRank(status), getName: ({ displayName }) => displayName },
    [
      { status: 'CLOSED - PERMANENTLY', displayName: 'Alder' },
      { status: 'PENDING', displayName: 'Birch' },
      { status: 'ACTIVE', displayName: 'School 10' },
      { status: 'ACTIVE - TEMPORARY', displayName: 'école 1' },
      { status: 'ACTIVE', displayName: 'School 9' },
    ],
  )
  expect(sites.map((site) => site.displayName)).toEqual(['école 1', 'School 9', 'School 10', 'Birch', 'Alder'])
})
