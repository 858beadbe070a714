import { describe, expect, test } from 'vitest'

import { network, startApp } from '../../../test/support/app.ts'
import { grantPermission, listPermissions } from '../../features/access/permissions/contract.ts'
import { completeSignIn } from '../../features/access/session/complete-sign-in.server.ts'
import { readUser } from '../../features/access/session/contract.ts'
import type { Identity } from '../../features/access/session/identity.server.ts'
import { getTenant } from '../../features/access/session/provider-settings.server.ts'
import { restoreFromHistory, readHistory } from '../../features/changing/history/contract.ts'
import { search } from '../../features/finding/search/contract.ts'
import { listPeople, listPeopleOfGroup, readPerson, updatePerson } from '../../records/people/contract.ts'
import { saveSettings } from '../../records/settings/contract.ts'
import { addSiteStaff } from '../../records/site-staff/contract.ts'
import { readSite } from '../../records/sites/contract.ts'
import { createDeparture, readDeparture, deleteDeparture } from './contract.ts'

/** A principal who is the only holder of the role at one site, and one of two registrars at another. */
const setUp = async () => {
  const app = await network()
  const [alone, shared] = [await app.make.site(), await app.make.site()]
  const person = await app.make.person()
  const other = await app.make.person()
  const asPrincipal = await app.make.sitePerson(alone._id, 'Principal', person._id)
  const asRegistrar = await app.make.sitePerson(shared._id, 'Registrar', person._id)
  await app.make.sitePerson(shared._id, 'Registrar', other._id)
  return { ...app, alone, shared, person, other, asPrincipal, asRegistrar, params: { id: person.slug } }
}
const staffOf = async ({ as }: Awaited<ReturnType<typeof network>>, site: string): Promise<string[]> =>
  (await as(10).send(readSite, { params: { slug: site } })).people.map((one) => `${one.person._id} ${one.role_match.name}`)

describe('the preview of a departure', () => {
  test('shows each role at each site, and whether someone else has it there', async () => {
    const { as, params, alone, shared, asPrincipal, asRegistrar } = await setUp()
    expect(await as(6).send(readDeparture, { params })).toEqual({
      left: null,
      places: [
        {
          _id: asPrincipal._id,
          site: { _id: alone._id, slug: alone.slug, displayName: alone.displayName },
          role: { _id: asPrincipal.role, name: 'Principal' },
          isOnly: true,
        },
        {
          _id: asRegistrar._id,
          site: { _id: shared._id, slug: shared.slug, displayName: shared.displayName },
          role: { _id: asRegistrar.role, name: 'Registrar' },
          isOnly: false,
        },
      ],
      accessLevel: null,
      changeRequestsOf: [],
      getsSupportRequests: false,
      deadlines: { deadlines: 0, settings: 0, to: null },
    })
  })

  test('shows the requests that are sent to their email address, and their access level', async () => {
    const { as, make, context } = await startApp()
    const person = await make.person({ email: 'Ana.Ruiz@network.test' })
    const region = await context.db.selectFrom('region').selectAll().where('name', '=', 'Texas').executeTakeFirstOrThrow()
    await as(5).send(saveSettings, {
      body: {
        changeRequestsTo: [
          { region: region._id, emails: ['ana.ruiz@network.test'] },
          { region: null, emails: ['other@network.test'] },
        ],
        supportRequestsTo: ['ana.ruiz@network.test'],
      },
    })
    await make.permission({ applicationID: 'homeroom', azureID: 'ana.ruiz@network.test', accessLevel: 6 })
    expect(await as(6).send(readDeparture, { params: { id: person._id } })).toMatchObject({
      accessLevel: 6,
      changeRequestsOf: ['Texas'],
      getsSupportRequests: true,
    })
  })
})

