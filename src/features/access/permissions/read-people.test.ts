import { expect, test } from 'vitest'

import { readPeople } from './rules.ts'

test('a pasted list is read with names before or after the address, in brackets, quotation marks and columns', () => {
  const text =
    'Dana Whitlock <dana@school.test>\n"Ruiz, Ana"\tana.ruiz@school.test; lee@school.test (Kim Lee)\r\nbo_de-la.cruz@school.test\n\n'
  expect(readPeople(text)).toEqual({
    people: [
      { name: 'Dana Whitlock', azureID: 'dana@school.test' },
      { name: 'Ruiz Ana', azureID: 'ana.ruiz@school.test' },
      { name: 'Kim Lee', azureID: 'lee@school.test' },
      { name: 'Bo De La Cruz', azureID: 'bo_de-la.cruz@school.test' },
    ],
    unreadable: [],
  })
})

test('an address is listed once, and what has none is returned', () => {
  expect(readPeople('a@school.test\nA@school.test\nNo address')).toEqual({
    people: [{ name: 'A', azureID: 'A@school.test' }],
    unreadable: ['No address'],
  })
})
