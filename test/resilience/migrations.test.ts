import { expect, test } from 'vitest'

import { createQuickProof } from '../support/quick-proof.ts'
import { runMigrationsProof } from './migrations.proof.ts'

// The quick form of `npm run prove:migrations`.

test.runIf(process.platform === 'linux')(
  'a migration killed at 2 of its statements is whole after the next start',
  async () => {
    await expect(runMigrationsProof(createQuickProof(), 2)).resolves.toBeUndefined()
  },
  600_000,
)
