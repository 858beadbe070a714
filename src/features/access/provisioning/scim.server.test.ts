import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import {
  connectDirectory,
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  newUserName,
  PATCH_SCHEMA,
  type TestDirectory,
  USER_SCHEMA,
} from '../../../../test/support/scim.ts'

// The documented requests of Microsoft Entra ID and Okta, and further requirements of RFC 7643 and 7644.

let app: TestApp
let directory: TestDirectory
beforeAll(async () => {
  app = await startApp()
  directory = await connectDirectory(app)
})

describe('Microsoft Entra ID', () => {
  test('tests the connection by asking for a user who does not exist', async () => {
    const answer = await directory.send('GET', '/Users?filter=userName+eq+%22non-existent%22')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8')
    expect(answer.json()).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
  })

  test('creates a user, finds it again and changes it', async () => {
    const userName = newUserName()
    const user = {
      schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [ENTERPRISE_SCHEMA]: { department: 'Science', manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d' } },
    }
    const answer = await directory.send('POST', '/Users', user)
    expect(answer.status).toBe(201)
    const created = answer.json()
    const { roles: _none, ...sent } = user
    expect(created).toMatchObject({ ...sent, id: expect.any(String) })
    expect(answer.headers['location']).toBe(created.meta.location)
    expect(created.meta).toMatchObject({ resourceType: 'User', version: 'W/"1"', created: expect.stringMatching(/Z$/) })

    expect((await directory.find(`userName eq "${userName.toUpperCase()}"`)).Resources).toEqual([created])
    expect((await directory.find('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).totalResults).toBe(1)
    expect((await directory.find('emails[type eq "work"].value eq "test_user_fd0ea19b@testuser.com"')).totalResults).toBe(1)
    expect((await directory.find('emails[type eq "home"].value eq "test_user_fd0ea19b@testuser.com"')).totalResults).toBe(0)

    const patched = await directory.patch(
      `/Users/${created.id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    )
    expect(patched.status).toBe(200)
    expect(patched.json()).toMatchObject({
      emails: [{ primary: true, type: 'work', value: 'updatedEmail@microsoft.com' }],
      name: { formatted: 'givenName familyName', familyName: 'updatedFamilyName', givenName: 'givenName' },
      meta: { version: 'W/"2"' },
    })
    const renamed = newUserName()
    await directory.patch(`/Users/${created.id}`, { op: 'Replace', path: 'userName', value: renamed })
    expect((await directory.readUser(created.id)).userName).toBe(renamed)
  })

  test('adds missing values by a filter, an extension by its URN, and the manager as a plain id', async () => {
    const { id } = await directory.createUser()
    const patched = await directory.patch(
      `/Users/${id}`,
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 209 555 0142' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'someone@network.test' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Lodi' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Administrator' },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:department`, value: 'Finance' },
      { op: 'Add', path: `${ENTERPRISE_SCHEMA}:manager`, value: '26118915' },
    )
    expect(patched.json()).toMatchObject({
      schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA],
      phoneNumbers: [{ type: 'mobile', value: '+1 209 555 0142' }],
      emails: [{ type: 'work', value: 'someone@network.test' }],
      addresses: [{ type: 'work', locality: 'Lodi' }],
      roles: [{ primary: true, value: 'Administrator' }],
      [ENTERPRISE_SCHEMA]: { department: 'Finance', manager: { value: '26118915' } },
    })
    const again = await directory.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Teacher' },
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' },
      { op: 'Remove', path: `${ENTERPRISE_SCHEMA}:manager` },
    )
    expect(again.json().roles).toEqual([{ primary: true, value: 'Teacher' }])
    expect(again.json().phoneNumbers).toBe(undefined)
    expect(again.json()[ENTERPRISE_SCHEMA]).toEqual({ department: 'Finance' })
  })

  test.each([
    ['a text', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['a boolean', [{ op: 'replace', path: 'active', value: false }]],
    ['a value without a path', [{ op: 'Replace', value: { active: 'False' } }]],
    [
      'one of several changes',
      [
        { op: 'Add', path: 'displayName', value: 'Gone' },
        { op: 'Replace', path: 'Active', value: 'false' },
      ],
    ],
  ])('disables a user by %s, and enables it again', async (_how, operations) => {
    const { id } = await directory.createUser()
    expect((await directory.patch(`/Users/${id}`, ...operations)).json().active).toBe(false)
    expect((await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })).json().active).toBe(true)
  })

  test('may send the operation names of a PATCH in any case', async () => {
    const { id } = await directory.createUser()
    const body = { Schemas: [PATCH_SCHEMA], operations: [{ op: 'Replace', path: 'TITLE', value: 'Teacher' }] }
    expect((await directory.send('PATCH', `/Users/${id}`, body)).json().title).toBe('Teacher')
  })

  test('sends multi-part attributes with dotted keys', async () => {
    const { id } = await directory.createUser({ name: { givenName: 'Ana' } })
    const patched = await directory.patch(`/Users/${id}`, {
      op: 'Replace',
      value: {
        'name.familyName': 'Ruiz',
        [`${ENTERPRISE_SCHEMA}:employeeNumber`]: '701984',
        'emails[type eq "work"].value': 'ana@network.test',
        id: 'x',
      },
    })
    expect(patched.json()).toMatchObject({
      id,
      name: { givenName: 'Ana', familyName: 'Ruiz' },
      emails: [{ type: 'work', value: 'ana@network.test' }],
      [ENTERPRISE_SCHEMA]: { employeeNumber: '701984' },
    })
  })

  test('sends custom types in any case, and null for missing values', async () => {
    const emails = [
      { value: 'ana@network.test', type: 'Work' },
      { value: 'ana@home.test', type: 'secondary' },
    ]
    const roles = [{ value: 'Teacher', type: 'WindowsAzureActiveDirectoryRole', display: 'Teacher' }]
    const user = await directory.createUser({ emails, roles, name: null, phoneNumbers: null, title: null, externalId: null })
    expect(user).toMatchObject({ emails, roles })
    expect([user.name, user.phoneNumbers, user.externalId]).toEqual([undefined, undefined, undefined])
    const patched = await directory.patch(`/Users/${user.id}`, {
      op: 'Add',
      path: 'emails[type eq "alternative"].value',
      value: 'a@b.test',
    })
    expect(patched.json().emails).toEqual([...emails, { value: 'a@b.test', type: 'alternative' }])
  })

  test('deletes a user, who is not found afterward', async () => {
    const { id, userName } = await directory.createUser()
    expect((await directory.send('DELETE', `/Users/${id}`)).status).toBe(204)
    const gone = await directory.send('GET', `/Users/${id}`)
    expect([gone.status, gone.json()]).toEqual([
      404,
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404', detail: 'This user does not exist' },
    ])
    expect((await directory.send('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await directory.find(`userName eq "${userName}"`)).totalResults).toBe(0)
    expect((await directory.send('POST', '/Users', { schemas: [USER_SCHEMA], userName })).status).toBe(201)
  })

  test('creates a group, reads it without its members, and adds and removes them', async () => {
    const [one, two] = [await directory.createUser(), await directory.createUser()]
    const answer = await directory.send('POST', '/Groups', {
      schemas: [GROUP_SCHEMA, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Entra Group',
      meta: { resourceType: 'Group' },
    })
    expect(answer.status).toBe(201)
    const group = answer.json()
    expect(group).toMatchObject({
      displayName: 'Entra Group',
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      meta: { version: 'W/"1"' },
    })
    const listed = await directory.send('GET', '/Groups?excludedAttributes=members&filter=displayName+eq+%22Entra+Group%22')
    expect(listed.json()).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] })

    const members = async () =>
      ((await directory.send('GET', `/Groups/${group.id}`)).json().members ?? []).map(({ value }: { value: string }) => value).toSorted()
    const added = await directory.patch(`/Groups/${group.id}`, {
      op: 'Add',
      path: 'members',
      value: [one, two].map(({ id }) => ({ $ref: null, value: id })),
    })
    expect([added.status, added.body]).toEqual([204, ''])
    expect(await members()).toEqual([one.id, two.id].toSorted())
    expect((await directory.send('GET', `/Groups/${group.id}?excludedAttributes=members`)).json().members).toBe(undefined)
    expect((await directory.readUser(one.id)).groups).toMatchObject([{ value: group.id, display: 'Entra Group' }])
    await directory.patch(`/Groups/${group.id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: one.id }] })
    expect(await members()).toEqual([two.id])
    await directory.patch(`/Groups/${group.id}`, { op: 'Remove', path: `members[value eq "${two.id}"]` })
    expect(await members()).toEqual([])
    await directory.patch(`/Groups/${group.id}`, { op: 'Replace', path: 'displayName', value: 'Entra Group, renamed' })
    expect((await directory.send('GET', `/Groups/${group.id}`)).json().displayName).toBe('Entra Group, renamed')
    expect((await directory.send('DELETE', `/Groups/${group.id}`)).status).toBe(204)
    expect((await directory.send('GET', `/Groups/${group.id}`)).status).toBe(404)
  })
})

describe('Okta', () => {
  test('creates a user without storing the password, replaces it, and deactivates it', async () => {
    const userName = newUserName()
    expect(
      (await directory.send('GET', `/Users?filter=userName%20eq%20%22${userName}%22&startIndex=1&count=100`)).json().totalResults,
    ).toBe(0)
    const created = await directory.send('POST', '/Users', {
      schemas: [USER_SCHEMA],
      userName,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    })
    expect(created.status).toBe(201)
    const user = created.json()
    expect(user).toMatchObject({ userName, displayName: 'Test User', locale: 'en-US', active: true })
    const { rows } = await app.context.pool.query('select to_jsonb(directory_user)::text as row from directory_user')
    expect(JSON.stringify(rows)).not.toContain('1mz050nq')

    const updated = await directory.send('PUT', `/Users/${user.id}`, {
      schemas: [USER_SCHEMA],
      id: user.id,
      userName,
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: userName, type: 'work', display: userName }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    })
    expect([updated.status, updated.json()]).toMatchObject([200, { id: user.id, name: { givenName: 'Another', middleName: 'Excited' } }])
    expect(updated.json().displayName).toBe(undefined)

    const deactivated = await directory.patch(`/Users/${user.id}`, { op: 'replace', value: { active: false } })
    expect([deactivated.status, deactivated.json().active]).toEqual([200, false])
    // Replacing a user without `active` does not enable it.
    expect((await directory.send('PUT', `/Users/${user.id}`, { schemas: [USER_SCHEMA], userName })).json().active).toBe(false)
    expect((await directory.patch(`/Users/${user.id}`, { op: 'replace', value: { active: true } })).json().active).toBe(true)
  })

  test('pushes a group: creates it, renames it, changes and replaces its members', async () => {
    const [one, two] = [await directory.createUser(), await directory.createUser()]
    const group = (await directory.send('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'Test SCIMv2', members: [] })).json()
    const found = await directory.send('GET', '/Groups?filter=displayName%20eq%20%22Test%20SCIMv2%22&startIndex=1&count=100')
    expect(found.json().Resources[0].id).toBe(group.id)
    const renamed = await directory.patch(`/Groups/${group.id}`, {
      op: 'replace',
      value: { id: group.id, displayName: 'Test SCIMv2 renamed' },
    })
    expect(renamed.status).toBe(204)
    const members = async () =>
      (await directory.send('GET', `/Groups/${group.id}`)).json().members?.map(({ value }: { value: string }) => value) ?? []
    await directory.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: one.id, display: one.userName }] })
    expect(await members()).toEqual([one.id])
    await directory.patch(
      `/Groups/${group.id}`,
      { op: 'remove', path: `members[value eq "${one.id}"]` },
      { op: 'add', path: 'members', value: [{ value: two.id, display: two.userName }] },
    )
    expect(await members()).toEqual([two.id])
    await directory.patch(`/Groups/${group.id}`, { op: 'replace', path: 'members', value: [{ value: one.id }] })
    expect(await members()).toEqual([one.id])
    const replaced = await directory.send('PUT', `/Groups/${group.id}`, {
      schemas: [GROUP_SCHEMA],
      id: group.id,
      displayName: 'Test SCIMv2',
      members: [{ value: one.id }, { value: two.id }],
    })
    expect([replaced.status, replaced.json().members.length]).toEqual([200, 2])
    expect((await directory.send('DELETE', `/Groups/${group.id}`)).status).toBe(204)
  })
})

describe('versions', () => {
  test('are compared if If-Match is sent, and change only with the resource', async () => {
    const user = await directory.createUser()
    const path = `/Users/${user.id}`
    const change = (value: string, headers: Record<string, string> = {}) =>
      directory.send('PATCH', path, { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'title', value }] }, headers)
    const changed = await change('Teacher', { 'if-match': 'W/"1"' })
    expect([changed.status, changed.headers['etag'], changed.json().meta.version]).toEqual([200, 'W/"2"', 'W/"2"'])
    const stale = await change('Principal', { 'if-match': 'W/"1"' })
    expect([stale.status, stale.json().status]).toEqual([412, '412'])
    expect((await change('Teacher')).headers['etag']).toBe('W/"2"')
    expect((await change('Principal', { 'if-match': '*' })).headers['etag']).toBe('W/"3"')
    expect((await directory.send('DELETE', path, undefined, { 'if-match': 'W/"1"' })).status).toBe(412)
    expect((await directory.send('GET', path, undefined, { 'if-none-match': 'W/"3"' })).status).toBe(304)
    expect((await directory.send('GET', path, undefined, { 'if-none-match': 'W/"2"' })).status).toBe(200)
  })
})

test('the service describes its features', async () => {
  const configuration = (await directory.send('GET', '/ServiceProviderConfig')).json()
  expect(configuration).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
  })
  expect(configuration.authenticationSchemes).toMatchObject([{ type: 'oauthbearertoken' }])
  const types = (await directory.send('GET', '/ResourceTypes')).json()
  expect(types.Resources.map(({ id, endpoint }: { id: string; endpoint: string }) => [id, endpoint])).toEqual([
    ['User', '/Users'],
    ['Group', '/Groups'],
  ])
  expect((await directory.send('GET', '/ResourceTypes/User')).json().schema).toBe(USER_SCHEMA)
  const schemas = (await directory.send('GET', '/Schemas')).json()
  expect(schemas.Resources.map(({ id }: { id: string }) => id)).toEqual([USER_SCHEMA, ENTERPRISE_SCHEMA, GROUP_SCHEMA])
  const [user] = schemas.Resources
  const attributes = user.attributes.map(({ name }: { name: string }) => name)
  expect(attributes).toContain('userName')
  expect(attributes).not.toContain('password')
  expect((await directory.send('GET', `/Schemas/${ENTERPRISE_SCHEMA}`)).json().id).toBe(ENTERPRISE_SCHEMA)
  expect((await directory.send('GET', '/Schemas/none')).status).toBe(404)
  expect((await directory.send('GET', '/Schemas?filter=x')).status).toBe(403)
})
