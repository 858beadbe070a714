import { beforeAll, describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import {
  connectDirectory,
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  newUserName,
  PATCH_SCHEMA,
  type TestDirectory,
  USER_SCHEMA,
} from '../../../../test/support/scim.ts'

// What Entra ID and Okta really send, and what other servers refused or misread according to their public issue trackers.

let directory: TestDirectory
beforeAll(async () => {
  directory = await connectDirectory(await startApp())
})

const MANAGER = `${ENTERPRISE_SCHEMA}:manager`

describe('a new user may have', () => {
  const manager = { value: 'boss@network.test' }
  test.each<readonly [string, string, object, object]>([
    ['apache/directory-scimple 1242', 'a manager that is a text', { [ENTERPRISE_SCHEMA]: { manager: manager.value } }, manager],
    ['apache/directory-scimple 1242', 'a manager without the URN of its schema', { manager: manager.value }, manager],
    ['limosa-io/laravel-scim-server 20', 'a manager in a list of one', { [ENTERPRISE_SCHEMA]: { manager: [manager] } }, manager],
    ['simpleidserver 295', 'a manager in a key with the URN', { [MANAGER]: manager.value }, manager],
    [
      'apache/directory-scimple 1244',
      'a manager with a name and a relative address',
      { [ENTERPRISE_SCHEMA]: { manager: { ...manager, $ref: '../Users/5', displayName: 'B. Boss' } } },
      { ...manager, $ref: '../Users/5', displayName: 'B. Boss' },
    ],
  ])('%s: %s', async (_report, _what, body, expected) => {
    expect((await directory.createUser(body))[ENTERPRISE_SCHEMA].manager).toEqual(expected)
  })

  test.each<readonly [string, unknown]>([
    ['null', null],
    ['an empty text', ''],
    ['an empty list', []],
    ['an object with an empty value', { value: '' }],
    ['an object with null', { value: null, $ref: null }],
  ])('pingidentity/scim2 194: no manager, sent as %s', async (_what, manager) => {
    const user = await directory.createUser({ [ENTERPRISE_SCHEMA]: { department: 'Science', manager } })
    expect(user[ENTERPRISE_SCHEMA]).toEqual({ department: 'Science' })
  })

  test.each<readonly [string, string, object, object]>([
    ['scim-for-keycloak 87', '"True" in a list', { roles: [{ primary: 'True', value: 'x' }] }, { roles: [{ primary: true, value: 'x' }] }],
    [
      'better-auth 10980',
      'attributes of an unknown schema',
      { 'urn:okta:network:1.0:user': { badge: 5 }, title: 'Teacher' },
      { title: 'Teacher' },
    ],
    ['MicrosoftDocs/azure-docs 65648', 'a custom attribute whose schema is not listed', { [`urn:ietf:params:scim:schemas:extension:Custom:2.0:User:tag`]: 'x', title: 'Teacher' }, { title: 'Teacher' }], // prettier-ignore
    [
      'SCIM-SDK 104',
      'empty texts',
      { title: '', name: { givenName: 'Ana', familyName: '' }, externalId: '' },
      { name: { givenName: 'Ana' } },
    ],
    ['Metatavu/keycloak-scim-server 35', 'one email without a list', { emails: { value: 'a@b.test', type: 'work' } }, { emails: [{ value: 'a@b.test', type: 'work' }] }], // prettier-ignore
    ['Metatavu/keycloak-scim-server 40', 'emails that are texts', { emails: ['a@b.test'] }, { emails: [{ value: 'a@b.test' }] }],
    ['FusionAuth 1791', 'an email without an address', { emails: [{ value: '', type: 'work' }, { value: 'a@b.test' }] }, { emails: [{ value: 'a@b.test' }] }], // prettier-ignore
    ['SCIM-SDK 516', 'roles that contain JSON as text', { roles: [{ value: '{"id":"1","value":"Admin","display":"Admin"}' }] }, { roles: [{ value: 'Admin', display: 'Admin' }] }], // prettier-ignore
    ['MicrosoftDocs/entra-docs 391', 'a role without a value', { roles: [{ primary: 'True', type: 'WindowsAzureActiveDirectoryRole' }] }, { roles: undefined }], // prettier-ignore
    ['SCIM validator of Microsoft', 'an address that is a text, and a profile that is not a URL', { addresses: '1 Main St', profileUrl: 'ABC' }, { addresses: [{ formatted: '1 Main St' }], profileUrl: 'ABC' }], // prettier-ignore
    [
      'scimmy 7',
      'names in another case',
      { TITLE: 'Teacher', Name: { GivenName: 'Ana' } },
      { title: 'Teacher', name: { givenName: 'Ana' } },
    ],
    ['okta-developer-docs 5165', 'a number as its employee number', { [ENTERPRISE_SCHEMA]: { employeeNumber: 701_984 } }, { [ENTERPRISE_SCHEMA]: { employeeNumber: '701984' } }], // prettier-ignore
  ])('%s: %s', async (_report, _what, body, expected) => {
    const user = await directory.createUser(body)
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, user[key]]))).toEqual(expected)
    expect(await directory.readUser(user.id)).toEqual(user)
  })

  test('no schemas, or those of other servers', async () => {
    for (const schemas of [undefined, [], 'x', [USER_SCHEMA, 'urn:okta:network:1.0:user']])
      expect((await directory.send('POST', '/Users', { schemas, userName: newUserName() })).status).toBe(201)
  })
})

