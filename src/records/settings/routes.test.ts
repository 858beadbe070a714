import { beforeAll, describe, expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../test/support/app.ts'
import { listCoverage } from '../../app/coverage/contract.ts'
import { listProgramTypes } from '../enrollment/contract.ts'
import { listRoles } from '../people/contract.ts'
import { readSite } from '../sites/contract.ts'
import { readSettings, readSiteDefaults, saveRolesOfType, saveSettings } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

describe('the settings', () => {
  test('have initial values: California, no charter, a set of programs', async () => {
    await app.make.charter({ name: 'Badger Charter' })
    const settings = await app.as(5).send(readSettings)
    expect(settings).toMatchObject({
      organisation: null,
      defaults: { region: { slug: 'california' }, charter: null },
      changeRequestsTo: [],
      supportRequestsTo: [],
      version: 0,
    })
    expect(settings.programTypes.length).toBeGreaterThan(5)
    expect(await app.as(6).send(readSiteDefaults)).toEqual(settings.defaults)
  })

  test('are changed field by field and read back, and the defaults can be reset', async () => {
    const [charter, ohio] = [await app.make.charter({ name: 'Zebra Charter' }), await app.make.region('Ohio')]
    const me = app.as(5)
    const saved = await me.send(saveSettings, {
      body: {
        organisation: 'Meridian',
        defaultRegion: ohio._id,
        defaultCharter: charter._id,
        changeRequestsTo: [
          { region: ohio._id, emails: 'a@ohio.example, b@ohio.example' },
          { region: null, emails: ['all@network.example'] },
        ],
        supportRequestsTo: ['help@network.example'],
      },
    })
    expect(saved).toMatchObject({
      organisation: 'Meridian',
      defaults: { region: { _id: ohio._id }, charter: { _id: charter._id } },
      changeRequestsTo: [
        { region: ohio._id, emails: ['a@ohio.example', 'b@ohio.example'] },
        { region: null, emails: ['all@network.example'] },
      ],
      supportRequestsTo: ['help@network.example'],
    })
    expect(await me.send(readSettings)).toEqual(saved)
    const cleared = await me.send(saveSettings, {
      body: { organisation: '', defaultRegion: null, changeRequestsTo: [], supportRequestsTo: '' },
    })
    expect(cleared).toMatchObject({
      organisation: null,
      defaults: { region: { slug: 'california' }, charter: { _id: charter._id } },
      supportRequestsTo: [],
    })
    expect((await me.send(saveSettings, { body: { defaultCharter: '' } })).defaults.charter).toBeNull()
  })

  test('have a list of program types to add, rename and remove; one in use stays', async () => {
    const me = app.as(5)
    const { programTypes } = await me.send(readSettings)
    const [first, second, third] = programTypes
    if (!first || !second || !third) throw new Error('There are three programs at least')
    const site = await app.make.site()
    await app.make.siteProgram(site._id, third._id)
    const rest = programTypes.slice(3)
    const swapped = [{ _id: first._id, name: second.name }, { _id: second._id, name: first.name }, third, ...rest, { name: ' Robotics ' }]
    const saved = await me.send(saveSettings, { body: { programTypes: swapped } })
    const nameOf = (_id: string) => saved.programTypes.find((one) => one._id === _id)?.name
    expect([nameOf(first._id), nameOf(second._id)]).toEqual([second.name, first.name])
    expect(saved.programTypes.map(({ name }) => name)).toContain('Robotics')
    expect(await app.as(10).send(listProgramTypes)).toEqual(saved.programTypes)
    const refused = await me.trySend(saveSettings, { body: { programTypes: saved.programTypes.filter(({ _id }) => _id !== third._id) } })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors[0].message).toBe(`${third.name} is used by a site and cannot be removed`)
    const fewer = await me.send(saveSettings, { body: { programTypes: saved.programTypes.filter(({ _id }) => _id !== first._id) } })
    expect(fewer.programTypes.map(({ _id }) => _id)).not.toContain(first._id)
  })

  test('have the recipients of the configuration until others are set, and again after those are cleared', async () => {
    const { as, make } = await startApp({ CHANGE_REQUESTS_TO: 'first@network.test', SUPPORT_REQUESTS_TO: 'help@network.test' })
    const [me, ohio] = [as(5), await make.region('Ohio')]
    const first = { changeRequestsTo: [{ region: null, emails: ['first@network.test'] }], supportRequestsTo: ['help@network.test'] }
    expect(await me.send(readSettings)).toMatchObject(first)
    // Saving something else does not store the default recipients as settings.
    expect(await me.send(saveSettings, { body: { organisation: 'Meridian' } })).toMatchObject(first)
    const own = [{ region: ohio._id, emails: ['ohio@network.test'] }]
    expect((await me.send(saveSettings, { body: { changeRequestsTo: own } })).changeRequestsTo).toEqual([...own, ...first.changeRequestsTo])
    expect(await me.send(saveSettings, { body: { changeRequestsTo: [], supportRequestsTo: '' } })).toMatchObject(first)
  })

  test('name invalid fields, and refuse a stale change', async () => {
    const { charter } = await network()
    const me = app.as(5)
    const { version } = await me.send(readSettings)
    const response = await me.trySend(saveSettings, {
      body: {
        defaultRegion: charter._id,
        defaultCharter: 'x',
        changeRequestsTo: [
          { region: null, emails: [] },
          { region: null, emails: [] },
        ],
      },
    })
    expect(response.statusCode).toBe(422)
    expect((response.json().errors as { path: string }[]).map(({ path }) => path)).toEqual([
      'defaultRegion',
      'defaultCharter',
      'changeRequestsTo.1.region',
    ])
    expect((await me.trySend(saveSettings, { body: { supportRequestsTo: ['nobody'], planet: 1 } as never })).statusCode).toBe(422)
    await me.send(saveSettings, { body: { organisation: 'New' }, headers: { 'if-match': `"${version}"` } })
    expect((await me.trySend(saveSettings, { body: { organisation: 'Newer' }, headers: { 'if-match': `"${version}"` } })).statusCode).toBe(
      412,
    )
  })

  test('need level 5; the defaults of a new site need level 6', async () => {
    expect((await app.as(6).trySend(readSettings)).statusCode).toBe(403)
    expect((await app.as(6).trySend(saveSettings, { body: {} })).statusCode).toBe(403)
    expect((await app.as(7).trySend(readSiteDefaults)).statusCode).toBe(403)
  })
})

