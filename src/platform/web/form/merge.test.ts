import { expect, test } from 'vitest'

import { mergeEdits } from './merge.ts'
import { combineTexts } from './text-diff.ts'
import { toBody, changedPaths } from './values.ts'

const before = { phone: '209-555-0140', fax: '', start: '9:00AM', days: ['Monday'], open: false }

test('fields that only one of two people changed are merged automatically', () => {
  const { conflicts, mine, theirs, values } = mergeEdits(
    before,
    { ...before, fax: '2095550149' },
    { ...before, start: '8:00AM', open: true },
  )
  expect(conflicts).toEqual([])
  expect([mine, theirs]).toEqual([['fax'], ['start', 'open']])
  expect(values).toEqual({ ...before, fax: '2095550149', start: '8:00AM', open: true })
})

test('a field that both changed is a conflict, and shows the value typed here until it is decided', () => {
  const merged = mergeEdits(before, { ...before, phone: '209-555-0142' }, { ...before, phone: '209-555-0181', days: [] })
  expect(merged.conflicts).toEqual(['phone'])
  expect(merged.values).toMatchObject({ phone: '209-555-0142', days: [] })
})

test('two people who entered the same value have no conflict', () => {
  const both = { ...before, phone: '209-555-0142' }
  expect(mergeEdits(before, both, both)).toMatchObject({ conflicts: [], mine: [], theirs: [], values: both })
})

test('a field cleared here and changed there is a conflict', () => {
  expect(mergeEdits(before, { ...before, phone: '' }, { ...before, phone: '1' }).conflicts).toEqual(['phone'])
})

test('undefined, an empty text and null are equal', () => {
  expect(changedPaths({ fax: '', name: null }, { fax: null, name: '' })).toEqual([])
})

test('the order of the fields of a day does not matter', () => {
  const stored = { Monday: { set: false, end_time: '', start_time: '' } }
  expect(changedPaths(stored, { Monday: { set: false, start_time: '', end_time: '' } })).toEqual([])
})

test('fields use the paths that they declare', () => {
  expect(toBody({ name: 'Lodi', 'address.city': 'Lodi', 'address.zip': '95240' })).toEqual({
    name: 'Lodi',
    address: { city: 'Lodi', zip: '95240' },
  })
})

test('lists that both changed are merged entry by entry', () => {
  const list = (...days: readonly unknown[]) => ({ days })
  const merged = mergeEdits(list('Mon', 'Tue'), list('Mon', 'Wed'), list('Mon', 'Tue', 'Thu'))
  expect([merged.conflicts, merged.combined]).toEqual([[], ['days']])
  expect(merged.values['days']).toEqual(['Mon', 'Thu', 'Wed'])
})

test('an entry that both changed differently is a conflict of the whole list', () => {
  const list = (name: string, other = 'Home Study') => ({
    types: [
      { _id: '1', name },
      { _id: '2', name: other },
    ],
  })
  expect(mergeEdits(list('Online'), list('On line'), list('Virtual')).conflicts).toEqual(['types'])
  expect(mergeEdits(list('Online'), list('On line'), list('Online', 'Home')).values).toEqual(list('On line', 'Home'))
  // One person renames what the other removes.
  expect(mergeEdits(list('Online'), list('On line'), { types: [{ _id: '2', name: 'Home Study' }] }).conflicts).toEqual(['types'])
})

test('texts that both extended are merged with the words of both', () => {
  expect(combineTexts('Second floor.', 'Second floor. Ring twice.', 'Second floor. Elevator out of order.')).toBe(
    'Second floor. Ring twice. Elevator out of order.',
  )
  expect(combineTexts('', 'One', 'Two')).toBe('One\nTwo')
})