describe('a PATCH may have', () => {
  test.each<readonly [string, string, object, object | undefined]>([
    ['limosa-io/laravel-scim-server 20', 'a manager in a list', { op: 'Add', path: MANAGER, value: [{ $ref: '../Users/5', value: '5' }] }, { $ref: '../Users/5', value: '5' }], // prettier-ignore
    ['SCIM-SDK 686', 'a manager that is a text', { op: 'add', path: MANAGER, value: '5' }, { value: '5' }],
    ['wso2/product-is 11678', 'the value of a manager as its path', { op: 'add', path: `${MANAGER}.value`, value: '5' }, { value: '5' }],
    ['wso2/product-is 6015', 'a manager in the value', { op: 'add', value: { [MANAGER]: [{ value: '5' }] } }, { value: '5' }],
    ['simpleidserver 295', 'an empty manager', { op: 'Replace', path: MANAGER, value: '' }, undefined],
    ['simpleidserver 295', 'null as a manager', { op: 'Replace', path: MANAGER, value: null }, undefined],
    ['scimmy 34', 'a manager to remove, with its value', { op: 'Remove', path: MANAGER, value: [{ value: 'old' }] }, undefined],
  ])('%s: %s', async (_report, _what, operation, expected) => {
    const { id } = await directory.createUser({ [ENTERPRISE_SCHEMA]: { department: 'Science', manager: 'old' } })
    const patched = await directory.patch(`/Users/${id}`, operation)
    expect(patched.status).toBe(200)
    expect(patched.json()[ENTERPRISE_SCHEMA]).toEqual({ department: 'Science', ...(expected && { manager: expected }) })
  })

  test.each<readonly [string, string]>([
    ['fleetdm/fleet 41996', 'favoriteColor'],
    ['fleetdm/fleet 41996', 'name.nickname'],
    ['SCIM validator of Microsoft', 'emails[type eq "work"].verified'],
    ['MicrosoftDocs/azure-docs 65648', 'urn:ietf:params:scim:schemas:extension:Custom:2.0:User:tag'],
    ['better-auth 10980', 'urn:okta:network:1.0:user:badge'],
    ['okta-developer-docs 821', 'password'],
    ['wso2/product-is 3034', 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:shoeSize'],
    ['scimmy-routers 10', 'photos[type eq "photo"].value'],
  ])('%s: the unknown attribute %s, which is left out while the rest is applied', async (_report, path) => {
    const user = await directory.createUser()
    for (const op of ['Add', 'Replace', 'Remove']) {
      const patched = await directory.patch(
        `/Users/${user.id}`,
        { op, path, value: 'x' },
        { op: 'Replace', path: 'title', value: op },
        { op: 'Replace', value: { [path]: 'x' } },
      )
      expect([patched.status, patched.json().title]).toEqual([200, op])
    }
    const { title: _title, meta: _meta, ...rest } = await directory.readUser(user.id)
    const { meta: _before, ...before } = user
    expect(rest).toEqual(before)
  })

  test.each<readonly [string, string, object, object[], object]>([
    ['scim-for-keycloak 73', 'a replaced email where there is none', {}, [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'a@b.test' }], { emails: [{ type: 'work', value: 'a@b.test' }] }], // prettier-ignore
    ['thomaspoignant/scim-patch 176', 'a second address by its filter', { addresses: [{ type: 'home', formatted: 'A' }] }, [{ op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'B' }], { addresses: [{ type: 'home', formatted: 'A' }, { type: 'work', formatted: 'B' }] }], // prettier-ignore
    ['sourcegraph 49119', 'the parts of an email before its address', {}, [{ op: 'add', path: 'emails[type eq "work"].primary', value: 'False' }, { op: 'add', path: 'emails[type eq "work"].value', value: 'a@b.test' }], { emails: [{ type: 'work', primary: false, value: 'a@b.test' }] }], // prettier-ignore
    ['simpleidserver 67', 'a part of all roles', { roles: [{ value: 'Member' }] }, [{ op: 'Add', path: 'roles.display', value: 'Team' }], { roles: [{ value: 'Member', display: 'Team' }] }], // prettier-ignore
    ['buildbuddy 10578', 'roles in a list of texts', {}, [{ op: 'Add', path: 'roles', value: ['Teacher', 'Coach'] }], { roles: [{ value: 'Teacher' }, { value: 'Coach' }] }], // prettier-ignore
    ['thomaspoignant/scim-patch 132', 'keys with dots, without a path', { name: { givenName: 'Ana' } }, [{ op: 'add', value: { 'name.familyName': 'Ruiz', nickname: 'A' } }], { name: { givenName: 'Ana', familyName: 'Ruiz' }, nickName: 'A' }], // prettier-ignore
    ['simpleidserver 295', 'an empty text that clears an attribute', { title: 'Teacher', emails: [{ value: 'a@b.test', type: 'work' }] }, [{ op: 'Replace', path: 'title', value: '' }, { op: 'Replace', path: 'emails[type eq "work"].value', value: '' }], { title: undefined, emails: undefined }], // prettier-ignore
    ['pingidentity/scim2 194', 'an empty list that clears an attribute', { emails: [{ value: 'a@b.test' }] }, [{ op: 'replace', path: 'emails', value: [] }], { emails: undefined }], // prettier-ignore
    ['pingidentity/scim2 131', 'a filter of two conditions', { emails: [{ value: 'a@b.test', type: 'work' }, { value: 'c@d.test', type: 'work' }] }, [{ op: 'remove', path: 'emails[type eq "work" and value ew "b.test"]' }], { emails: [{ value: 'c@d.test', type: 'work' }] }], // prettier-ignore
    ['scimmy 34', 'a list of values to remove', { emails: [{ value: 'a@b.test' }, { value: 'c@d.test' }] }, [{ op: 'Remove', path: 'emails', value: [{ $ref: null, value: 'a@b.test' }] }], { emails: [{ value: 'c@d.test' }] }], // prettier-ignore
    ['GluuFederation/oxTrust 1376', 'one part of an address to clear', { addresses: [{ type: 'work', locality: 'Lodi', region: 'CA' }] }, [{ op: 'Remove', path: 'addresses[type eq "work"].locality' }], { addresses: [{ type: 'work', region: 'CA' }] }], // prettier-ignore
    ['Azure before 2020', 'a text in a list of objects', {}, [{ op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Ana Ruiz' }] }], { displayName: 'Ana Ruiz' }], // prettier-ignore
    ['wso2/product-is 2978', 'values that exist and values that do not', { emails: [{ value: 'a@b.test', type: 'home' }] }, [{ op: 'add', value: { emails: [{ type: 'home', value: 'a@b.test' }, { value: 'c@d.test', type: 'other' }] } }], { emails: [{ value: 'a@b.test', type: 'home' }, { value: 'c@d.test', type: 'other' }] }], // prettier-ignore
  ])('%s: %s', async (_report, _what, before, operations, expected) => {
    const { id } = await directory.createUser(before)
    const patched = await directory.patch(`/Users/${id}`, ...operations)
    expect(patched.status).toBe(200)
    const user = await directory.readUser(id)
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, user[key]]))).toEqual(expected)
  })

  test('ssoready 182: no schemas, operations in lower case, or one without a list', async () => {
    const { id } = await directory.createUser()
    const patch = async (body: object) => (await directory.send('PATCH', `/Users/${id}`, body)).json().title
    expect(await patch({ operations: [{ op: 'replace', path: 'title', value: 'One' }] })).toBe('One')
    expect(await patch({ Schemas: [PATCH_SCHEMA.toLowerCase()], Operations: { Op: 'REPLACE', Path: 'Title', Value: 'Two' } })).toBe('Two')
  })

  test('cannot change what is read-only', async () => {
    const user = await directory.createUser()
    for (const path of ['id', 'groups', 'meta.created', 'schemas']) {
      const answer = await directory.patch(`/Users/${user.id}`, { op: 'replace', path, value: 'x' })
      expect([path, answer.status, answer.json().scimType]).toEqual([path, 400, 'mutability'])
    }
  })
})

