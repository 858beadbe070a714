import { parseArgs } from 'node:util'

import { runProof } from '../support/proof.ts'
import { runMigrationsProof } from './migrations/migrations.ts'

// A migration that is killed midway continues or rolls back at the next start.

const { values } = parseArgs({ options: { points: { type: 'string', default: '20' }, write: { type: 'boolean' } } })

await runProof('migrations', (proof) => runMigrationsProof(proof, Number(values.points)))
