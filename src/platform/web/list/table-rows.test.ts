import { expect, test } from 'vitest'

import { listTableRows } from './table-rows.ts'

const cities = ['Galt', 'Galt', 'Lodi', '']
const getCity = (place: number): string => cities[place] ?? ''

test('a table without groups has its records as rows', () => {
  expect(listTableRows(2, undefined, () => true)).toEqual([{ place: 0 }, { place: 1 }])
})

test('each group has a heading with its number of records, followed by them', () => {
  expect(listTableRows(4, getCity, () => false)).toEqual([
    { value: 'Galt', count: 2 },
    { place: 0 },
    { place: 1 },
    { value: 'Lodi', count: 1 },
    { place: 2 },
    { value: '', count: 1 },
    { place: 3 },
  ])
})

test('a collapsed group keeps its heading and number, and the other records their index', () => {
  expect(listTableRows(4, getCity, (value) => value === 'Galt')).toEqual([
    { value: 'Galt', count: 2 },
    { value: 'Lodi', count: 1 },
    { place: 2 },
    { value: '', count: 1 },
    { place: 3 },
  ])
})
