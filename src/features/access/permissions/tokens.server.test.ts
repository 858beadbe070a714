import { beforeAll, describe, expect, test } from 'vitest'

import { type Caller, startApp, type TestApp } from '../../../../test/support/app.ts'
import { createDeparture, deleteDeparture } from '../../../app/departures/contract.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { saveSettings } from '../../../records/settings/contract.ts'
import { restoreAffairFromHistory, readAffairHistory } from '../../changing/history/contract.ts'
import { getTenant } from '../session/provider-settings.server.ts'
import { grantPermission, removePermission } from './contract.ts'

// Access is compared by the level at which someone acts, never only by their account's level.

const HEAD = 'head@network.test'
let app: TestApp
beforeAll(async () => {
  app = await startApp({ SUPER_ADMINS: HEAD })
  // Ensures that no other record is the last one at level 5.
  await app.make.permission()
})

/** A level 1 token whose creator had that level, but has only this level now. */
const tokenOfDemotedTo = async (level: number): Promise<Caller> => {
  const maker = app.as(1)
  const { account } = await maker.who()
  const program = await maker.program(1)
  await app.make.write((tx) => tx.updateTable('permission').set({ accessLevel: level }).where('account', '=', account).execute())
  return program
}

/** A limited token of someone who is level 1 through SUPER_ADMINS and holds no permission record. */
const ofSuperAdmin = async (level: number): Promise<Caller> => {
  const head = app.as(10)
  const { account } = await head.who()
  const binding = { tenant: getTenant(app.context.configuration), address: HEAD, account }
  await app.context.db.deleteFrom('super_admin_binding').execute()
  await app.context.db.insertInto('super_admin_binding').values(binding).execute()
  await app.context.lists.invalidate(['super_admin_binding'])
  return head.program(level)
}

const WAYS: readonly (readonly [string, (level: number) => Caller | Promise<Caller>])[] = [
  ['a session', (level) => app.as(level)],
  ['a limited token of level 1', (level) => app.as(1).program(level)],
  ['a token of someone who had level 1 when they made it', tokenOfDemotedTo],
  ['a limited token of a super administrator', ofSuperAdmin],
]

let counter = 0
const freshAddress = (): string => `colleague${++counter}@tokens.test`
/** A person in the directory with a level. */
const holderOf = async (level: number) => {
  const person = await app.make.person({ email: freshAddress() })
  const { _id } = await app.make.permission({ azureID: person.email ?? '', person: person._id, accessLevel: level })
  return { person: { params: { id: person._id } }, permission: { params: { id: _id } } }
}
const statusOf = async (response: Promise<{ statusCode: number }>): Promise<number> => (await response).statusCode

describe.each(WAYS)('%s', (_way, callerOf) => {
  test.for([
    [5, 1],
    [5, 4],
    [6, 1],
    [6, 5],
  ] as const)(
    'of level %i cannot remove the permission of level %i, mark the person as left or undo that',
    async ([callerLevel, targetLevel]) => {
      const caller = await callerOf(callerLevel)
      const { person, permission } = await holderOf(targetLevel)
      expect(await statusOf(caller.trySend(removePermission, permission))).toBe(403)
      expect(await statusOf(caller.trySend(createDeparture, { ...person, body: {} }))).toBe(403)
      await app.as(1).send(createDeparture, { ...person, body: {} })
      expect(await statusOf(caller.trySend(deleteDeparture, person))).toBe(403)
      expect(await statusOf(app.as(1).trySend(deleteDeparture, person))).toBe(200)
    },
  )

  test.for([
    [5, 5],
    [5, 6],
    [6, 6],
    [6, 8],
  ] as const)(
    'of level %i can remove the permission of level %i, mark the person as left and undo that',
    async ([callerLevel, targetLevel]) => {
      const caller = await callerOf(callerLevel)
      const { person } = await holderOf(targetLevel)
      expect(await statusOf(caller.trySend(createDeparture, { ...person, body: {} }))).toBe(200)
      expect(await statusOf(caller.trySend(deleteDeparture, person))).toBe(200)
      expect(await statusOf(caller.trySend(removePermission, (await holderOf(targetLevel)).permission))).toBe(204)
    },
  )

  test.for([
    [4, 5],
    [5, 5],
    [6, 6],
  ] as const)('of level %i grants level %i', async ([callerLevel, given]) => {
    const caller = await callerOf(callerLevel)
    const userInfo = { azureID: freshAddress(), name: 'Ana Ruiz', accessLevel: 5 as const }
    expect(await caller.send(grantPermission, { body: { applicationID: 'homeroom', userInfo } })).toMatchObject({ accessLevel: given })
  })

  test('of level 6 cannot restore a value of a charter affair or change settings', async () => {
    const caller = await callerOf(6)
    const params = { id: (await app.make.affair()).charter }
    await app.as(5).send(saveCharterAffair, { params, body: { overview: { notes: 'First' } } })
    await app.as(5).send(saveCharterAffair, { params, body: { overview: { notes: 'Second' } } })
    const { changes } = await caller.send(readAffairHistory, { params, query: {} })
    expect(
      await statusOf(caller.trySend(restoreAffairFromHistory, { params: { ...params, change: changes[0]?._id ?? '' }, body: {} })),
    ).toBe(403)
    expect(await statusOf(caller.trySend(saveSettings, { body: { organisation: 'Another' } }))).toBe(403)
  })

  test('of level 7 may do none of this', async () => {
    const caller = await callerOf(7)
    const { person, permission } = await holderOf(9)
    const userInfo = { azureID: freshAddress(), name: 'Ana Ruiz' }
    expect([
      await statusOf(caller.trySend(grantPermission, { body: { applicationID: 'homeroom', userInfo } })),
      await statusOf(caller.trySend(removePermission, permission)),
      await statusOf(caller.trySend(createDeparture, { ...person, body: {} })),
      await statusOf(caller.trySend(deleteDeparture, person)),
    ]).toEqual([403, 403, 403, 403])
  })
})