describe('whether a user is active', () => {
  test.each<readonly [string, string, object]>([
    ['Unleash 9336', 'as "False"', { op: 'Replace', path: 'active', value: 'False' }],
    ['Azure before 2020', 'in a list of objects', { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }],
    ['okta-developer-docs 821', 'without a path', { op: 'replace', value: { active: false } }],
    ['getsentry/sentry-docs 16258', 'by an operation that adds', { op: 'Add', path: 'active', value: false }],
    ['wso2/product-is 5140', 'under the URN of the schema', { op: 'Replace', path: `${USER_SCHEMA}:active`, value: 'false' }],
  ])('%s: is read %s', async (_report, _how, operation) => {
    const { id } = await directory.createUser()
    expect((await directory.patch(`/Users/${id}`, operation)).json().active).toBe(false)
  })

  test.each<readonly [string, unknown]>([
    ['an empty text', ''],
    ['an empty list', []],
    ['an empty object', {}],
    ['a number', 1],
    ['a word', 'yes'],
    ['a text with a blank', 'True '],
    ['several values', [true, false]],
    ['an object without a value', { primary: true }],
  ])('is never guessed from %s', async (_what, active) => {
    const { id } = await directory.createUser({ active: false })
    expect((await directory.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: active })).status).toBe(400)
    expect((await directory.send('POST', '/Users', { userName: newUserName(), active })).status).toBe(400)
    expect((await directory.send('PUT', `/Users/${id}`, { userName: newUserName(), active })).status).toBe(400)
    expect((await directory.readUser(id)).active).toBe(false)
  })

  test('stays as it is if it is removed, null, or looked for where it is not', async () => {
    const { id } = await directory.createUser({ active: false })
    for (const operation of [
      { op: 'Remove', path: 'active' },
      { op: 'Replace', path: 'active', value: null },
      { op: 'Replace', value: { active: null } },
      { op: 'Replace', path: 'active.value', value: true },
      { op: 'Replace', path: 'active[value eq "True"]', value: true },
      { op: 'Replace', path: 'urn:okta:network:1.0:user:active', value: true },
    ])
      await directory.patch(`/Users/${id}`, operation)
    expect((await directory.readUser(id)).active).toBe(false)
    expect((await directory.send('PUT', `/Users/${id}`, { userName: newUserName(), active: null })).json().active).toBe(false)
  })
})

