import { availableParallelism, loadavg } from 'node:os'

import { expect, test } from 'vitest'

import { createQuickProof } from '../support/quick-proof.ts'
import { runMemoryProof } from './memory.proof.ts'

// The quick form of `npm run prove:memory`: the requests that need the most memory, or would block others the longest.

const HEAVIEST = new Set([
  'PUT /locations-api/charter_affair/:id',
  'PUT /locations-api/charter_affair/:id, nothing but values',
  'POST /locations-api/charter_affair/:id/member',
  'POST /locations-api/charter_affair/:id/district',
  'GET /api/deadlines/unread',
  'GET /api/deadlines/charters/:id/texts',
  'POST /api/bulk/preview',
  'POST /api/bulk/apply',
  'POST /api/checks/many',
  'PUT /api/settings',
  'POST /api/pictures',
  'POST /api/exports/list, sites',
  'GET /api/exports/excel/facilities',
  'POST /log-error',
])

test('fifty concurrent requests of the largest size from one account leave the server responsive and within its memory', async () => {
  const found = new Set<string>()
  const isSelected = (name: string): boolean => HEAVIEST.has(name) && Boolean(found.add(name))
  // Three times the limit of the proof, and more on a busy machine: tests do not have it to themselves.
  const timeFactor = 3 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  const proof = createQuickProof({ limits: /memory|healthz/, timeFactor })
  await expect(runMemoryProof(proof, { sites: 3, atOnce: 50, isSelected, maxTries: 1 })).resolves.toBeUndefined()
  expect(found).toEqual(HEAVIEST)
}, 600_000)
