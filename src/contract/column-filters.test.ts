import { describe, expect, test } from 'vitest'

import {
  buildColumnFilter,
  type ColumnFilter,
  countColumnValues,
  formatColumnFilters,
  listOrderingColumns,
  parseColumnFilters,
  parseGroup,
  toColumnFiltersSchema,
} from './column-filters.ts'
import type { ListColumn } from './lists.ts'

interface Hut {
  name: string
  city: string | null
  beds: number | null
}
const huts: readonly Hut[] = [
  { name: 'Two', city: 'Élan', beds: 10 },
  { name: 'One', city: null, beds: null },
  { name: 'Three', city: 'Zed; 100%|', beds: 9 },
  { name: 'Four', city: 'elan', beds: 100 },
  { name: 'Five', city: ' Élan\n', beds: 9 },
]
const city: ListColumn<Hut> = { key: 'city', label: 'City', text: (hut) => hut.city }
const beds: ListColumn<Hut> = { key: 'beds', label: 'Beds', text: (hut) => hut.beds, isNumber: true }
const columns = [{ key: 'name', label: 'Name', text: ({ name }: Hut) => name }, city, beds]
const pass = (text: string): string[] =>
  huts.filter(buildColumnFilter(parseColumnFilters(text, columns), columns, 'UTC')).map(({ name }) => name)

describe('a list is filtered by columns', () => {
  test('that have one of some values, as one line of text; the empty value is a missing one', () => {
    expect(pass('city:Élan')).toEqual(['Two', 'Five'])
    expect(pass('city:|elan')).toEqual(['One', 'Four'])
    expect(pass('beds:9')).toEqual(['Three', 'Five'])
  })

  test('that contain a text, in any case and with or without accents', () => {
    expect(pass('city~ELA')).toEqual(['Two', 'Four', 'Five'])
    expect(pass('beds~10')).toEqual(['Two', 'Four'])
  })

  test('that are not empty, and by several columns together', () => {
    expect(pass('city!')).toEqual(['Two', 'Three', 'Four', 'Five'])
    expect(pass('city!;beds:9|100;name~f')).toEqual(['Four', 'Five'])
    expect(pass('')).toHaveLength(huts.length)
  })

  test('in an address, where values contain anything and unknown columns are left out', () => {
    const filters: readonly ColumnFilter[] = [
      { key: 'city', operator: 'is', values: ['Zed; 100%|', '', 'a:b~c!', '%7C'] },
      { key: 'beds', operator: 'is not empty', values: [] },
      { key: 'name', operator: 'contains', values: ['a;b'] },
    ]
    expect(parseColumnFilters(formatColumnFilters(filters), columns)).toEqual(filters)
    expect(formatColumnFilters([])).toBeUndefined()
    for (const nothing of [undefined, '', 'planet:Mars', 'city', ':Lodi', ';;'])
      expect(parseColumnFilters(nothing, columns), nothing).toEqual([])
    expect(pass('city:Zed%3B 100%25%7C')).toEqual(['Three'])
    expect(pass('city:100%'), 'a percent sign that is not an escape').toEqual([])
  })

  test('in a request, which is refused for unknown columns', () => {
    const schema = toColumnFiltersSchema(columns)
    expect(schema.safeParse('city:Lodi;beds!').success).toBe(true)
    for (const wrong of ['planet:Mars', 'city:Lodi;', 'city', '', `city:${'x'.repeat(4000)}`])
      expect(schema.safeParse(wrong).success, wrong).toBe(false)
  })

  test('each of whose values is counted, in the order of the column', () => {
    expect([...countColumnValues(huts, city, 'UTC')]).toEqual([
      ['Élan', 2],
      ['elan', 1],
      ['Zed; 100%|', 1],
      ['', 1],
    ])
    expect([...countColumnValues(huts, beds, 'UTC').keys()]).toEqual(['9', '10', '100', ''])
  })
})

test('a list is grouped by a column, in descending order if it is sorted by the same column in that order', () => {
  expect(parseGroup('beds', '-city', columns)).toEqual({ column: beds, isDescending: false })
  expect(parseGroup('beds', '-beds', columns)).toEqual({ column: beds, isDescending: true })
  for (const nothing of [undefined, 'planet', '-beds']) expect(parseGroup(nothing, 'beds', columns), nothing).toBeUndefined()
})

test('the columns that a list is filtered, grouped and sorted by are known', () => {
  expect(listOrderingColumns({ sort: '-beds', group: 'name', where: 'city!' }, columns)).toEqual(columns)
  expect(listOrderingColumns({ sort: 'planet' }, columns)).toEqual([])
})
