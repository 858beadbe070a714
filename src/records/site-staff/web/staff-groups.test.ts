import { expect, test } from 'vitest'

import type { Role } from '../../people/contract.ts'
import { listStaffMembers } from './staff-groups.ts'

const roles: Role[] = [
  { _id: 'p', name: 'Principal', group: 'LEADERSHIP', notAt: [] },
  { _id: 'a', name: 'Assistant Principal', group: 'LEADERSHIP', notAt: [] },
  { _id: 'c', name: 'Counselor', group: 'STUDENT_SUPPORT', notAt: [] },
]
const held = (name: string, role: string) => ({
  _id: `${name}${role}`,
  person: { _id: name, slug: name.toLowerCase(), name, phone: null, email: null, version: 1 },
  role_match: { _id: role, name: roles.find(({ _id }) => _id === role)?.name ?? '' },
})
const people = [held('Zoe', 'p'), held('Ana', 'p'), held('Bo', 'c'), held('Zoe', 'a'), held('Ana', 'c')]

test('people are in the group of their role, by role and then by name', () => {
  expect(
    listStaffMembers([held('Zoe', 'p'), held('Cy', 'a'), held('Ana', 'p')], roles, 'LEADERSHIP').map(({ person }) => person.name),
  ).toEqual(['Cy', 'Ana', 'Zoe'])
})

test('a person with two roles of a group is listed once, with both', () => {
  expect(listStaffMembers(people, roles, 'LEADERSHIP').map(({ person, roles: names }) => [person.name, ...names])).toEqual([
    ['Zoe', 'Assistant Principal', 'Principal'],
    ['Ana', 'Principal'],
  ])
})

test('a person with roles of both groups is listed in both', () => {
  expect(listStaffMembers(people, roles, 'STUDENT_SUPPORT').map(({ person }) => person.name)).toEqual(['Ana', 'Bo'])
})
