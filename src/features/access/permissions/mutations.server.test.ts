import { describe, expect, test } from 'vitest'

import { network, type SignedInCaller, startApp, type TestApp } from '../../../../test/support/app.ts'
import { readUser } from '../session/contract.ts'
import { grantPermission, listPermissions, type Permission, removePermission } from './contract.ts'

const homeroom = { appId: 'homeroom' }
const bodyFor = (azureID: string, more: object = {}, name = 'Ana Ruiz') => ({
  applicationID: 'homeroom',
  userInfo: { azureID, name, personDbID: null, ...more },
})
let counter = 0
const freshAddress = (): string => `colleague${++counter}@network.test`

/** The permission record of someone who is signed in. */
const recordOf = async ({ context }: Pick<TestApp, 'context'>, who: SignedInCaller) => {
  const { azureID } = await who.who()
  return context.db.selectFrom('permission').select('_id').where('azureID', '=', azureID).executeTakeFirst()
}
const remove = async (app: Pick<TestApp, 'context'>, from: SignedInCaller, target: SignedInCaller) =>
  from.trySend(removePermission, { params: { id: (await recordOf(app, target))?._id ?? 'gone' } })
/** Sends both removals before either gets a response. */
const removeAtOnce = async (app: Pick<TestApp, 'context'>, ...removals: readonly (readonly [SignedInCaller, SignedInCaller])[]) => {
  const ids = await Promise.all(removals.map(async ([, target]) => (await recordOf(app, target))?._id ?? 'gone'))
  const answers = await Promise.all(removals.map(([from], at) => from.trySend(removePermission, { params: { id: ids[at] ?? '' } })))
  return answers.map(({ statusCode }) => statusCode)
}
const grantTo = async (from: SignedInCaller, target: SignedInCaller): Promise<Permission> => {
  const { azureID, name } = await target.who()
  return from.send(grantPermission, { body: bodyFor(azureID, {}, name) })
}
const levelOf = async (who: SignedInCaller): Promise<number> => (await who.send(readUser)).accessLevel
const countOf5 = async ({ context }: Pick<TestApp, 'context'>): Promise<number> =>
  (await context.db.selectFrom('permission').select('_id').where('accessLevel', '<=', 5).execute()).length