describe('a person who left', () => {
  test('is marked, has no roles, and stays in the directory and its histories', async () => {
    const net = await setUp()
    const { as, params, person, alone, shared, other } = net
    const answer = await as(6).send(createDeparture, { params, body: {} })
    expect(answer).toMatchObject({ leftAt: expect.stringMatching(/Z$/), sites: [], roles: [], locations: [], version: person.version + 1 })
    expect(await staffOf(net, alone._id)).toEqual([])
    expect(await staffOf(net, shared._id)).toEqual([`${other._id} Registrar`])
    expect((await as(10).send(listPeople)).find(({ _id }) => _id === person._id)?.leftAt).toBe(answer.leftAt)
    const support = await as(10).send(listPeopleOfGroup, { params: { group: 'STUDENT_SUPPORT' } })
    expect(support.map(({ _id }) => _id)).not.toContain(person._id)
    const { groups } = await as(10).send(search, { query: { q: person.email ?? '' } })
    expect(groups[0]?.hits[0]).toMatchObject({ _id: person._id, detail: 'Left' })
    const { changes } = await as(6).send(readHistory, { params: { kind: 'person', id: person._id } })
    expect(changes[0]).toMatchObject({ action: 'update', fields: [{ field: 'leftAt', from: null }], canRestore: false })
    const ofSite = await as(6).send(readHistory, { params: { kind: 'site', id: alone._id } })
    expect(ofSite.changes[0]).toMatchObject({ action: 'delete', part: 'site_person', title: `${person.name}, Principal` })
  })

  test('has their roles reassigned in the same request', async () => {
    const net = await setUp()
    const { as, make, params, alone, shared, other, asPrincipal, asRegistrar } = net
    const successor = await make.person()
    const handOver = [
      { place: asPrincipal._id, person: successor._id },
      // The new holder may already have the role there.
      { place: asRegistrar._id, person: other._id },
    ]
    await as(6).send(createDeparture, { params, body: { handOver } })
    expect(await staffOf(net, alone._id)).toEqual([`${successor._id} Principal`])
    expect(await staffOf(net, shared._id)).toEqual([`${other._id} Registrar`])
  })

  test('is restored in one call with roles and access, and reassigned roles return', async () => {
    const net = await setUp()
    const { as, make, params, person, alone, shared, other, asPrincipal, asRegistrar } = net
    const { _id: successor } = await make.person()
    await make.permission({ applicationID: 'homeroom', azureID: person.email ?? '', person: person._id, accessLevel: 6 })
    const [before, staff] = [await as(10).send(readPerson, { params: { slug: person._id } }), await staffOf(net, shared._id)]
    await as(6).send(createDeparture, {
      params,
      body: {
        handOver: [
          { place: asPrincipal._id, person: successor },
          { place: asRegistrar._id, person: other._id },
        ],
      },
    })
    expect(await as(6).send(readDeparture, { params })).toMatchObject({
      left: { by: expect.any(String) },
      places: [{ _id: asPrincipal._id }, { _id: asRegistrar._id }],
      accessLevel: 6,
    })
    const answer = await as(6).send(deleteDeparture, { params })
    const { version, leftAt, roles, locations } = before
    expect(answer).toMatchObject({ version: version + 2, leftAt, roles, locations: locations.map(({ _id, role }) => ({ _id, role })) })
    expect(await staffOf(net, alone._id)).toEqual([`${person._id} Principal`])
    expect((await staffOf(net, shared._id)).toSorted()).toEqual(staff.toSorted())
    const records = await as(6).send(listPermissions, { params: { appId: 'homeroom' } })
    expect(records.filter(({ personID }) => personID._id === person._id).map(({ accessLevel }) => accessLevel)).toEqual([6])
    expect((await as(6).trySend(deleteDeparture, { params })).statusCode).toBe(404)
  })

  test('gets a role back from a person who has left in the meantime', async () => {
    const net = await setUp()
    const { as, make, params, person, alone, asPrincipal } = net
    const { _id: successor } = await make.person()
    await as(6).send(createDeparture, { params, body: { handOver: [{ place: asPrincipal._id, person: successor }] } })
    await as(6).send(createDeparture, { params: { id: successor }, body: {} })
    await as(6).send(deleteDeparture, { params })
    await as(6).send(deleteDeparture, { params: { id: successor } })
    expect(await staffOf(net, alone._id)).toEqual([`${person._id} Principal`])
  })

  test('is signed out everywhere immediately, and cannot sign in until restored', async () => {
    const { as, context, make, anonymous } = await network()
    const colleague = as(10)
    const { azureID: address, account, name } = await colleague.who()
    const person = await make.person({ email: address.toUpperCase() })
    expect((await colleague.trySend(readUser)).statusCode).toBe(200)
    await as(6).send(createDeparture, { params: { id: person._id }, body: {} })
    expect((await colleague.trySend(readUser)).statusCode).toBe(401)
    const { tenant, objectId } = await context.db.selectFrom('account').selectAll().where('_id', '=', account).executeTakeFirstOrThrow()
    const tokens = { accessToken: 'a', expiresAt: Date.now() }
    const arrive = (identity: Identity) => completeSignIn(context, { identity, idToken: 'i', tokens, browser: 'b', request: 'r' })
    await expect(arrive({ tenant, objectId, address: 'renamed@network.test', name })).rejects.toThrow('this person has left')
    await as(6).send(deleteDeparture, { params: { id: person._id } })
    // Ended sessions stay ended; a new one can be opened.
    expect((await colleague.trySend(readUser)).statusCode).toBe(401)
    expect(await arrive({ tenant, objectId, address, name })).toMatch(/^[0-9a-f]+$/)
    expect((await anonymous.trySend(readUser)).statusCode).toBe(401)
  })

  test('cannot get a role or an access level, directly or from a history, until restored', async () => {
    const { as, params, person, alone, asPrincipal } = await setUp()
    await as(6).send(createDeparture, { params, body: {} })
    const added = await as(6).trySend(addSiteStaff, {
      params: { id: alone._id },
      body: { person: person._id, role_match: asPrincipal.role },
    })
    expect([added.statusCode, added.json().errors]).toEqual([422, [{ path: 'person', message: 'This person is no longer employed' }]])
    const userInfo = { azureID: person.email ?? '', name: person.name, personDbID: person._id }
    expect((await as(5).trySend(grantPermission, { body: { applicationID: 'homeroom', userInfo } })).statusCode).toBe(422)
    const { changes } = await as(6).send(readHistory, { params: { kind: 'site', id: alone._id } })
    const removal = changes.find(({ action, part }) => action === 'delete' && part === 'site_person')
    const back = { kind: 'site', id: alone._id, change: removal?._id ?? '' } as const
    expect((await as(6).trySend(restoreFromHistory, { params: back, body: {} })).statusCode).toBe(409)
    // Saving their previous values does not mark them as present either.
    await as(6).send(updatePerson, { params, body: { phone: '209-555-0142' } })
    const own = await as(6).send(readHistory, { params: { kind: 'person', id: person._id } })
    await as(6).send(restoreFromHistory, {
      params: { kind: 'person', id: person._id, change: own.changes[0]?._id ?? '' },
      body: { whole: true },
    })
    expect(await as(10).send(readPerson, { params: { slug: person._id } })).toMatchObject({
      phone: person.phone,
      leftAt: expect.any(String),
    })
    await as(6).send(deleteDeparture, { params })
    expect((await as(6).trySend(restoreFromHistory, { params: back, body: {} })).statusCode).toBe(409)
  })
})

