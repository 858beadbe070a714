import { expect, test } from 'vitest'

import { isActive, isClosed, getStatusOverlay, STATUS_LABELS, STATUSES } from './status.ts'

test('a status containing active or pending counts as active, one containing closed', () => {
  expect(STATUSES.filter(isActive)).toEqual(['ACTIVE', 'ACTIVE - TEMPORARY', 'PENDING'])
  expect(STATUSES.filter(isClosed)).toEqual(['CLOSED - PERMANENTLY', 'CLOSED - TEMPORARILY'])
})

test('ACTIVE is displayed as Active - Permanent and the others in the same title case', () => {
  expect(STATUSES.map((status) => STATUS_LABELS[status])).toEqual([
    'Active - Permanent',
    'Active - Temporary',
    'Pending',
    'Closed - Permanently',
    'Closed - Temporarily',
  ])
})

test('a card shows Coming Soon for pending, the stored status for closed and nothing for active', () => {
  expect(STATUSES.map(getStatusOverlay)).toEqual([null, null, 'Coming Soon', 'CLOSED - PERMANENTLY', 'CLOSED - TEMPORARILY'])
})
