import { describe, expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../../test/support/app.ts'
import { findCandidates, grantPermission, removePermission } from './contract.ts'

describe('the search for people', () => {
  const find = async (app: Pick<TestApp, 'as'>, q: string) => app.as(6).send(findCandidates, { query: { q } })

  test('finds people in the directory by name, ignoring accents and accepting nicknames, with role and site', async () => {
    const app = await network()
    const person = await app.make.person({ name: 'Renée Okafor-Quist', email: 'renee.quist@network.test' })
    await app.make.sitePerson(app.site._id, 'Registrar', person._id)
    const candidate = {
      azureID: 'renee.quist@network.test',
      name: 'Renée Okafor-Quist',
      detail: `Registrar · ${app.site.displayName}`,
      personDbID: person._id,
      accessLevel: null,
    }
    for (const q of ['renee quist', 'RENÉE', 'okafr-quist']) expect(await find(app, q)).toContainEqual(candidate)
    for (const q of ['renee.quist', 'Renee.Quist@net', 'renee.quist@network.test']) expect(await find(app, q)).toEqual([candidate])
    expect(await find(app, 'network.test')).not.toContainEqual(candidate)
  })

  test('shows who is already an administrator, and at what level', async () => {
    const app = await network()
    const person = await app.make.person({ name: 'Thaddeus Brill', email: 'thad@network.test' })
    const levelNow = async () => (await find(app, 'thaddeus brill'))[0]?.accessLevel
    expect(await levelNow()).toBeNull()
    const { _id } = await app.as(6).send(grantPermission, {
      body: { applicationID: 'homeroom', userInfo: { azureID: 'thad@network.test', name: person.name, personDbID: person._id } },
    })
    expect(await levelNow()).toBe(6)
    await app.as(6).send(removePermission, { params: { id: _id } })
    expect(await levelNow()).toBeNull()
  })

  test('shows the level of SUPER_ADMINS too', async () => {
    const app = await startApp({ SUPER_ADMINS: 'chief@network.test' })
    await app.make.person({ name: 'Ottilie Crane', email: 'Chief@network.test' })
    expect(await find(app, 'ottilie')).toMatchObject([{ name: 'Ottilie Crane', accessLevel: 1 }])
  })

  test('finds people in the directory without an email address', async () => {
    const app = await network()
    await app.make.person({ name: 'Winifred Stroud', email: null })
    expect(await find(app, 'winifred')).toMatchObject([{ name: 'Winifred Stroud', azureID: null, accessLevel: null }])
  })

  test('finds employees with both email addresses who are not in the directory, each once', async () => {
    const app = await network()
    const hr = { LastName: 'Vandermeer', Title: 'Payroll Clerk', Department: 'Finance' }
    await app.make.hrPerson({ ...hr, FirstName: 'Ina', EmailAddress: 'ina@network.test', Hris_EmailAddress: 'ina@hr.test' })
    await app.make.hrPerson({ ...hr, FirstName: 'Ola', EmailAddress: 'ola@network.test', Hris_EmailAddress: null })
    const known = await app.make.person({ name: 'Ula Vandermeer', email: 'ula@network.test', sql_person_id: '700001' })
    await app.make.hrPerson({ ...hr, PersonID: '700001', FirstName: 'Ula', EmailAddress: 'u@network.test', Hris_EmailAddress: 'u@hr.test' })
    expect(await find(app, 'vandermeer')).toEqual([
      expect.objectContaining({ name: 'Ula Vandermeer', personDbID: known._id }),
      { azureID: 'ina@network.test', name: 'Ina Vandermeer', detail: 'Payroll Clerk · Finance', personDbID: null, accessLevel: null },
    ])
  })

  test('finds accounts without a record in the directory, and offers a complete email address that is unknown', async () => {
    const app = await network()
    const { azureID, name } = await app.as(10).who()
    expect(await find(app, name)).toMatchObject([{ azureID, name, personDbID: null, accessLevel: null }])
    expect(await find(app, azureID.toUpperCase())).toMatchObject([{ azureID }])
    expect(await find(app, 'stranger@network.test')).toMatchObject([
      { azureID: 'stranger@network.test', name: 'stranger@network.test', accessLevel: null },
    ])
  })

  test('requires at least two letters, matches special characters literally, and finds no one for a meaningless text', async () => {
    const app = await network()
    for (const q of ['', ' ', 'a', ' a ', 'x'.repeat(201)])
      expect((await app.as(6).trySend(findCandidates, { query: { q } })).statusCode).toBe(422)
    for (const q of ['%%', '__', "';--", '\\', '((', 'qqqqzzzz']) {
      const response = await app.as(6).trySend(findCandidates, { query: { q: `${q}  q` } })
      expect(response.statusCode).toBe(200)
    }
    expect(await find(app, '%%')).toEqual([])
    expect(await find(app, 'qqqqzzzz')).toEqual([])
  })
})