describe('the permission to mark a person as left', () => {
  test('does not include oneself or a person with more access', async () => {
    const { as, make } = await network()
    const caller = as(6)
    const self = await make.person({ email: (await caller.send(readUser)).azureID })
    const own = await caller.trySend(createDeparture, { params: { id: self._id }, body: {} })
    expect([own.statusCode, own.json().title]).toEqual([403, 'You can’t mark yourself as no longer employed'])
    const above = await make.person({ email: (await as(5).who()).azureID })
    const refused = await caller.trySend(createDeparture, { params: { id: above._id }, body: {} })
    expect([refused.statusCode, refused.json().title]).toEqual([403, 'You can’t remove someone with more access than you'])
    expect((await as(10).send(readPerson, { params: { slug: above._id } })).leftAt).toBeNull()
  })

  test('does not restore more access than the caller has', async () => {
    const { as, make, params, person } = await setUp()
    // Another administrator of level 5 remains.
    await as(5).who()
    await make.permission({ applicationID: 'homeroom', azureID: person.email ?? '', accessLevel: 5 })
    await as(5).send(createDeparture, { params, body: {} })
    const response = await as(6).trySend(deleteDeparture, { params })
    expect([response.statusCode, response.json().title]).toEqual([403, 'You can’t give more access than you have'])
    await as(5).send(deleteDeparture, { params })
  })

  test('does not include the last administrator of level 5, whose roles stay', async () => {
    const { as, make, context } = await startApp({ SUPER_ADMINS: 'head@network.test' })
    const last = await make.person()
    const position = await make.sitePerson((await make.site())._id, 'Principal', last._id)
    await make.permission({ applicationID: 'homeroom', azureID: last.email ?? '', accessLevel: 5 })
    const head = as(10)
    const { account } = await head.who()
    await context.db
      .insertInto('super_admin_binding')
      .values({ tenant: getTenant(context.configuration), address: 'head@network.test', account })
      .execute()
    const response = await head.trySend(createDeparture, { params: { id: last._id }, body: {} })
    expect([response.statusCode, response.json().title]).toEqual([409, 'You can’t remove the last level 5 administrator'])
    expect(await context.db.selectFrom('site_person').select('_id').execute()).toEqual([{ _id: position._id }])
  })
})