describe('a group', () => {
  const group = async (members: readonly string[] = []) =>
    (await directory.send('POST', '/Groups', { displayName: newUserName(), members: members.map((value) => ({ value })) })).json()
  const members = async (id: string) =>
    ((await directory.send('GET', `/Groups/${id}`)).json().members ?? []).map(({ value }: { value: string }) => value)

  test('okta-developer-docs 800: may have a description in a schema of Okta', async () => {
    const answer = await directory.send('POST', '/Groups', {
      schemas: [GROUP_SCHEMA, 'urn:okta:custom:group:1.0'],
      displayName: newUserName(),
      'urn:okta:custom:group:1.0': { description: 'Everyone' },
    })
    expect(answer.status).toBe(201)
  })

  test('jelhub/scimgateway 95: may be replaced as a whole, with members that have no name', async () => {
    const [one, { id }] = [await directory.createUser(), await group()]
    const displayName = newUserName()
    const answer = await directory.send('PUT', `/Groups/${id}`, {
      schemas: [GROUP_SCHEMA],
      id,
      displayName,
      externalId: null,
      members: [{ value: one.id, display: null }],
      meta: { resourceType: 'Group' },
    })
    expect([answer.status, answer.json().displayName]).toEqual([200, displayName])
    expect(await members(id)).toEqual([one.id])
  })

  test('fleetdm/fleet 41996: leaves out unknown attributes, and applies the rest', async () => {
    const [one, { id }] = [await directory.createUser(), await group()]
    const patched = await directory.patch(
      `/Groups/${id}`,
      { op: 'Replace', path: 'description', value: 'x' },
      { op: 'Add', path: 'urn:okta:custom:group:1.0:description', value: 'x' },
      { op: 'Add', path: 'externalId', value: [{ $ref: null, value: '8aa1' }] },
      { op: 'Add', path: 'members', value: [{ $ref: null, value: one.id }] },
    )
    expect(patched.status).toBe(204)
    expect(await members(id)).toEqual([one.id])
    expect((await directory.send('GET', `/Groups/${id}`)).json().externalId).toBe('8aa1')
  })

  test.each<readonly [string, string, (id: string) => object]>([
    ['simpleidserver 244', 'a list', (id) => ({ op: 'Remove', path: 'members', value: [{ value: id }] })],
    ['goauthentik 25686', 'a filter', (id) => ({ op: 'remove', path: `members[value eq "${id}"]` })],
    ['simpleidserver 696', 'a filter in another case', (id) => ({ op: 'Remove', path: `Members[Value EQ "${id.toUpperCase()}"]` })],
  ])('%s: loses only the member named by %s', async (_report, _how, toOperation) => {
    const [one, two] = [await directory.createUser(), await directory.createUser()]
    const { id } = await group([one.id, two.id])
    expect((await directory.patch(`/Groups/${id}`, toOperation(one.id))).status).toBe(204)
    expect(await members(id)).toEqual([two.id])
  })

  test('refuses a change of members that it does not understand, so that no one keeps a level unnoticed', async () => {
    const one = await directory.createUser()
    const { id } = await group([one.id])
    for (const path of [
      'members.value',
      `members[display eq "x"]`,
      `members[value eq "${one.id}"].value`,
      'members.nickname',
      'members[',
    ]) {
      const answer = await directory.patch(`/Groups/${id}`, { op: 'Remove', path, value: 'x' })
      expect([path, answer.status]).toEqual([path, 400])
    }
    expect(await members(id)).toEqual([one.id])
  })
})

