import { expect, test } from 'vitest'

import { createQuickProof } from '../support/quick-proof.ts'
import { runLiveProof } from './live.proof.ts'

// The quick form of `npm run prove:live`.

test('open pages cost the server little while nothing changes, and all hear of a change', async () => {
  const proof = createQuickProof({ limits: /memory|stopped/, timeFactor: 3 })
  await expect(runLiveProof(proof, { streams: 300, seconds: 5 })).resolves.toBeUndefined()
})
