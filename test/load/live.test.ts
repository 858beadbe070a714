import { test } from 'vitest'

import { createQuickProof } from '../support/quick-proof.ts'
import { runLiveProof } from './live.proof.ts'

// The quick form of `npm run prove:live`.

test('open pages cost the server little while nothing changes, and all hear of a change', async () => {
  await runLiveProof(createQuickProof({ limits: /memory|stopped/, timeFactor: 3 }), { streams: 300, seconds: 5 })
})
