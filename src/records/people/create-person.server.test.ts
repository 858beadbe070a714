import { expect, test } from 'vitest'

import { network, startApp } from '../../../test/support/app.ts'
import { readHistory } from '../../features/changing/history/contract.ts'
import { createPerson, listPeople, NewPerson, readPerson } from './contract.ts'

const whole = {
  sql_person_id: '0042',
  name: 'Renée Okafor-Quist',
  email: 'Renee.Quist@network.test',
  phone: '209-555-0142',
  fax: '209-555-0143',
}

test('a new person is stored with every field and is in the list immediately', async () => {
  const app = await startApp()
  expect(Object.keys(whole).toSorted()).toEqual(Object.keys(NewPerson.shape).toSorted())
  const before = await app.as(10).send(listPeople)
  const created = await app.as(6).send(createPerson, { body: whole })
  expect(created).toMatchObject({ ...whole, slug: 'renee-okafor-quist', version: 1, sites: [], roles: [], locations: [] })
  expect(await app.as(10).send(readPerson, { params: { slug: created.slug } })).toEqual(created)
  expect(await app.as(10).send(listPeople)).toHaveLength(before.length + 1)
  expect(await app.as(10).send(listPeople)).toContainEqual(created)
  expect(await app.as(6).send(readHistory, { params: { kind: 'person', id: created._id }, query: {} })).toMatchObject({
    changes: [{ action: 'insert' }],
  })
})

test('a name and an email address are enough, without a record in HR', async () => {
  const { as } = await network()
  const created = await as(6).send(createPerson, { body: { name: 'Volunteer Vic', email: 'vic@network.test' } })
  expect(created).toMatchObject({ sql_person_id: null, phone: null, fax: null })
  const blank = await as(6).send(createPerson, {
    body: { name: 'Volunteer Vic', email: 'vic2@network.test', sql_person_id: '', phone: '', fax: null },
  })
  expect(blank).toMatchObject({ sql_person_id: null, phone: null, fax: null, slug: 'volunteer-vic-2' })
})

test.each([
  ['name', ''],
  ['name', '   '],
  ['name', 'x'.repeat(101)],
  ['name', null],
  ['email', ''],
  ['email', null],
  ['email', 'no address'],
  ['email', 'a@network..test'],
  ['email', `${'a'.repeat(250)}@b.test`],
  ['phone', 'call me'],
  ['phone', '+-'],
  ['fax', 'call me'],
  ['fax', '1'.repeat(21)],
  ['sql_person_id', '7\n8'],
  ['sql_person_id', 7],
  ['sql_person_id', 'x'.repeat(101)],
  ['level', 1],
])('%s may not be %j', async (field, value) => {
  const { as, context } = await network()
  const refused = await as(6).request('POST', '/locations-api/people/', {
    payload: { name: 'Nobody Atall', email: 'nobody.atall@network.test', [field]: value },
  })
  expect(refused.statusCode).toBe(422)
  expect(refused.json().errors).toMatchObject([{ path: field }])
  expect(await context.db.selectFrom('person').selectAll().where('name', '=', 'Nobody Atall').execute()).toEqual([])
})

test('an existing email address, ignoring case, or HR number is a Duplicate', async () => {
  const { as, make } = await network()
  await make.person({ name: 'First Comer', email: 'first@network.test', sql_person_id: 'H-1' })
  const answer = async (body: object) => {
    const response = await as(6).request('POST', '/locations-api/people', { payload: body })
    return { status: response.statusCode, ...response.json<{ title: string; errors: unknown }>() }
  }
  const byAddress = await answer({ name: 'Second', email: 'FIRST@network.test' })
  expect(byAddress).toMatchObject({ status: 409, title: expect.stringContaining('Duplicate') })
  expect(byAddress.errors).toEqual([{ path: 'email', message: 'First Comer already has this email address' }])
  const byNumber = await answer({ name: 'Second', email: 'second@network.test', sql_person_id: 'H-1' })
  expect(byNumber).toMatchObject({ status: 409, title: expect.stringContaining('Duplicate') })
  expect(byNumber.errors).toEqual([{ path: 'sql_person_id', message: 'First Comer already has this HR number' }])
})

test('one of many concurrent requests adds a person, and the others get Duplicate', async () => {
  const { as, context } = await network()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      as(6).trySend(createPerson, { body: { name: 'Contested One', email: n % 2 === 0 ? 'one@contest.test' : 'ONE@contest.test' } }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  expect(await context.db.selectFrom('person').select('slug').where('name', '=', 'Contested One').execute()).toHaveLength(1)
})

test('people of the same name, added at the same time, each get a unique slug', async () => {
  const { as } = await network()
  const created = await Promise.all(
    Array.from({ length: 5 }, (_, n) => as(6).send(createPerson, { body: { name: 'Ámy Lee', email: `amy${n}@lee.test` } })),
  )
  expect(created.map(({ slug }) => slug).toSorted()).toEqual(['amy-lee', 'amy-lee-2', 'amy-lee-3', 'amy-lee-4', 'amy-lee-5'])
})
