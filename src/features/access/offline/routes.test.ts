import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'

import { loadSample } from '../../../../sample/load.server.ts'
import { network, type SignedInCaller, startApp, type TestApp } from '../../../../test/support/app.ts'
import { getLastChange } from '../../../../test/support/database.ts'
import { MODEL_TABLE_NAMES } from '../../../platform/server/read-model/tables.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { endOwnSession, endSession, listAccounts, listOwnSessions, listSessions, signOutEverywhere } from '../accounts/contract.ts'
import { readCopyState } from '../session/contract.ts'
import { disableAccount } from '../session/mutations.server.ts'
import { deleteCopy, type OfflineChanges, readOffline } from './contract.ts'

let net: Awaited<ReturnType<typeof network>>
beforeAll(async () => {
  net = await network()
})

const listKeys = ({ rows }: OfflineChanges): Record<string, unknown[]> =>
  Object.fromEntries(Object.entries(rows).map(([table, own]) => [table, own.map(({ _id, site }) => _id ?? site).toSorted()]))
const since = (token: string) => ({ query: { since: token } })

/** How long a transaction of another test may take while all of them run. */
const LONGEST_TRANSACTION_MS = 120_000
/** The copy with every change so far: its token waits for all transactions that had begun before, also those of other tests on this PostgreSQL. */
const readSettled = ({ context }: TestApp, reader: SignedInCaller): Promise<OfflineChanges> =>
  vi.waitFor(
    async () => {
      const copy = await reader.send(readOffline)
      expect(Number.parseInt(copy.token)).toBe(await getLastChange(context.db))
      return copy
    },
    { timeout: LONGEST_TRANSACTION_MS, interval: 2000 },
  )

