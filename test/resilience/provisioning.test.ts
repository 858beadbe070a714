import { expect, test } from 'vitest'

import { signInLocally } from '../support/local-sign-in.ts'
import { createServer } from '../support/server.ts'
import { waitUntil } from '../support/wait-until.ts'
import { startDirectoryRun } from './provisioning/directory-run.ts'

const USERS = 20_000
const PER_GROUP = 500
const MAX_MINUTES = 10

test(
  `${USERS} users and their groups are there in less than ${MAX_MINUTES} minutes, though the server is killed twice`,
  async () => {
    await using server = await createServer()
    await server.start()
    const { headers } = await signInLocally(server.url, 'super@sample.test')
    const created = await fetch(`${server.url}/api/scim-tokens`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Directory' }),
    })
    const { token } = (await created.json()) as { token: string }
    const run = startDirectoryRun(server, token, { users: USERS, perGroup: PER_GROUP })
    const killAfter = async (answers: number): Promise<void> => {
      const from = run.countAnswers()
      await waitUntil(`${answers} answers`, () => run.countAnswers() >= from + answers, { timeoutMs: MAX_MINUTES * 60_000 })
      await server.kill()
      await server.start()
    }
    const begin = performance.now()
    await Promise.all([run.provisionUsers(), killAfter(USERS)])
    const afterUsers = performance.now()
    await Promise.all([run.provisionGroups(), killAfter(USERS / PER_GROUP)])
    const minutes = (performance.now() - begin) / 60_000
    process.stdout.write(`${USERS} users in ${((afterUsers - begin) / 1000).toFixed(0)} s, with groups ${(minutes * 60).toFixed(0)} s\n`)
    expect(minutes, 'minutes for users and groups').toBeLessThan(MAX_MINUTES)
    expect(await run.readTotals()).toEqual({
      users: USERS,
      groups: USERS / PER_GROUP + 1,
      members: 2 * USERS,
      inGroupOfAll: USERS,
    })
  },
  (MAX_MINUTES + 5) * 60_000,
)
