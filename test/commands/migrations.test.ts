import { expect, test } from 'vitest'

import { migrations } from '../../prove/parts/migrating.ts'
import { quickProof } from '../quick-proof.ts'

// The quick form of `npm run prove:migrations`.

test.runIf(process.platform === 'linux')(
  'a migration killed at 2 of its statements is whole after the next start',
  async () => {
    await expect(migrations(quickProof(), 2)).resolves.toBeUndefined()
  },
  600_000,
)
