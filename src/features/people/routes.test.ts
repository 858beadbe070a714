import { expect, test } from 'vitest'

import { network } from '../../../test/app.ts'
import { listLeadershipRoles, listPeople, listPeopleOfGroup, listRoles, listStudentSupportRoles } from './contract.ts'

test('the 26 roles come with the first start, in their two groups (D20)', async () => {
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

test('a group lists those who hold a role of it, with the roles and locations of that group alone (D44)', async () => {
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
