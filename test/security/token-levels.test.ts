import { beforeAll, describe, expect, test } from 'vitest'

import { calls } from '../../src/app/routes.server.ts'
import { type Call, callName } from '../../src/contract/call.ts'
import { capabilities } from '../../src/contract/capabilities.ts'
import { readOffline } from '../../src/features/access/offline/contract.ts'
import { insertApiToken } from '../../src/features/access/session/mutations.server.ts'
import { readServerState } from '../../src/features/operations/server-state/contract.ts'
import { startApp } from '../support/app.ts'
import { injectInto } from '../support/http-requests.ts'
import { type SignedInUser, signInAt } from '../support/sessions.ts'
import { LEVELS } from './access/credentials.ts'
import { createTestNetwork, type TestNetwork } from './access/test-network.ts'
import { type ValidRequest, createValidRequest } from './access/valid-requests.ts'

// An API token can do exactly what a session of its level can, whatever its owner's level is: every call, at every level.

/** The level with the least access that has each capability, and the next level, which lacks it; all ten levels with TEST_ALL. */
const ends = new Set<number>(Object.values(capabilities))
const isThorough = process.env['TEST_ALL'] === '1'
const TESTED_LEVELS = isThorough ? LEVELS : LEVELS.filter((level) => ends.has(level) || ends.has(level - 1))

interface Pair {
  readonly level: number
  readonly session: SignedInUser
  /** A user of level 1, with the headers of an API token that is limited to `level`. */
  readonly token: SignedInUser
}

let network: TestNetwork
let pairs: Pair[]
beforeAll(async () => {
  const { app, context, make } = await startApp()
  network = await createTestNetwork({ context, make, send: injectInto(app, new URL(context.configuration.publicUrl).host) })
  pairs = []
  for (const level of TESTED_LEVELS) {
    const [session, maker] = [await signInAt(context, level), await signInAt(context, 1)]
    const { token } = await insertApiToken(context.db, { account: maker.account, name: 'A program', accessLevel: level, days: 30 })
    pairs.push({ level, session, token: { ...maker, headers: { authorization: `Bearer ${token}`, cookie: '' } } })
  }
})

/** Every access level in a response, such as the one that was granted, or those of listed users. */
const levelsIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === 'accessLevel' ? [inner] : levelsIn(inner)))
}

/** A response in which both users of a pair have the same name, so that their responses about themselves can be compared. */
const asEither = (body: string, { session, token }: Pair): unknown => {
  let text = body
  for (const { account, azureID, name } of [session, token])
    text = text.replaceAll(account, 'the account').replaceAll(azureID, 'the address').replaceAll(name, 'the name')
  return text === '' ? undefined : JSON.parse(text)
}

const isRead = (call: Call): boolean => call.method === 'GET' && typeof call.response !== 'string'

/** The status, and for a read the whole response, except for those that change between requests: the server's state, and a token of the history. */
const send = async (call: Call, pair: Pair, as: SignedInUser, attempt: ValidRequest) => {
  const { status, body } = await network.send(call.method, attempt.path, { headers: as.headers, body: attempt.body })
  if (typeof call.response === 'string' || call === readServerState || call === readOffline) return { status }
  const answer = asEither(body, pair)
  return { status, answer: isRead(call) ? answer : levelsIn(answer) }
}

/** Reads differ by level, so all levels are tested; writes and downloads are slow to prepare, so only levels around their capability are tested. */
const pairsOf = (call: Call): Pair[] => {
  if (isThorough || isRead(call) || call.capability === 'no session') return pairs
  const end = capabilities[call.capability]
  return pairs.filter(({ level }) => level === 1 || level === end || level === end + 1)
}

const named = (some: readonly Call[]) => some.map((call) => [callName(call), call] as const)
const open = calls.filter((call) => !call.sessionOnly)

// Reads come first, before a user of a pair has written anything that would be shown with their name.
describe.each(named([...open.filter(isRead), ...open.filter((call) => !isRead(call))]))('%s', (_name, call) => {
  test('answers a token as it answers a session of its level', async () => {
    // An owner for each call, since one account may upload thirty sheets a minute.
    const ownNetwork = { ...network, owner: await signInAt(network.context, 1) }
    const shared = isRead(call) ? await createValidRequest(call, ownNetwork) : undefined
    for (const pair of pairsOf(call)) {
      const byToken = await send(call, pair, pair.token, shared ?? (await createValidRequest(call, ownNetwork)))
      const bySession = await send(call, pair, pair.session, shared ?? (await createValidRequest(call, ownNetwork)))
      expect(byToken, `level ${pair.level}`).toEqual(bySession)
    }
  })
})

describe.each(named(calls.filter((call) => call.sessionOnly)))('%s', (_name, call) => {
  test('is refused to a token of any level', async () => {
    const attempt = await createValidRequest(call, network)
    for (const pair of pairs) expect(await send(call, pair, pair.token, attempt)).toMatchObject({ status: 403 })
  })
})
