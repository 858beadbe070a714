import { createHash, randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

import { network, type SignedInCaller } from '../../../../test/support/app.ts'
import { ProblemBody } from '../../../contract/problem.ts'
import { readSite } from '../../../records/sites/contract.ts'
import { removePermission } from '../permissions/contract.ts'
import { readUser } from '../session/contract.ts'
import { maintainSessions } from '../session/session.server.ts'
import { listOwnSessions, listOwnTokens, createToken, removeOwnToken } from './contract.ts'

type Net = Awaited<ReturnType<typeof network>>
let net: Net
beforeAll(async () => {
  net = await network()
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const statusWith = async (headers: Record<string, string>): Promise<number> =>
  (await net.anonymous.request('GET', '/auth', { headers })).statusCode
const newToken = async (owner: SignedInCaller, more: { accessLevel?: number; days?: number; name?: string } = {}) =>
  owner.send(createToken, { body: { name: 'Nightly sync', days: 30, ...more } })
const levelBy = async (token: string): Promise<unknown> =>
  (await net.anonymous.request('GET', '/auth', { headers: bearer(token) })).json<{ accessLevel?: number }>().accessLevel

describe('an API token', () => {
  test('is shown once, begins with hr_, and works without a cookie as a bearer or as x-auth-token', async () => {
    const owner = net.as(6)
    const { token, made } = await newToken(owner)
    const { account, name, azureID } = await owner.who()
    expect(token).toMatch(/^hr_[\w-]{43}$/)
    const answer = await net.anonymous.request('GET', '/auth', { headers: bearer(token) })
    expect(answer.json()).toEqual({ _id: account, name, azureID, accessLevel: 6 })
    expect(await statusWith({ 'x-auth-token': token })).toBe(200)
    expect((await net.anonymous.request('GET', `/auth?token=${token}`)).statusCode).toBe(401)
    expect(made).toMatchObject({ name: 'Nightly sync', accessLevel: 6, usedAt: null, endedAt: null, endedBy: null })
    const listed = await owner.trySend(listOwnTokens)
    expect(listed.json<{ _id: string }[]>()).toMatchObject([{ _id: made._id, usedAt: expect.any(String) }])
    expect(listed.body).not.toContain(token)
  })

  test('is stored only as its SHA-256', async () => {
    const { token, made } = await newToken(net.as(10))
    const row = await net.context.db.selectFrom('api_token').selectAll().where('_id', '=', made._id).executeTakeFirstOrThrow()
    expect(row.hash.equals(createHash('sha256').update(token).digest())).toBe(true)
    expect(JSON.stringify(row)).not.toContain(token.slice(3))
  })

  test('identifies the caller, whatever cookie is sent with it', async () => {
    const [mine, theirs] = [net.as(10), net.as(1)]
    const { token } = await newToken(mine)
    const { cookie = '' } = await theirs.headers()
    const answer = await net.anonymous.request('GET', '/auth', { headers: { ...bearer(token), cookie } })
    expect(answer.json()).toMatchObject({ _id: (await mine.who()).account, accessLevel: 10 })
    expect(await statusWith({ ...bearer(`hr_${'x'.repeat(43)}`), cookie })).toBe(401)
    const photo = await net.anonymous.request('GET', '/api/profile-photo/me', { headers: { ...bearer(`hr_${'x'.repeat(43)}`), cookie } })
    expect(photo.statusCode).toBe(401)
  })

  test('has its creator’s level or one with less access', async () => {
    const owner = net.as(6)
    expect(await levelBy((await newToken(owner)).token)).toBe(6)
    expect(await levelBy((await newToken(owner, { accessLevel: 10 })).token)).toBe(10)
    const refused = await owner.trySend(createToken, { body: { name: 'More', days: 30, accessLevel: 5 } })
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({
      errors: [{ path: 'accessLevel', message: 'Your level is 6. A token can’t have more access than you' }],
    })
  })

  test('is limited to its creator’s current level from the next request on, and returns to its own level afterward', async () => {
    const owner = net.as(6)
    const { account } = await owner.who()
    const { token } = await newToken(owner)
    expect(await levelBy(token)).toBe(6)
    const { _id } = await net.context.db.selectFrom('permission').select('_id').where('account', '=', account).executeTakeFirstOrThrow()
    await net.as(5).send(removePermission, { params: { id: _id } })
    expect(await levelBy(token)).toBe(10)
    const site = { params: { id: net.site._id }, body: {} }
    const edit = await net.anonymous.request('PATCH', `/locations-api/sites/${net.site._id}`, {
      headers: bearer(token),
      payload: site.body,
    })
    expect(edit.statusCode).toBe(403)

    await net.context.db
      .insertInto('permission')
      .values({ applicationID: 'homeroom', azureID: `${account}@factory.test`, name: 'Again', account, accessLevel: 1 })
      .execute()
    await net.context.lists.invalidate(['permission'])
    expect(await levelBy(token)).toBe(6)
  })

  test('needs a name and an expiry of at most a year', async () => {
    const owner = net.as(10)
    const fieldsOf = async (body: object) => {
      const answer = await owner.request('POST', createToken.path, { payload: body })
      return [answer.statusCode, ...(ProblemBody.parse(answer.json()).errors ?? []).map(({ path }) => path)]
    }
    expect(await fieldsOf({ days: 30 })).toEqual([422, 'name'])
    expect(await fieldsOf({ name: '  ', days: 30 })).toEqual([422, 'name'])
    expect(await fieldsOf({ name: 'x'.repeat(101), days: 30 })).toEqual([422, 'name'])
    expect(await fieldsOf({ name: 'Sync' })).toEqual([422, 'days'])
    expect(await fieldsOf({ name: 'Sync', days: 0 })).toEqual([422, 'days'])
    expect(await fieldsOf({ name: 'Sync', days: 366 })).toEqual([422, 'days'])
    expect(await fieldsOf({ name: 'Sync', days: 1.5 })).toEqual([422, 'days'])
    expect(await fieldsOf({ name: 'Sync', days: 30, accessLevel: 11 })).toEqual([422, 'accessLevel'])
    expect(await fieldsOf({ name: 'Sync', days: 30, account: randomUUID() })).toEqual([422, 'account'])
    const { made } = await newToken(owner, { days: 365 })
    expect(Math.round((Date.parse(made.expiresAt) - Date.parse(made.madeAt)) / 86_400_000)).toBe(365)
  })

  test('is refused with a clear message once it has expired or was removed', async () => {
    const owner = net.as(10)
    const [removed, expired] = [await newToken(owner), await newToken(owner)]
    expect([await statusWith(bearer(removed.token)), await statusWith(bearer(expired.token))]).toEqual([200, 200])
    await owner.send(removeOwnToken, { params: { id: removed.made._id } })
    const answer = await net.anonymous.request('GET', '/auth', { headers: bearer(removed.token) })
    expect([answer.statusCode, ProblemBody.parse(answer.json()).detail]).toEqual([
      401,
      'This API token is unknown, has expired or was removed.',
    ])

    await sql`update api_token set "expiresAt" = now() - interval '1 second' where _id = ${expired.made._id}`.execute(net.context.db)
    await net.context.lists.invalidate(['api_token'])
    expect(await statusWith(bearer(expired.token))).toBe(401)
    const { name } = await owner.who()
    expect((await owner.send(listOwnTokens)).map(({ _id, end, endedBy }) => [_id, end, endedBy]).toSorted()).toEqual(
      [
        [removed.made._id, 'removed', name],
        [expired.made._id, 'expired', null],
      ].toSorted(),
    )
    expect((await owner.trySend(removeOwnToken, { params: { id: removed.made._id } })).statusCode).toBe(404)
    expect((await owner.trySend(removeOwnToken, { params: { id: expired.made._id } })).statusCode).toBe(404)
  })

  test('is deleted 30 days after its end', async () => {
    const { db } = net.context
    const { made } = await newToken(net.as(10))
    const left = async (column: 'expiresAt' | 'endedAt', days: number) => {
      await sql`update api_token set ${sql.ref(column)} = now() - make_interval(days => ${days}) where _id = ${made._id}`.execute(db)
      await maintainSessions(net.context)
      return (await db.selectFrom('api_token').select('_id').where('_id', '=', made._id).execute()).length
    }
    expect([await left('expiresAt', 29), await left('endedAt', 31)]).toEqual([1, 0])
  })

  test('cannot create, remove or list tokens, end or list sessions, or renew itself', async () => {
    const owner = net.as(1)
    const { token, made } = await newToken(owner)
    const [session] = await owner.send(listOwnSessions)
    const { account } = await owner.who()
    const responses = await Promise.all(
      (
        [
          ['POST', '/api/account/tokens', { name: 'Child', days: 30 }],
          ['DELETE', `/api/account/tokens/${made._id}`],
          ['GET', '/api/account/tokens'],
          ['GET', '/api/account/sessions'],
          ['DELETE', `/api/account/sessions/${session?._id}`],
          ['POST', '/api/account/sign-out-everywhere', {}],
          ['GET', '/api/accounts'],
          ['GET', `/api/accounts/${account}/tokens`],
          ['DELETE', `/api/accounts/${account}/sessions/${session?._id}`],
          ['GET', '/auth/refresh'],
          ['GET', '/auth/logout'],
        ] as const
      ).map(async ([method, url, payload]) =>
        net.anonymous.request(method, url, { headers: bearer(token), ...(payload ? { payload } : {}) }),
      ),
    )
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 403))
    expect(responses[0]?.json()).toMatchObject({ title: 'This cannot be done with an API token' })
    expect((await owner.trySend(readUser)).statusCode).toBe(200)
    expect(await statusWith(bearer(token))).toBe(200)
  })

  test('of someone else is not found', async () => {
    const [mine, theirs] = [net.as(6), net.as(10)]
    const { token, made } = await newToken(theirs)
    expect((await mine.trySend(removeOwnToken, { params: { id: made._id } })).statusCode).toBe(404)
    expect(await statusWith(bearer(token))).toBe(200)
  })

  test('of an account that no longer belongs to the tenant is refused', async () => {
    const owner = net.as(10)
    const { token } = await newToken(owner)
    await net.context.db
      .updateTable('account')
      .set({ tenant: 'another' })
      .where('_id', '=', (await owner.who()).account)
      .execute()
    await net.context.lists.invalidate(['account'])
    expect(await statusWith(bearer(token))).toBe(401)
  })

  test('edits under its creator’s name, and the history names the token', async () => {
    const owner = net.as(6)
    const { token } = await newToken(owner, { name: 'Phone sync' })
    const response = await net.anonymous.request('PATCH', `/locations-api/sites/${net.site._id}`, {
      headers: bearer(token),
      payload: { displayName: 'Named by a program' },
    })
    expect(response.statusCode).toBe(200)
    const { name, account } = await owner.who()
    expect(await owner.send(readSite, { params: { slug: net.site._id } })).toMatchObject({ updatedBy: `${name} (token Phone sync)` })
    const change = await net.context.db
      .selectFrom('change')
      .select(['actor', 'actorName'])
      .where('record', '=', net.site._id)
      .orderBy('_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    expect(change).toMatchObject({ actorName: `${name} (token Phone sync)` })
    expect(JSON.stringify(change)).toContain(account)
  })

  test('is limited to 50 per account', async () => {
    const owner = net.as(10)
    for (let made = 0; made < 50; made++) await newToken(owner)
    expect((await owner.trySend(createToken, { body: { name: 'One more', days: 30 } })).statusCode).toBe(409)
    expect(await owner.send(listOwnTokens)).toHaveLength(50)
  })
})
