import { expect, test } from 'vitest'

import { createQuickProof } from '../support/quick-proof.ts'
import { runMemoryProof } from './memory.proof.ts'

// The quick form of `npm run prove:memory`: the requests that need the most memory.

const HEAVIEST = new Set([
  'PUT /locations-api/charter_affair/:id',
  'PUT /locations-api/charter_affair/:id, nothing but values',
  'POST /api/pictures',
  'POST /api/exports/list, sites',
  'GET /api/exports/excel/facilities',
  'POST /log-error',
])

test('fifty concurrent requests of the largest size from one account leave the server responsive and within its memory', async () => {
  const found = new Set<string>()
  const isSelected = (name: string): boolean => HEAVIEST.has(name) && Boolean(found.add(name))
  const proof = createQuickProof({ limits: /memory/ })
  await expect(runMemoryProof(proof, { sites: 3, atOnce: 50, isSelected })).resolves.toBeUndefined()
  expect(found).toEqual(HEAVIEST)
})
