import { expect, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../test/support/app.ts'
import { findKnownStaff, searchStaff } from './contract.ts'

const found = async (app: Pick<TestApp, 'as'>, query: string, withEmails?: 'true' | 'false') =>
  (await app.as(6).send(searchStaff, { params: { query }, query: withEmails ? { withEmails } : {} })).recordset
const numbers = async (...query: Parameters<typeof found>) => (await found(...query)).map(({ PersonID }) => PersonID)
const status = async (app: Pick<TestApp, 'as'>, query: string) =>
  (await app.as(6).request('GET', `/api/sql/${encodeURIComponent(query)}`)).statusCode

test('an employee is returned with all fields, unknown ones as null', async () => {
  const app = await network()
  const whole = {
    PersonID: '0004711',
    FirstName: 'Quirina',
    LastName: 'Vandermolen',
    Hris_EmailAddress: 'quirina.vandermolen@hr.test',
    EmailAddress: 'q.vandermolen@network.test',
    Title: 'Payroll Clerk',
    Department: 'Finance',
    Company: 'Cedar Schools',
    Region: 'California',
  }
  await app.make.hrPerson(whole)
  expect(await found(app, 'quirina')).toEqual([whole])
  await app.make.hrPerson({ PersonID: 'bare-1', FirstName: null, LastName: 'Onlylast' })
  const nothing = {
    FirstName: null,
    Hris_EmailAddress: null,
    EmailAddress: null,
    Title: null,
    Department: null,
    Company: null,
    Region: null,
  }
  expect(await found(app, 'onlylast')).toEqual([{ PersonID: 'bare-1', LastName: 'Onlylast', ...nothing }])
})

test('every word has to match, in any order, ignoring case and accents; number and email address match as well', async () => {
  const app = await network()
  await app.make.hrPerson({
    PersonID: 'E-90210',
    FirstName: 'José María',
    LastName: 'Peña-Ibáñez',
    EmailAddress: 'jmpi@network.test',
    Hris_EmailAddress: 'Jose.Pena@hr.test',
  })
  for (const typed of ['jose', 'PEÑA', 'ibanez jos', 'maria pena', 'ñez', '90210', 'e-902', 'jmpi', 'JMPI@network.test', 'jose.pena@HR'])
    expect(await numbers(app, typed), typed).toEqual(['E-90210'])
  for (const typed of ['jose smith', 'penaa', 'network.test', 'hr.test', 'jose@network.test'])
    expect(await numbers(app, typed), typed).toEqual([])
})

test('special characters are matched literally', async () => {
  const app = await network()
  const unusualTexts = [
    ['odd-1', 'Per%cy'],
    ['odd-2', 'Un_der'],
    ['odd-3', 'Pa(ren'],
    ['odd-4', 'Back\\slash'],
    ['odd-5', "O'Quote"],
    ['odd-6', 'Sq[uare]'],
  ] as const
  for (const [PersonID, FirstName] of unusualTexts) await app.make.hrPerson({ PersonID, FirstName, LastName: 'Oddity' })
  for (const [PersonID, FirstName] of unusualTexts) expect(await numbers(app, FirstName), FirstName).toEqual([PersonID])
  expect(await numbers(app, 'r% oddity')).toEqual(['odd-1'])
  expect(await numbers(app, 'n_ oddity')).toEqual(['odd-2'])
  for (const typed of ['%%', '__', '\\\\', "'; drop table hr_person; --", '((', '$1', '../..', '?withEmails'])
    expect(await numbers(app, typed)).toEqual([])
})

test('a search has two to a hundred characters, not counting outer spaces', async () => {
  const app = await network()
  for (const typed of ['a', ' a ', '  ', 'x'.repeat(101)]) expect(await status(app, typed), typed).toBe(422)
  for (const typed of ['ab', 'é ü', 'x'.repeat(100)]) expect(await status(app, typed), typed).toBe(200)
  const refused = await app.as(6).request('GET', '/api/sql/ab?withEmails=perhaps')
  expect(refused.statusCode).toBe(422)
})

test('matches at the start of the full name are first, then of the last name, then of any part', async () => {
  const app = await network()
  const make = (PersonID: string, FirstName: string, LastName: string) => app.make.hrPerson({ PersonID, FirstName, LastName })
  await make('in', 'Olzemir', 'Kant')
  await make('last', 'Ana', 'Zemira')
  await make('first-b', 'Zemira', 'Bell')
  await make('first-a', 'Zemira', 'Abt')
  expect(await numbers(app, 'zemir')).toEqual(['first-a', 'first-b', 'last', 'in'])
})

test('at most 50 are returned, and on request only those with both email addresses', async () => {
  const app = await network()
  for (let n = 0; n < 60; n++)
    await app.make.hrPerson({
      PersonID: `many-${n}`,
      FirstName: 'Multitude',
      LastName: `Of${n}`,
      EmailAddress: n % 3 === 0 ? `m${n}@network.test` : null,
      Hris_EmailAddress: n % 2 === 0 ? `m${n}@hr.test` : null,
    })
  expect(await numbers(app, 'multitude')).toHaveLength(50)
  expect(await numbers(app, 'titude')).toHaveLength(50)
  const both = await found(app, 'multitude', 'true')
  expect(both).toHaveLength(10)
  expect(both.every(({ EmailAddress, Hris_EmailAddress }) => EmailAddress && Hris_EmailAddress)).toBe(true)
  expect(await numbers(app, 'multitude', 'false')).toHaveLength(50)
})

test('a person missing from the file is not found', async () => {
  const app = await network()
  await app.make.hrPerson({ FirstName: 'Departed', LastName: 'Longago', goneAt: new Date() })
  expect(await found(app, 'departed')).toEqual([])
  expect(await found(app, 'epart')).toEqual([])
})

test('someone already in the directory is recognized by number or by either email address, ignoring case', async () => {
  const app = await startApp()
  const byNumber = await app.make.person({ name: 'By Number', sql_person_id: '100', email: null })
  const byAddress = await app.make.person({ name: 'By Address', email: 'Known@Network.test' })
  const toEmployee = (PersonID: string, EmailAddress: string | null = null, Hris_EmailAddress: string | null = null) => ({
    PersonID,
    EmailAddress,
    Hris_EmailAddress,
  })
  const toMatch = ({ _id, slug, name }: typeof byNumber) => ({ _id, slug, name })
  const employees = [
    toEmployee('100'),
    toEmployee('200', 'known@network.TEST'),
    toEmployee('300', 'nobody@a.test', 'KNOWN@network.test'),
    toEmployee('400'),
  ]
  expect(await app.as(6).send(findKnownStaff, { body: { employees } })).toEqual([
    { PersonID: '100', person: toMatch(byNumber) },
    { PersonID: '200', person: toMatch(byAddress) },
    { PersonID: '300', person: toMatch(byAddress) },
  ])
  expect(await app.as(6).send(findKnownStaff, { body: { employees: [] } })).toEqual([])
  const tooMany = Array.from({ length: 51 }, (_, n) => toEmployee(String(n)))
  expect((await app.as(6).trySend(findKnownStaff, { body: { employees: tooMany } })).statusCode).toBe(422)
})
