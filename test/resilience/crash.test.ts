import { expect, test } from 'vitest'

import { createQuickProof } from '../support/quick-proof.ts'
import { runCrashProof } from './crash.proof.ts'

// The quick form of `npm run prove:crash`.

test.runIf(process.platform === 'linux')(
  'nothing that was acknowledged is lost or half there when the server is killed 3 times and its database twice',
  async () => {
    await expect(runCrashProof(createQuickProof(), { servers: 3, databases: 2 })).resolves.toBeUndefined()
  },
  600_000,
)
