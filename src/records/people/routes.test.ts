import { expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { listLeadershipRoles, listPeople, listPeopleOfGroup, listRoles, listStudentSupportRoles, readVcard } from './contract.ts'

test('the first start inserts 26 roles in two groups', async () => {
  const { as } = await network()
  const [all, leadership, support] = [
    await as(10).send(listRoles),
    await as(10).send(listLeadershipRoles),
    await as(10).send(listStudentSupportRoles),
  ]
  expect([all.length, leadership.length, support.length]).toEqual([26, 11, 15])
  expect(leadership.map(({ name }) => name)).toContain('Regional SRM')
  expect(support.every(({ group }) => group === 'STUDENT_SUPPORT')).toBe(true)
})

test('a group lists the people with its roles, and only the roles and locations of that group', async () => {
  const { as, make, site } = await network()
  const both = await make.person()
  await make.sitePerson(site._id, 'Principal', both._id)
  await make.sitePerson(site._id, 'Counselor', both._id)
  const idle = await make.person()
  const find = (people: { _id: string }[], _id: string) => people.find((person) => person._id === _id)

  const leadership = await as(10).send(listPeopleOfGroup, { params: { group: 'LEADERSHIP' } })
  expect(find(leadership, both._id)).toMatchObject({
    roles: [{ name: 'Principal' }],
    locations: [{ role: { name: 'Principal' }, site: { _id: site._id } }],
  })
  expect(find(leadership, idle._id)).toBeUndefined()

  const everyone = await as(10).send(listPeople)
  expect(find(everyone, both._id)).toMatchObject({ roles: [{ name: 'Counselor' }, { name: 'Principal' }], sites: [{ _id: site._id }] })
  expect(find(everyone, idle._id)).toMatchObject({ roles: [], sites: [], locations: [] })
})

test('a person is downloaded as a contact, by slug or _id, with only the session cookie, and not without it', async () => {
  const { as, make, site, anonymous } = await network()
  const person = await make.person({ name: 'Zoë, Quill', phone: '2095550142' })
  await make.sitePerson(site._id, 'Principal', person._id)
  const caller = as(10)
  const { cookie = '' } = await caller.headers()
  const address = `/api/people/${person.slug}/vcard`
  const answers = [
    await caller.trySend(readVcard, { params: { slug: person.slug } }),
    await caller.trySend(readVcard, { params: { slug: person._id } }),
    await anonymous.request('GET', address, { headers: { cookie } }),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/vcard; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="zoe-quill.vcf"')
    expect(answer.body).toMatch(/^BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë\\, Quill\r\n/)
    expect(answer.body).toContain('TEL;TYPE=WORK,VOICE:+12095550142')
    expect(answer.body).toMatch(/URL:http:\/\/[^/]+\/staff\/zoe-quill/)
  }
  expect((await anonymous.request('GET', address)).statusCode).toBe(401)
  expect((await caller.trySend(readVcard, { params: { slug: 'nobody-known' } })).statusCode).toBe(404)
})
