import { expect, test } from 'vitest'

import { listTableRows } from './table-rows.ts'

const cities = ['Élan', 'elan', 'Lodi', '']

test('each group has a heading with its number of records, followed by them', () => {
  expect(listTableRows(cities, new Set())).toEqual([
    { value: 'Élan', count: 2 },
    { place: 0 },
    { place: 1 },
    { value: 'Lodi', count: 1 },
    { place: 2 },
    { value: '', count: 1 },
    { place: 3 },
  ])
  expect(listTableRows([], new Set())).toEqual([])
})

test('a collapsed group keeps its heading and number, and the other records their index', () => {
  expect(listTableRows(cities, new Set(['Élan']))).toEqual([
    { value: 'Élan', count: 2 },
    { value: 'Lodi', count: 1 },
    { place: 2 },
    { value: '', count: 1 },
    { place: 3 },
  ])
})
