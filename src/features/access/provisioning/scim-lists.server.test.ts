import { beforeAll, describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { connectDirectory, type TestDirectory } from '../../../../test/support/scim.ts'

describe('SCIM lists', () => {
  let names: string[]
  let own: TestDirectory
  beforeAll(async () => {
    const other = await startApp()
    own = await connectDirectory(other)
    names = Array.from({ length: 25 }, (_one, at) => `person${String(at).padStart(2, '0')}@network.test`)
    for (const userName of names.toReversed())
      await own.send('POST', '/Users', { userName, title: userName.includes('7') ? 'Teacher' : null })
  })
  const list = async (query: string) => (await own.send('GET', `/Users?${query}`)).json()

  test('are paged in a stable order', async () => {
    const seen: string[] = []
    for (let startIndex = 1; startIndex <= 25; startIndex += 10) {
      const page = await list(`startIndex=${startIndex}&count=10`)
      expect(page).toMatchObject({ totalResults: 25, startIndex, itemsPerPage: Math.min(10, 26 - startIndex) })
      seen.push(...page.Resources.map(({ userName }: { userName: string }) => userName))
    }
    expect(seen).toEqual(names.toReversed())
    expect(await list('count=0')).toMatchObject({ totalResults: 25, itemsPerPage: 0, Resources: [] })
    expect(await list('count=-5')).toMatchObject({ itemsPerPage: 0 })
    expect(await list('startIndex=-3&count=1')).toMatchObject({ startIndex: 1, itemsPerPage: 1 })
    expect(await list('startIndex=100')).toMatchObject({ totalResults: 25, itemsPerPage: 0 })
    for (const query of ['count=many', 'count=1.5', 'startIndex=9999999999', 'count=1&count=2', 'filter=title+pr&filter=userName+pr'])
      expect((await own.send('GET', `/Users?${query}`)).status, query).toBe(400)
  })

  test('are sorted', async () => {
    const sorted = async (query: string) => (await list(query)).Resources.map(({ userName }: { userName: string }) => userName)
    expect(await sorted('sortBy=userName')).toEqual(names)
    expect(await sorted('sortBy=userName&sortOrder=descending')).toEqual(names.toReversed())
    expect((await sorted('sortBy=title')).slice(0, 2).every((name: string) => name.includes('7'))).toBe(true)
    expect((await own.send('GET', '/Users?sortBy=emails')).status).toBe(400)
  })

  test.each([
    ['userName sw "person0"', 10],
    ['userName ew "9@NETWORK.test"', 2],
    ['userName co "son1" and title pr', 1],
    ['title eq "teacher"', 2],
    ['title ne "Teacher"', 23],
    ['not (title pr)', 23],
    ['title eq null', 23],
    ['userName eq "person01@network.test" or userName eq "person02@network.test"', 2],
    ['(userName sw "person0" or userName sw "person1") and not (userName co "5")', 18],
    ['active eq true', 25],
    ['active eq "True"', 25],
    ['userName SW "PERSON0" AND Active EQ TRUE OR NOT (title PR) And userName Co " eq "', 10],
    ['active eq false', 0],
    ['userName gt "person19@network.test"', 5],
    ['userName le "person04@network.test"', 5],
    ['meta.created gt "2020-01-01T00:00:00Z"', 25],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', 0],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "person03@network.test"', 1],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "Math"', 0],
    ['groups.value eq "5f1c0b4e-3a75-4a1c-9a7c-0e1e9cfb9b0f"', 0],
    [`userName eq "x' or '1'='1"`, 0],
    [String.raw`userName eq "x\" or userName pr or \""`, 0],
  ])('are filtered by %s', async (filter, count) => {
    const page = await list(`filter=${encodeURIComponent(filter)}`)
    expect(page.totalResults).toBe(count)
  })

  test.each([
    'userName',
    'userName xx "a"',
    'bogus eq "a"',
    '((((',
    'userName eq "a" and',
    `userName eq "${'x'.repeat(3000)}"`,
    'active gt true',
    'name eq "x"',
    'meta.created eq "soon"',
    'meta.created gt "-271821-04-20T00:00:00Z"',
    'meta.created lt "+275760-09-13T00:00:00Z"',
    `${'not ('.repeat(390)}title pr`,
    Array.from({ length: 60 }, () => 'title pr').join(' or '),
  ])('refuse the filter %s', async (filter) => {
    const answer = await own.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    expect([answer.status, answer.json().scimType, answer.json().status]).toEqual([400, 'invalidFilter', '400'])
  })

  test('have only the requested attributes', async () => {
    const [user] = (await list('count=1&attributes=userName,meta.version')).Resources
    expect(Object.keys(user).toSorted()).toEqual(['id', 'meta', 'schemas', 'userName'])
    expect(Object.keys(user.meta)).toEqual(['version'])
    const [other] = (await list('count=1&excludedAttributes=userName,meta.created,id')).Resources
    expect(other).toMatchObject({ id: expect.any(String), active: true, meta: { version: 'W/"1"' } })
    expect([other.userName, other.meta.created]).toEqual([undefined, undefined])
  })
})