describe('the copy of the directory', { timeout: LONGEST_TRANSACTION_MS + 30_000 }, () => {
  test('is the same for every level, and has nothing of charter affairs', async () => {
    const [staff, top] = await Promise.all([net.as(10).send(readOffline), net.as(1).send(readOffline)])
    expect(staff.isWhole).toBe(true)
    expect(staff.rows).toEqual(top.rows)
    expect(Object.keys(staff.rows).toSorted()).toEqual(MODEL_TABLE_NAMES.filter((table) => table !== 'charter_affair').toSorted())
    expect(staff.rows['site']?.map(({ _id }) => _id)).toContain(net.site._id)
    expect([staff.accessLevel, top.accessLevel, staff.days]).toEqual([10, 1, 7])
    const program = await net.as(10).program()
    expect((await program.send(readOffline)).rows).toEqual(staff.rows)
    expect((await net.anonymous.trySend(readOffline)).statusCode).toBe(401)
  })

  test('afterwards has only what changed, with the records it belongs to, and what was removed', async () => {
    const reader = net.as(10)
    const person = await net.make.person()
    const first = await readSettled(net, reader)
    expect(await reader.send(readOffline, since(first.token))).toMatchObject({ isWhole: false, rows: {}, removed: {}, token: first.token })

    await net.as(6).send(updatePerson, { params: { id: net.principal._id }, body: { phone: '209-555-0101' } })
    const second = await reader.send(readOffline, since(first.token))
    expect(listKeys(second)).toEqual({ person: [net.principal._id] })
    expect(second.rows['person']?.[0]).toMatchObject({ phone: '209-555-0101' })

    await net.as(6).send(updateFacility, { params: { id: net.site._id }, body: { county: 'San Joaquin' } })
    const third = await reader.send(readOffline, since(second.token))
    expect(listKeys(third)).toMatchObject({ site: [net.site._id], facility: [net.site._id] })
    expect(third.rows['site']?.[0]?.['updatedAt']).not.toBe(first.rows['site']?.find(({ _id }) => _id === net.site._id)?.['updatedAt'])

    await sql`delete from person where _id = ${person._id}`.execute(net.context.db)
    const fourth = await reader.send(readOffline, since(third.token))
    expect([fourth.isWhole, fourth.removed]).toEqual([false, { person: [person._id] }])
    // From the first token, everything since.
    const all = await reader.send(readOffline, since(first.token))
    expect(listKeys(all)).toMatchObject({ person: [net.principal._id], site: [net.site._id] })
    expect(all.removed).toEqual({ person: [person._id] })
  })

  test.for(['', 'x', '1', '0..', '999999.0123456789.abcdefghij', `${'9'.repeat(15)}..`])(
    'with the unknown token %j is everything',
    async (token) => {
      const reader = net.as(10)
      const { rows } = await reader.send(readOffline)
      expect(await reader.send(readOffline, since(token))).toMatchObject({ isWhole: true, rows })
    },
  )

  test('with a token of another history or other columns is everything', async () => {
    const reader = net.as(10)
    const { token } = await reader.send(readOffline)
    const [number, fingerprint, columns] = token.split('.')
    expect((await reader.send(readOffline, since(token))).isWhole).toBe(false)
    expect((await reader.send(readOffline, since(`${number}.0000000000.${columns}`))).isWhole).toBe(true)
    expect((await reader.send(readOffline, since(`${number}.${fingerprint}.0000000000`))).isWhole).toBe(true)
  })

  test('continues on another server, which has not seen the change yet, and misses no transaction that was open', async () => {
    const app = await startApp()
    const { as, make, startSecond, context } = app
    const { site } = await make.network()
    const second = await startSecond()
    const reader = as(10)
    const other = second.asAccount((await reader.who()).account)
    const first = await readSettled(app, reader)
    await second.as(6).send(updateSite, { params: { id: site._id }, body: { displayName: 'Renamed' } })
    const changed = await reader.send(readOffline, since(first.token))
    expect([changed.isWhole, changed.rows['site']?.map(({ displayName }) => displayName)]).toEqual([false, ['Renamed']])
    const { token } = await readSettled(app, reader)
    expect((await other.send(readOffline, since(token))).rows).toEqual({})

    // A transaction takes its number in the history, another one commits, the device asks, and the first one commits.
    let commit = (): void => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    let started = (): void => {}
    const hasStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    const slow = context.db.transaction().execute(async (tx) => {
      await sql`update site set "finance_id" = '777' where _id = ${site._id}`.execute(tx)
      started()
      await held
    })
    await hasStarted
    const person = await make.person()
    const between = await other.send(readOffline, since(token))
    expect(between.rows['person']?.map(({ _id }) => _id)).toEqual([person._id])
    commit()
    await slow
    const after = await reader.send(readOffline, since(between.token))
    expect(after.rows['site']).toMatchObject([{ finance_id: '777' }])
    expect(after.isWhole).toBe(false)
  })

  test('is refused where the server forbids it', async () => {
    const { as } = await startApp({ OFFLINE_DAYS: '0' })
    const reader = as(10)
    const response = await reader.trySend(readOffline)
    expect([response.statusCode, response.json().title]).toEqual([403, 'This server does not let devices keep the directory'])
    expect(await reader.send(readCopyState)).toEqual({ mayKeep: false })
  })
})

