import { expect, test, vi } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { ListCache } from '../../../platform/server/list-cache.ts'
import { readUser } from './contract.ts'
import { SessionCache, MAX_CACHED_SESSIONS } from './session-cache.server.ts'

const user: SignedIn = { account: 'a', session: 's', token: null, name: 'Ana', azureID: 'ana@network.test', accessLevel: 10 }
const lists = { isFollowingChanges: true, onChange: () => undefined } as unknown as ListCache

test('a limited number of sessions is cached; the least recently used are dropped', async () => {
  const known = new SessionCache(lists)
  for (let n = 0; n < MAX_CACHED_SESSIONS + 10; n++) await known.load(`key ${n}`, async () => ({ user, remainingMs: 60_000 }))
  expect(known.size).toBe(MAX_CACHED_SESSIONS)
  expect(known.get('key 9')).toBeUndefined()
  expect(known.get('key 10')).toBe(user)
})

test('expired entries are removed before the limit is reached', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const known = new SessionCache(lists)
    for (let n = 0; n < 100; n++) await known.load(`key ${n}`, async () => ({ user, remainingMs: 60_000 }))
    vi.advanceTimersByTime(41_000)
    await known.load('another', async () => ({ user, remainingMs: 60_000 }))
    expect(known.size).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

test('requests of one session at the same time share a query, but none that began before a change', async () => {
  let change: () => void = () => {}
  const onChange: ListCache['onChange'] = (listener) => {
    change = () => listener('any', [])
  }
  const following = { isFollowingChanges: true, onChange }
  const known = new SessionCache(following as unknown as ListCache)
  const answers: ((level: number) => void)[] = []
  const load = () =>
    known.load('key', async () => {
      const accessLevel = await new Promise<number>((resolve) => answers.push(resolve))
      return { user: { ...user, accessLevel }, remainingMs: 60_000 }
    })
  const [first, second] = [load(), load()]
  change()
  const [third, fourth] = [load(), load()]
  following.isFollowingChanges = false
  const fifth = load()
  for (const [at, level] of [10, 6, 5].entries()) answers[at]?.(level)
  const users = await Promise.all([first, second, third, fourth, fifth])
  expect(users.map((one) => one?.accessLevel)).toEqual([10, 10, 6, 6, 5])
  expect(answers).toHaveLength(3)
})

test('a session is cached under its secrets only, whatever other cookies and headers are sent', async () => {
  const load = vi.spyOn(SessionCache.prototype, 'load')
  const net = await startApp()
  const caller = net.as(10)
  const { cookie } = await caller.headers()
  await caller.send(readUser)
  load.mockClear()
  for (let n = 0; n < 20; n++) {
    const headers = { cookie: `other=${n}; ${cookie}; more=${'x'.repeat(5000)}${n}`, 'user-agent': `browser ${n}` }
    expect((await caller.trySend(readUser, { headers })).statusCode).toBe(200)
  }
  expect(load).not.toHaveBeenCalled()
})