describe('an email address that another person gets', () => {
  test('does not lock out its next owner', async () => {
    const { as, context, make } = await network()
    const colleague = as(10)
    const { azureID: address, account, name } = await colleague.who()
    const { tenant, objectId } = await context.db.selectFrom('account').selectAll().where('_id', '=', account).executeTakeFirstOrThrow()
    const person = await make.person({ email: address })
    await as(6).send(createDeparture, { params: { id: person._id }, body: {} })
    const arrive = (identity: Identity) =>
      completeSignIn(context, { identity, idToken: 'i', tokens: { accessToken: 'a', expiresAt: Date.now() }, browser: 'b', request: 'r' })
    await expect(arrive({ tenant, objectId, address, name })).rejects.toThrow('this person has left')
    expect(await arrive({ tenant, objectId: `${objectId} next`, address, name: 'Somebody new' })).toMatch(/^[0-9a-f]+$/)

    const never = await make.person()
    await as(6).send(createDeparture, { params: { id: never._id }, body: {} })
    const head = await as(1).who()
    await as(6).send(updatePerson, { params: { id: never._id }, body: { email: head.azureID } })
    const headAccount = await context.db.selectFrom('account').selectAll().where('_id', '=', head.account).executeTakeFirstOrThrow()
    expect(await arrive({ tenant, objectId: headAccount.objectId, address: head.azureID, name: head.name })).toMatch(/^[0-9a-f]+$/)
  })

  test('keeps API tokens ended', async () => {
    const { as, make } = await network()
    const colleague = as(10)
    const program = await colleague.program()
    const person = await make.person({ email: (await colleague.who()).azureID })
    expect((await program.trySend(readUser)).statusCode).toBe(200)
    await as(6).send(createDeparture, { params: { id: person._id }, body: {} })
    expect((await program.trySend(readUser)).statusCode).toBe(401)
    await as(6).send(deleteDeparture, { params: { id: person._id } })
    expect((await program.trySend(readUser)).statusCode).toBe(401)
  })

  test('of a super administrator is restored only by another level 1', async () => {
    const { as, make, context } = await startApp({ SUPER_ADMINS: 'head@network.test' })
    const head = as(10)
    const { account, azureID } = await head.who()
    const binding = { tenant: getTenant(context.configuration), address: 'head@network.test', account }
    await context.db.insertInto('super_admin_binding').values(binding).execute()
    const person = await make.person({ email: azureID })
    const own = { params: { id: person._id } }
    expect((await as(6).trySend(createDeparture, { ...own, body: {} })).statusCode).toBe(403)
    await as(1).send(createDeparture, { ...own, body: {} })
    expect((await as(6).trySend(deleteDeparture, own)).statusCode).toBe(403)
    await as(1).send(deleteDeparture, own)
  })
})

describe('an invalid reassignment', () => {
  test('changes nothing, and names the invalid entry', async () => {
    const net = await setUp()
    const { as, make, params, person, other, asPrincipal, alone, context } = net
    const gone = await make.person()
    await as(6).send(createDeparture, { params: { id: gone._id }, body: {} })
    const otherPerson = await context.db.selectFrom('site_person').select('_id').where('person', '=', other._id).executeTakeFirstOrThrow()
    const response = await as(6).trySend(createDeparture, {
      params,
      body: {
        handOver: [
          { place: otherPerson._id, person: other._id },
          { place: asPrincipal._id, person: 'nobody' },
          { place: asPrincipal._id, person: other._id },
          { place: net.asRegistrar._id, person: gone._id },
        ],
      },
    })
    expect([response.statusCode, response.json().errors]).toEqual([
      422,
      [
        { path: 'handOver.0.place', message: 'This person no longer has this role' },
        { path: 'handOver.1.person', message: 'This person does not exist' },
        { path: 'handOver.2.place', message: 'This role is assigned twice' },
        { path: 'handOver.3.person', message: 'This person is no longer employed' },
      ],
    ])
    expect(await staffOf(net, alone._id)).toEqual([`${person._id} Principal`])
  })

  test('is stale if someone saved the person in between, and is done once', async () => {
    const { as, params, person } = await setUp()
    await as(6).send(updatePerson, { params, body: { phone: '209-555-0142' } })
    const stale = await as(6).trySend(createDeparture, { params, body: {}, headers: { 'if-match': `"${person.version}"` } })
    expect(stale.statusCode).toBe(412)
    const me = as(6)
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await me.trySend(createDeparture, { params, body: {} })).statusCode),
    )
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409])
  })
})