describe('a device that holds the directory', () => {
  const mayKeep = async (caller: { request: TestApp['anonymous']['request'] }, headers: Record<string, string>) => {
    const response = await caller.request('GET', readCopyState.path, { headers: { authorization: headers['authorization'] ?? '' } })
    return (response.json() as { mayKeep: boolean }).mayKeep
  }

  test('is known by its session until it says otherwise', async () => {
    const owner = net.as(10)
    const headers = await owner.headers()
    expect(await mayKeep(net.anonymous, headers)).toBe(false)
    await owner.send(readOffline)
    expect(await mayKeep(net.anonymous, headers)).toBe(true)
    expect((await owner.send(listOwnSessions)).map(({ copiedAt }) => copiedAt)).toEqual([expect.any(String)])
    await owner.send(deleteCopy)
    expect(await mayKeep(net.anonymous, headers)).toBe(false)
    expect((await owner.send(listOwnSessions)).map(({ copiedAt }) => copiedAt)).toEqual([null])
    expect((await owner.trySend(deleteCopy)).statusCode).toBe(404)
  })

  test('is seen by level 1 also after its session has expired, and can be ended', async () => {
    const owner = net.as(10)
    const top = net.as(1)
    const { account, azureID } = await owner.who()
    const headers = await owner.headers()
    await owner.send(readOffline)
    await sql`update session set "usedAt" = now() - interval '3 days', "createdAt" = now() - interval '3 days' where account = ${account}`.execute(
      net.context.db,
    )
    expect((await owner.trySend(readOffline)).statusCode).toBe(401)
    expect(await mayKeep(net.anonymous, headers)).toBe(true)
    expect((await top.send(listAccounts, { query: { q: azureID } })).accounts).toMatchObject([{ sessions: 0, copies: 1 }])
    const [device] = await top.send(listSessions, { params: { id: account } })
    expect(device).toMatchObject({ copiedAt: expect.any(String), endedAt: null })
    await top.send(endSession, { params: { id: account, session: device?._id ?? '' } })
    expect(await mayKeep(net.anonymous, headers)).toBe(false)
    expect((await top.send(listAccounts, { query: { q: azureID } })).accounts).toMatchObject([{ copies: 0 }])
  })

  const ends: Record<string, (owner: ReturnType<TestApp['as']>) => Promise<unknown>> = {
    'its owner ends the session': async (owner) => {
      const [own] = await owner.send(listOwnSessions)
      await owner.send(endOwnSession, { params: { id: own?._id ?? '' } })
    },
    'its owner signs out everywhere': async (owner) => owner.send(signOutEverywhere, { body: {} }),
    'its account is disabled': async (owner) => {
      const { account } = await owner.who()
      await net.context.db.transaction().execute((tx) => disableAccount(tx, account))
    },
    'its account gets another level': async (owner) => {
      const { account, azureID, name } = await owner.who()
      await net.context.db
        .insertInto('permission')
        .values({ applicationID: net.context.configuration.appId, azureID, name, account, accessLevel: 6 })
        .execute()
      expect((await owner.send(readOffline, since('x'))).accessLevel).toBe(6)
    },
  }
  test.for(Object.entries(ends))('may keep nothing once %s', async ([, end]) => {
    const owner = net.as(10)
    const headers = await owner.headers()
    await owner.send(readOffline)
    expect(await mayKeep(net.anonymous, headers)).toBe(true)
    await end(owner)
    expect(await mayKeep(net.anonymous, headers)).toBe(false)
  })

  test('of a longer time than OFFLINE_DAYS ago is not listed', async () => {
    const owner = net.as(10)
    const { account } = await owner.who()
    await owner.send(readOffline)
    await sql`update session set "copiedAt" = now() - interval '8 days' where account = ${account}`.execute(net.context.db)
    expect((await owner.send(listOwnSessions)).map(({ copiedAt }) => copiedAt)).toEqual([null])
  })
})

test('the copy of 300 sites and 2,200 people is less than 600 kB', async () => {
  const { context, as } = await startApp()
  await loadSample({ db: context.db, sites: 300 })
  const response = await as(10).request('GET', readOffline.path, { headers: { 'accept-encoding': 'br, gzip' } })
  expect(response.headers['content-encoding']).toBe('br')
  const { rows } = JSON.parse(brotliDecompressSync(response.rawPayload).toString()) as OfflineChanges
  expect([rows['site']?.length, rows['person']?.length]).toEqual([300, expect.any(Number)])
  expect(rows['person']?.length).toBeGreaterThan(2000)
  expect(response.rawPayload.length).toBeLessThan(600_000)
  const gzip = await as(10).request('GET', readOffline.path, { headers: { 'accept-encoding': 'gzip' } })
  expect(gzip.rawPayload.length).toBeLessThan(600_000)
})

test.runIf(process.env['TEST_ALL'] === '1')(
  'the copy of 1,000 sites and 10,000 people is less than 3 MB',
  { timeout: 300_000 },
  async () => {
    const { context, as } = await startApp()
    await loadSample({ db: context.db, sites: 1000 })
    await sql`insert into person (slug, name, phone, email)
    select 'more-' || n, (select name from person order by md5(_id || n) limit 1), '209-555-' || lpad((n % 10000)::text, 4, '0'), 'more' || n || '@sample.test'
    from generate_series(1, greatest(0, 10000 - (select count(*) from person where "archivedAt" is null)::int)) as n`.execute(context.db)
    const response = await as(10).request('GET', readOffline.path, { headers: { 'accept-encoding': 'gzip' } })
    const { rows } = JSON.parse(gunzipSync(response.rawPayload).toString()) as OfflineChanges
    expect([rows['site']?.length, rows['person']?.length]).toEqual([1000, 10_000])
    expect(response.rawPayload.length).toBeLessThan(3_000_000)
  },
)
