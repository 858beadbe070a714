import { readNumberOptions, runProof } from '../support/proof.ts'
import { runMigrationsProof } from './migrations/migrations.ts'

// A migration that is killed midway continues or rolls back at the next start.

const { points } = readNumberOptions({ points: 20 })

await runProof('migrations', (proof) => runMigrationsProof(proof, points))
