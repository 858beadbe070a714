import { describe, expect, test } from 'vitest'

import { parseSort, sortByColumn } from '../../../contract/lists.ts'
import { listUniqueTexts, getNextSort, formatTable } from './columns.ts'
import type { Column } from './columns.ts'

interface Hut {
  name: string
  city: string | null
  beds: number | null
}
const huts: readonly Hut[] = [
  { name: 'Two', city: 'Élan', beds: 10 },
  { name: 'One', city: null, beds: null },
  { name: 'Three', city: 'zed', beds: 9 },
  { name: 'Four', city: 'elan', beds: 100 },
  { name: 'Five', city: '', beds: 9 },
]
const columns: readonly Column<Hut>[] = [
  { key: 'name', label: 'Name', text: ({ name }) => name, width: 10 },
  { key: 'city', label: 'City', text: ({ city }) => city, width: 10 },
  { key: 'beds', label: 'Beds', text: ({ beds }) => beds, width: 5, isNumber: true },
]
const by = (key: string, down: boolean): string[] =>
  sortByColumn(huts, columns.find((column) => column.key === key) ?? { text: () => null }, down, 'UTC').map(({ name }) => name)

describe('a list is sorted', () => {
  test('sorts by words regardless of case and accents; rows without a value come last in both directions', () => {
    expect(by('city', false)).toEqual(['Two', 'Four', 'Three', 'One', 'Five'])
    expect(by('city', true)).toEqual(['Three', 'Two', 'Four', 'One', 'Five'])
  })

  test('by numbers', () => {
    expect(by('beds', false)).toEqual(['Three', 'Five', 'Two', 'Four', 'One'])
    expect(by('beds', true)).toEqual(['Four', 'Two', 'Three', 'Five', 'One'])
  })

  test('in the order of the URL, or its own order if the URL has no known column', () => {
    expect(parseSort('city', columns)).toMatchObject({ column: { key: 'city' }, isDescending: false })
    expect(parseSort('-beds', columns)).toMatchObject({ column: { key: 'beds' }, isDescending: true })
    for (const nothing of [undefined, '', '-', 'planet', '--city']) expect(parseSort(nothing, columns)).toBeUndefined()
  })

  test('ascending, then descending, then in the original order', () => {
    expect(getNextSort('city', undefined)).toBe('city')
    expect(getNextSort('city', '-name')).toBe('city')
    expect(getNextSort('city', 'city')).toBe('-city')
    expect(getNextSort('city', '-city')).toBeUndefined()
  })
})

describe('what is copied', () => {
  test('is a table without formulas', () => {
    expect(formatTable([{ name: '=1+1', city: 'A\tB\nC', beds: null }], columns)).toBe('Name\tCity\tBeds\n =1+1\tA B C\t')
  })

  test('contains each text once, without missing ones', () => {
    expect(listUniqueTexts([...huts, ...huts], ({ city }) => city)).toEqual(['Élan', 'zed', 'elan'])
  })
})
