import { expect, test } from 'vitest'

import { mergeEdits } from './merge.ts'
import { bodyOf, changedPaths } from './values.ts'

const before = { phone: '209-555-0140', fax: '', start: '9:00AM', days: ['Monday'], open: false }

test('fields that only one of two people touched merge by themselves (D6)', () => {
  const { clashes, mine, theirs, values } = mergeEdits(before, { ...before, fax: '2095550149' }, { ...before, start: '8:00AM', open: true })
  expect(clashes).toEqual([])
  expect([mine, theirs]).toEqual([['fax'], ['start', 'open']])
  expect(values).toEqual({ ...before, fax: '2095550149', start: '8:00AM', open: true })
})

test('a field that both changed is left to choose, and stays as it was typed here until then', () => {
  const merged = mergeEdits(before, { ...before, phone: '209-555-0142' }, { ...before, phone: '209-555-0181', days: [] })
  expect(merged.clashes).toEqual(['phone'])
  expect(merged.values).toMatchObject({ phone: '209-555-0142', days: [] })
})

test('two people who wrote the same do not clash', () => {
  const both = { ...before, phone: '209-555-0142' }
  expect(mergeEdits(before, both, both)).toMatchObject({ clashes: [], mine: [], theirs: [], values: both })
})

test('a field emptied here and changed there is a clash', () => {
  expect(mergeEdits(before, { ...before, phone: '' }, { ...before, phone: '1' }).clashes).toEqual(['phone'])
})

test('nothing, an empty text and null are the same', () => {
  expect(changedPaths({ fax: '', name: null }, { fax: null, name: '' })).toEqual([])
})

test('fields travel where their path says', () => {
  expect(bodyOf({ name: 'Lodi', 'address.city': 'Lodi', 'address.zip': '95240' })).toEqual({
    name: 'Lodi',
    address: { city: 'Lodi', zip: '95240' },
  })
})