describe('the roles of a facility type', () => {
  test('decide which positions are vacant, and change one by one', async () => {
    const { as, make } = await startApp()
    const depot = await make.site({ category: 'Distribution Center' })
    const center = await make.site({ category: 'Resource Center' })
    const readVacant = async ({ _id }: { _id: string }) => (await as(10).send(readSite, { params: { slug: _id } })).vacant
    const areaRoles = ['Area Superintendent', 'Regional SRM']
    expect(await readVacant(depot)).toEqual(areaRoles)
    expect(await readVacant(center)).toEqual(['Principal', 'Student Relations Manager', ...areaRoles])

    const roles = await as(5).send(listRoles)
    const getId = (name: string) => roles.find((role) => role.name === name)?._id ?? ''
    const change = { [getId('Principal')]: true, [getId('Regional SRM')]: false }
    const changed = await as(5).send(saveRolesOfType, { body: { type: 'Distribution Center', roles: change } })
    expect(changed.find(({ name }) => name === 'Principal')?.notAt).toEqual(['Administrative Office'])
    expect(changed.find(({ name }) => name === 'Regional SRM')?.notAt).toEqual(['Distribution Center'])
    expect(await as(10).send(listRoles)).toEqual(changed)
    expect(await readVacant(depot)).toEqual(['Principal', 'Area Superintendent'])
    expect((await readVacant(center)).length).toBe(4)
    // The same change again changes nothing.
    expect(await as(5).send(saveRolesOfType, { body: { type: 'Distribution Center', roles: change } })).toEqual(changed)

    await make.sitePerson(depot._id, 'Principal')
    expect(await readVacant(depot)).toEqual(['Area Superintendent'])
    const covered = (await as(10).send(listCoverage)).find(({ _id }) => _id === depot._id)
    expect(covered?.vacant).toEqual(['Area Superintendent'])
  })

  test('name a known type and known roles', async () => {
    const save = (body: object) => app.as(5).trySend(saveRolesOfType, { body } as never)
    expect((await save({ type: 'Castle', roles: {} })).statusCode).toBe(422)
    const unknown = await save({ type: 'Online', roles: { nobody: true } })
    expect(unknown.statusCode).toBe(422)
    expect(unknown.json()).toMatchObject({ errors: [{ path: 'roles.nobody', message: 'This role does not exist' }] })
  })
})
