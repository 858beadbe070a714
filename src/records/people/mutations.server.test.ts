import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { readHistory } from '../../features/changing/history/contract.ts'
import { readSite } from '../sites/contract.ts'
import { listPeople, readPerson, updatePerson, PersonInput } from './contract.ts'

const setUp = async () => {
  const app = await network()
  const person = await app.make.person({ sql_person_id: `HR ${app.site._id}` })
  return { ...app, person, params: { id: person.slug } }
}
const errorsOf = (response: { json: () => { errors?: { path: string; message: string }[] } }) =>
  Object.fromEntries((response.json().errors ?? []).map(({ path, message }) => [path, message]))

describe('Edit Info of a person', () => {
  test('writes every field, updates every page, and keeps the slug', async () => {
    const { as, site, make, person, params } = await setUp()
    await make.sitePerson(site._id, 'Registrar', person._id)
    const body = {
      name: 'Ada Lovelace-Ruiz',
      email: 'ada.lovelace@network.test',
      phone: '209-555-0142 x12',
      fax: '209-555-0143',
      sql_person_id: '004711',
    }
    expect(Object.keys(body).toSorted()).toEqual(PersonInput.keyof().options.toSorted())
    const answer = await as(6).send(updatePerson, { params, body })
    expect(answer).toMatchObject({ ...body, slug: person.slug, version: person.version + 1 })
    expect(await as(10).send(readPerson, { params: { slug: person._id } })).toEqual(answer)
    expect((await as(10).send(listPeople)).find(({ _id }) => _id === person._id)).toMatchObject(body)
    const { people } = await as(10).send(readSite, { params: { slug: site._id } })
    expect(people.map((one) => one.person)).toContainEqual(
      expect.objectContaining({ name: body.name, phone: body.phone, email: body.email, version: answer.version }),
    )
    const { changes } = await as(6).send(readHistory, { params: { kind: 'person', id: person._id } })
    expect(changes[0]?.fields.map(({ field }) => field).toSorted()).toEqual(Object.keys(body).toSorted())
  })

  test('changes only the sent fields; null or an empty text clears an optional one', async () => {
    const { as, person, params } = await setUp()
    await as(6).send(updatePerson, { params, body: { phone: '209-555-0142', fax: '2095550143' } })
    const answer = await as(6).send(updatePerson, { params, body: { phone: '', fax: null } })
    expect(answer).toMatchObject({ phone: null, fax: null, email: person.email, sql_person_id: person.sql_person_id, name: person.name })
  })

  test('reads phone and fax numbers in the forms in which people paste them', async () => {
    const { as, params } = await setUp()
    const save = async (phone: string, fax: string) => {
      const answer = await as(6).send(updatePerson, { params, body: { phone, fax } })
      return [answer.phone, answer.fax]
    }
    expect(await save('209.555.0142 ext. 12', '(209) 555-0143')).toEqual(['209-555-0142 x12', '209-555-0143'])
    expect(await save('+1 209 555 0144 #7', '2095550145')).toEqual(['209-555-0144 x7', '209-555-0145'])
  })

  test('refuses invalid values, names each field, and changes nothing', async () => {
    const { as, params } = await setUp()
    const before = await as(10).send(readPerson, { params: { slug: params.id } })
    const response = await as(6).trySend(updatePerson, {
      params,
      body: { name: ' ', email: 'ada at network', phone: 'call me', fax: 'x', sql_person_id: 'x'.repeat(101) },
    })
    expect(response.statusCode).toBe(422)
    expect(errorsOf(response)).toEqual({
      name: 'This field is required',
      email: 'Please provide a valid email address',
      phone: 'A phone number has 10 digits, such as 209-555-0142 or 209-555-0142 x12',
      fax: 'A phone number has 10 digits, such as 209-555-0142. Leave out an extension',
      sql_person_id: 'Use at most 100 characters',
    })
    expect(await as(10).send(readPerson, { params: { slug: params.id } })).toEqual(before)
  })

  test('accepts a stored invalid value that is sent back, and refuses another one', async () => {
    const { as, make } = await setUp()
    const { _id } = await make.person({ phone: '(209) 555-0142 ext. 7' })
    const answer = await as(6).send(updatePerson, { params: { id: _id }, body: { phone: '(209) 555-0142 ext. 7', fax: '2095550143' } })
    expect(answer).toMatchObject({ phone: '(209) 555-0142 ext. 7', fax: '209-555-0143' })
    expect((await as(6).trySend(updatePerson, { params: { id: _id }, body: { phone: '(209) 555-014 ext. 7' } })).statusCode).toBe(422)
  })

  test('refuses another person’s email address, ignoring case, or HR number with 409 and Duplicate in the title', async () => {
    const { as, make, person, params } = await setUp()
    const other = await make.person({ sql_person_id: `other ${person._id}` })
    const response = await as(6).trySend(updatePerson, {
      params,
      body: { email: other.email?.toUpperCase() ?? '', sql_person_id: other.sql_person_id },
    })
    expect(response.statusCode).toBe(409)
    expect(response.json().title).toContain('Duplicate')
    expect(errorsOf(response)).toEqual({
      email: `${other.name} already has this email address`,
      sql_person_id: `${other.name} already has this HR number`,
    })
    // Their own address in different case is accepted.
    expect((await as(6).send(updatePerson, { params, body: { email: person.email?.toUpperCase() ?? '' } })).email).toBe(
      person.email?.toUpperCase(),
    )
  })

  test('one of twenty concurrent requests gets an email address', async () => {
    const { as, make } = await setUp()
    const people = await Promise.all(Array.from({ length: 20 }, () => make.person()))
    const me = as(6)
    const statuses = await Promise.all(
      people.map(
        async ({ _id }) =>
          (await me.trySend(updatePerson, { params: { id: _id }, body: { email: `one.${people[0]?._id}@network.test` } })).statusCode,
      ),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
  })
})
