import { expect, test } from 'vitest'

import { getFreePort } from '../support/free-port.ts'
import { findSystemPostgres } from '../support/other-postgres.ts'
import { createQuickProof } from '../support/quick-proof.ts'
import { startProgram } from '../support/server-process.ts'
import { runFailoverProof } from './failover.proof.ts'

// The quick form of `npm run prove:failover`: one failover. Skipped if the system has no PostgreSQL.

test.skipIf(findSystemPostgres() === undefined)(
  'a primary is killed under load, and its standby promoted',
  async () => {
    const proof = createQuickProof({ limits: /./ })
    await expect(runFailoverProof(proof, { attempts: 20, seconds: 2, rounds: ['killed'] })).resolves.toBeUndefined()
  },
  300_000,
)

test('several unreachable hosts are reported in one line, after a moment', async () => {
  const hosts = `127.0.0.1:${await getFreePort()},127.0.0.1:${await getFreePort()}`
  const environment = {
    DATABASE_URL: `postgres://homeroom:secret@${hosts}/homeroom`,
    PORT: String(await getFreePort()),
    SERVE: 'app,locations',
  }
  const program = startProgram(process.execPath, ['src/main.server.ts'], environment)
  const { code } = await program.ended
  expect(program.errors()).toMatch(
    /^None of the hosts of DATABASE_URL accepts writes \(127\.0\.0\.1:\d+: nothing is listening there; 127\.0\.0\.1:\d+: nothing is listening there\)\n$/,
  )
  expect(code).toBe(1)
})
