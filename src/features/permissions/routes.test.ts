import { expect, test } from 'vitest'

import { network } from '../../../test/app.ts'
import { listPermissions } from './contract.ts'

test('the permission records of an application, by name, with the person’s name of today', async () => {
  const { as, make } = await network()
  const person = await make.person({ name: 'Zoe Adler' })
  const linked = await make.permission({ applicationID: 'reports', name: 'Old Name', person: person._id, azureID: 'zoe@network.test' })
  const waiting = await make.permission({ applicationID: 'reports', name: 'anton Bell', azureID: 'anton@network.test', accessLevel: 6 })
  expect(await as(6).send(listPermissions, { params: { appId: 'reports' } })).toEqual([
    {
      _id: waiting._id,
      applicationID: 'reports',
      personID: { _id: null, name: 'anton Bell', azureID: 'anton@network.test' },
      superAdmin: false,
      accessLevel: 6,
      accessName: 'Admin',
      version: 1,
      updatedAt: expect.any(String),
      updatedBy: 'Test Factory',
    },
    expect.objectContaining({ _id: linked._id, personID: { _id: person._id, name: 'Zoe Adler', azureID: 'zoe@network.test' } }),
  ])
})

test('an application nobody holds anything in has none', async () => {
  const { as } = await network()
  expect(await as(6).send(listPermissions, { params: { appId: 'unheard-of' } })).toEqual([])
})

test('administrators are listed to level 6 or lower', async () => {
  const { as } = await network()
  expect((await as(7).ask(listPermissions, { params: { appId: 'homeroom' } })).statusCode).toBe(403)
  expect((await as(6).ask(listPermissions, { params: { appId: 'homeroom' } })).statusCode).toBe(200)
})
