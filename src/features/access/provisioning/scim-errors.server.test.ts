import { beforeAll, describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { connectDirectory, newUserName, PATCH_SCHEMA, type TestDirectory } from '../../../../test/support/scim.ts'

let directory: TestDirectory
beforeAll(async () => {
  directory = await connectDirectory(await startApp())
})

describe('SCIM errors', () => {
  test('a user name that exists is refused, also for concurrent requests', async () => {
    const { userName } = await directory.createUser()
    const duplicate = await directory.send('POST', '/Users', { userName: userName.toUpperCase() })
    expect([duplicate.status, duplicate.json()]).toMatchObject([409, { status: '409', scimType: 'uniqueness' }])
    const same = newUserName()
    const both = await Promise.all([1, 2, 3].map(() => directory.send('POST', '/Users', { userName: same })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const other = await directory.createUser()
    expect((await directory.patch(`/Users/${other.id}`, { op: 'replace', path: 'userName', value: userName })).status).toBe(409)
  })

  test.each([
    ['no name', {}, 'invalidValue'],
    ['a blank name', { userName: ' ' }, 'invalidValue'],
    ['a name that is a number', { userName: 5 }, 'invalidValue'],
    ['a wrong type', { userName: 'x', active: 'perhaps' }, 'invalidValue'],
    ['a character that cannot be stored', { userName: 'a\u0000b' }, 'invalidValue'],
    ['a resource that is too large', { userName: 'x', title: 'x'.repeat(70_000) }, 'invalidValue'],
    ['a list', [], 'invalidSyntax'],
  ])('a user with %s is refused', async (_what, body, scimType) => {
    const answer = await directory.send('POST', '/Users', body)
    expect([answer.status, answer.json().scimType]).toEqual([400, scimType])
  })

  test.each([
    ['no operation', { schemas: [PATCH_SCHEMA], Operations: [] }, 'invalidValue'],
    ['an unknown operation', { schemas: [PATCH_SCHEMA], Operations: [{ op: 'move', path: 'title', value: 'x' }] }, 'invalidSyntax'],
    [
      'a path into an attribute without parts',
      { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'title.x', value: 'x' }] },
      'invalidPath',
    ],
    ['a broken path', { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'emails[type eq', value: 'x' }] }, 'invalidPath'],
    ['a read-only path', { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'id', value: 'x' }] }, 'mutability'],
    [
      'a value that its filter cannot create',
      { schemas: [PATCH_SCHEMA], Operations: [{ op: 'replace', path: 'emails[type ne "x"].value', value: 'x' }] },
      'noTarget',
    ],
    ['a removal without a path', { schemas: [PATCH_SCHEMA], Operations: [{ op: 'remove' }] }, 'noTarget'],
    ['removing the user name', { schemas: [PATCH_SCHEMA], Operations: [{ op: 'remove', path: 'userName' }] }, 'invalidValue'],
    [
      'a path to the prototype',
      { schemas: [PATCH_SCHEMA], Operations: [{ op: 'add', path: '__proto__.polluted', value: 'x' }] },
      'invalidPath',
    ],
    [
      'a filter that is too long',
      {
        schemas: [PATCH_SCHEMA],
        Operations: [{ op: 'replace', path: `emails[${'not '.repeat(5000)}(type eq "work")].value`, value: 'x' }],
      },
      'invalidPath',
    ],
    ['another schema', { schemas: ['x'], Operations: [{ op: 'remove', path: 'title' }] }, 'invalidSyntax'],
  ])('a PATCH with %s is refused', async (_what, body, scimType) => {
    const user = await directory.createUser()
    const answer = await directory.send('PATCH', `/Users/${user.id}`, body)
    expect([answer.status, answer.json().scimType]).toEqual([400, scimType])
    expect(await directory.readUser(user.id)).toEqual(user)
    expect(({} as { polluted?: string }).polluted).toBe(undefined)
  })

  test('a group needs a name and existing members, and a refused one is not stored', async () => {
    expect((await directory.send('POST', '/Groups', { displayName: 'Twice' })).status).toBe(201)
    expect((await directory.send('POST', '/Groups', { displayName: 'TWICE' })).json().scimType).toBe('uniqueness')
    for (const value of ['nobody', '5f1c0b4e-3a75-4a1c-9a7c-0e1e9cfb9b0f', 5]) {
      const answer = await directory.send('POST', '/Groups', { displayName: 'Unknown members', members: [{ value }] })
      expect([answer.status, answer.json().scimType]).toEqual([400, 'invalidValue'])
    }
    expect((await directory.find('displayName eq "Unknown members"', '/Groups')).totalResults).toBe(0)
  })
})