describe('removing a permission record', () => {
  test('takes all access from open sessions, which stay signed in to browse', async () => {
    const app = await network()
    const colleague = app.as(10)
    const me = app.as(6)
    const record = await grantTo(me, colleague)
    expect((await colleague.trySend(listPermissions, { params: homeroom })).statusCode).toBe(200)
    await me.send(removePermission, { params: { id: record._id } })
    expect((await colleague.trySend(listPermissions, { params: homeroom })).statusCode).toBe(403)
    expect(await levelOf(colleague)).toBe(10)
    expect((await me.send(listPermissions, { params: homeroom })).map(({ _id }) => _id)).not.toContain(record._id)
  })

  test('is refused if the person has more access', async () => {
    const app = await network()
    for (const [callerLevel, targetLevel] of [
      [6, 5],
      [6, 1],
      [5, 4],
      [2, 1],
    ] as const) {
      const them = app.as(targetLevel)
      await them.who()
      const response = await remove(app, app.as(callerLevel), them)
      expect(response.statusCode).toBe(403)
      expect(response.json().title).toBe('You can’t remove someone with more access than you')
      expect(await levelOf(them)).toBe(targetLevel)
    }
  })

  test('is allowed if the person has as much access or less, and for oneself', async () => {
    const app = await network()
    await app.make.permission()
    for (const [callerLevel, targetLevel] of [
      [6, 6],
      [5, 6],
      [5, 5],
      [1, 5],
      [6, 9],
    ] as const) {
      const them = app.as(targetLevel)
      await them.who()
      expect((await remove(app, app.as(callerLevel), them)).statusCode).toBe(204)
      expect(await levelOf(them)).toBe(10)
    }
    const me = app.as(5)
    await me.who()
    expect((await remove(app, me, me)).statusCode).toBe(204)
    expect(await levelOf(me)).toBe(10)
  })

  test('considers all permission records of a person, not only the removed one', async () => {
    const app = await network()
    const them = app.as(4)
    const { account } = await them.who()
    const second = await app.make.permission({ account, accessLevel: 6, azureID: freshAddress() })
    expect((await app.as(5).trySend(removePermission, { params: { id: second._id } })).statusCode).toBe(403)
    expect((await app.as(4).trySend(removePermission, { params: { id: second._id } })).statusCode).toBe(204)
  })

  test('is refused for the last record of level 5 or lower; level 6 does not count', async () => {
    const app = await startApp()
    const [last, six] = [app.as(5), app.as(6)]
    await Promise.all([last.who(), six.who()])
    const response = await remove(app, last, last)
    expect(response.statusCode).toBe(409)
    expect(response.json().title).toBe('You can’t remove the last level 5 administrator')
    expect(await levelOf(last)).toBe(5)
    expect((await remove(app, last, six)).statusCode).toBe(204)
    await app.make.permission({ applicationID: 'reports', accessLevel: 1 })
    expect((await remove(app, last, last)).statusCode).toBe(409)
    await grantTo(last, app.as(10))
    expect((await remove(app, last, last)).statusCode).toBe(204)
  })

  test('ignores SUPER_ADMINS, who depend on the configuration and cannot be removed', async () => {
    const app = await startApp({ SUPER_ADMINS: 'chief@network.test' })
    const [last, six] = [app.as(5), app.as(6)]
    await last.who()
    const ofChief = await app.make.permission({ azureID: 'Chief@network.test', accessLevel: 6 })
    expect((await six.trySend(removePermission, { params: { id: ofChief._id } })).statusCode).toBe(403)
    await app.context.db.updateTable('permission').set({ accessLevel: 5 }).where('_id', '=', ofChief._id).execute()
    expect((await remove(app, last, last)).statusCode).toBe(409)
    const [chief, { account }] = [app.as(10), await last.who()]
    const who = await chief.who()
    const { tenant } = await app.context.db.selectFrom('account').select('tenant').where('_id', '=', account).executeTakeFirstOrThrow()
    await app.context.db.insertInto('super_admin_binding').values({ tenant, address: 'chief@network.test', account: who.account }).execute()
    await expect.poll(() => levelOf(chief)).toBe(1)
    expect((await remove(app, chief, last)).statusCode).toBe(409)
    expect((await chief.trySend(removePermission, { params: { id: ofChief._id } })).statusCode).toBe(204)
  })

  test('finds only records of this application', async () => {
    const { as, make } = await network()
    const elsewhere = await make.permission({ applicationID: 'reports' })
    for (const id of [elsewhere._id, 'nobody', '00000000-0000-4000-8000-000000000000'])
      expect((await as(1).trySend(removePermission, { params: { id } })).statusCode).toBe(404)
  })

  test('is refused with an older version', async () => {
    const { as, make } = await network()
    const { _id } = await make.permission({ accessLevel: 6 })
    const response = await as(5).trySend(removePermission, { params: { id: _id }, headers: { 'if-match': '"7"' } })
    expect(response.statusCode).toBe(412)
  })
})

test('a permission for a person removed a moment ago is refused', async () => {
  const app = await network()
  const me = app.as(6)
  await me.send(readUser)
  expect((await remove(app, app.as(5), me)).statusCode).toBe(204)
  expect((await me.trySend(grantPermission, { body: bodyFor(freshAddress()) })).statusCode).toBe(403)
})

describe('two administrators at the same time', () => {
  test('who remove each other, in 50 rounds: exactly one is removed', async () => {
    const app = await startApp()
    let remaining = app.as(5)
    await remaining.who()
    for (let round = 0; round < 50; round++) {
      const rival = app.as(5)
      await rival.who()
      const statuses = await removeAtOnce(app, [remaining, rival], [rival, remaining])
      expect(statuses.toSorted(), `round ${round}`).toEqual([204, 403])
      expect(await countOf5(app), `round ${round}`).toBe(1)
      const [gone, stays] = statuses[0] === 204 ? [rival, remaining] : [remaining, rival]
      expect([await levelOf(gone), await levelOf(stays)], `round ${round}`).toEqual([10, 5])
      remaining = stays
    }
  })

  test('of level 6 who remove each other while others stay: exactly one is removed', async () => {
    const app = await network()
    await app.make.permission()
    for (let round = 0; round < 10; round++) {
      const [one, other] = [app.as(6), app.as(6)]
      await Promise.all([one.who(), other.who()])
      expect((await removeAtOnce(app, [one, other], [other, one])).toSorted()).toEqual([204, 403])
    }
  })

  test('who both remove themselves, in 20 rounds: the last record of level 5 stays', async () => {
    const app = await startApp()
    let remaining = app.as(5)
    await remaining.who()
    for (let round = 0; round < 20; round++) {
      const other = app.as(5)
      await other.who()
      const statuses = await removeAtOnce(app, [remaining, remaining], [other, other])
      expect(statuses.toSorted(), `round ${round}`).toEqual([204, 409])
      expect(await countOf5(app), `round ${round}`).toBe(1)
      if (statuses[0] === 204) remaining = other
    }
  })
})