describe('a query may have', () => {
  const list = async (query: string) => {
    const answer = await directory.send('GET', query)
    expect(answer.status).toBe(200)
    return answer.json()
  }

  test('simpleidserver 185: a start before the first result, and no results wanted', async () => {
    const { userName, id } = await directory.createUser()
    const filter = encodeURIComponent(`userName eq "${userName}"`)
    for (const startIndex of ['0', '-5', '1', ''])
      expect(await list(`/Users?filter=${filter}&startIndex=${startIndex}`)).toMatchObject({ startIndex: 1, Resources: [{ id }] })
    expect(await list(`/Users?filter=${filter}&count=0`)).toMatchObject({ totalResults: 1, itemsPerPage: 0, Resources: [] })
    expect(await list(`/Users?filter=${filter}&count=-1`)).toMatchObject({ totalResults: 1, Resources: [] })
  })

  test.each<readonly [string, (name: string) => string]>([
    ['open-webui 18039: another case', (name) => `USERNAME EQ "${name.toUpperCase()}"`],
    ['wso2/product-is 3375: an operator in mixed case', (name) => `username Eq "${name}"`],
    ['zitadel 9257: the URN of its schema', (name) => `${USER_SCHEMA}:userName eq "${name}"`],
    ['PennState/SCIMple-Identity 12: an external id', (name) => `externalId eq "ext-${name}"`],
    ['Metatavu/keycloak-scim-server 35: an email by its type', (name) => `emails[type eq "work"].value eq "${name}"`],
    ['the documentation of Entra ID: a manager', (name) => `userName eq "${name}" and manager eq "m-${name}"`],
  ])('%s', async (_what, toFilter) => {
    const userName = newUserName()
    const emails = [{ value: userName, type: 'work' }]
    const { id } = await directory.createUser({ userName, externalId: `ext-${userName}`, emails, manager: `m-${userName}` })
    expect((await list(`/Users?filter=${encodeURIComponent(toFilter(userName))}`)).Resources).toMatchObject([{ id }])
  })

  test('MicrosoftDocs/entra-docs 949: a flag in the tenant address, and slashes at the end', async () => {
    const { id } = await directory.createUser()
    for (const path of [
      `/Users/${id}?aadOptscim062020`,
      `/Users/${id}/`,
      '/Users/?aadOptscim062020',
      '/Groups/?excludedAttributes=members',
    ])
      await list(path)
    expect((await directory.send('POST', '/Users/', { userName: newUserName() })).status).toBe(201)
    expect((await directory.send('PATCH', `/Users/${id}/?aadOptscim062020`, { Operations: [{ op: 'Replace', path: 'title', value: 'x' }] })).status).toBe(200) // prettier-ignore
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'application/scim+json;charset=UTF-8', 'Application/SCIM+JSON'])(
    'indigo-iam 1285: the content type %s',
    async (type) => {
      const answer = await directory.send(
        'POST',
        '/Users',
        { userName: newUserName() },
        { 'content-type': type, accept: 'application/json' },
      )
      expect(answer.status).toBe(201)
    },
  )

  test('scimgateway 17: a content type without a body', async () => {
    const { id } = await directory.createUser()
    expect((await directory.send('GET', `/Users/${id}`, undefined, { 'content-type': 'application/scim+json' })).status).toBe(200)
    expect((await directory.send('DELETE', `/Users/${id}`, undefined, { 'content-type': 'application/scim+json' })).status).toBe(204)
    expect((await directory.send('DELETE', `/Users/${id}`)).status).toBe(404)
  })
})

test('itsaplan 250: a repeated create is refused, and changes nothing', async () => {
  const user = await directory.createUser({ externalId: 'ext-1', title: 'Teacher' })
  const again = await directory.send('POST', '/Users', { userName: user.userName })
  expect([again.status, again.json().scimType]).toEqual([409, 'uniqueness'])
  expect(await directory.readUser(user.id)).toEqual(user)
})
