import { findSystemPostgres } from '../support/other-postgres.ts'
import { ProofSkipped, runProof } from '../support/proof.ts'
import { runFailoverProof } from './failover/failovers.ts'

await runProof('failover', async (proof) => {
  const postgres = findSystemPostgres()
  if (!postgres)
    throw new ProofSkipped('there is no PostgreSQL of the system here to make a primary and a standby of (apt-get install postgresql)')
  await runFailoverProof(proof, postgres, {
    attempts: 200,
    seconds: 8,
    rounds: ['killed', 'killed', 'paused', 'replaced while it runs'],
  })
})
