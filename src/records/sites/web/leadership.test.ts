import { expect, test } from 'vitest'

import { AREA_LEADERSHIP, listLeadershipRows, LOCAL_LEADERSHIP, listOtherStaff } from './leadership.ts'

const held = (name: string, role: string) => ({
  _id: `${name} as ${role}`,
  person: { _id: name, slug: name.toLowerCase(), name, phone: null, email: null, version: 1 },
  role_match: { _id: role, name: role },
})
const VACANT = ['Principal', 'Student Relations Manager', 'Regional SRM']
const listed = (people: ReturnType<typeof held>[], { roles = LOCAL_LEADERSHIP, vacant = VACANT } = {}) =>
  listLeadershipRows({ people, vacant }, roles).map(({ title, person }) => `${title}: ${person?.name ?? 'no one'}`)

test('principal and student relations manager are listed even if vacant', () => {
  expect(listed([])).toEqual(['Principal: no one', 'Student Relations Manager: no one'])
})

test('a role that the site does not have is not listed', () => {
  expect(listed([], { vacant: [] })).toEqual([])
})

test('all holders of a role are shown, by name', () => {
  const people = [held('Zoe', 'Principal'), held('Ana', 'Principal'), held('Bo', 'Counselor')]
  expect(listed(people, { vacant: ['Student Relations Manager'] })).toEqual([
    'Principal: Ana',
    'Principal: Zoe',
    'Student Relations Manager: no one',
  ])
})

test('warehouse roles are listed only if filled', () => {
  expect(listed([held('Ana', 'Warehouse Technician'), held('Bo', 'Warehouse Manager')]).slice(2)).toEqual([
    'Warehouse Manager: Bo',
    'Warehouse Technician: Ana',
  ])
})

test('area leadership is called superintendent and RSRM', () => {
  expect(listed([held('Ana', 'Area Superintendent')], { roles: AREA_LEADERSHIP })).toEqual(['Superintendent: Ana', 'RSRM: no one'])
})

test('the other staff of a site are those outside its leadership, each once with all roles', () => {
  const people = [
    held('Zoe', 'Registrar'),
    held('Ana', 'Principal'),
    held('Ana', 'Counselor'),
    held('Zoe', 'Counselor'),
    held('Bo', 'Registrar'),
  ]
  expect(listOtherStaff(people, [...LOCAL_LEADERSHIP, ...AREA_LEADERSHIP]).map(({ person, roles }) => [person.name, roles])).toEqual([
    ['Zoe', ['Counselor', 'Registrar']],
    ['Bo', ['Registrar']],
  ])
})
