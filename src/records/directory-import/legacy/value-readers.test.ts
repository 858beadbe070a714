import { expect, test } from 'vitest'

import { blackoutDates, recurringDates, selectedDates } from './orientation-readers.ts'
import { getId, findRecords } from './raw-values.ts'
import {
  address,
  count,
  day,
  namedAddresses,
  phone,
  type ValueReader,
  siteFax,
  status,
  text,
  texts,
  boolean,
  yesOrNo,
} from './value-readers.ts'

const READING = { timeZone: 'America/Los_Angeles' }
const read = (reader: ValueReader, raw: unknown) => {
  const { value, finding } = reader(raw, READING)
  return [value, finding?.type]
}

test.each<[string, ValueReader, unknown, unknown, string | undefined]>([
  ['an ISO date', day, '2021-07-01', '2021-07-01', undefined],
  ['midnight UTC', day, '2021-07-01T00:00:00.000Z', '2021-07-01', 'changed'],
  ['midnight in the organization’s time zone', day, '2021-07-02T07:00:00.000Z', '2021-07-02', 'changed'],
  ['an evening in the organization’s time zone', day, '2021-07-02T03:00:00.000Z', '2021-07-01', 'changed'],
  ['MM/DD/YYYY', day, '7/1/2021', '2021-07-01', 'changed'],
  ['a date that does not exist', day, '02/30/2021', null, 'refused'],
  ['a date in words', day, 'TBD', null, 'refused'],
  ['no date', day, '', null, undefined],
  ['a status', status, 'Closed - Permanently', 'CLOSED - PERMANENTLY', 'changed'],
  ['a status as displayed', status, 'active-permanent', 'ACTIVE', 'changed'],
  ['an unknown status', status, 'somewhere', 'ACTIVE', 'refused'],
  ['no status', status, null, 'ACTIVE', undefined],
  ['a word for true', boolean, 'Yes', true, 'changed'],
  ['true as a text', boolean, 'true', true, undefined],
  ['neither', boolean, 'perhaps', false, 'refused'],
  ['Yes as a boolean', yesOrNo, true, 'Yes', 'changed'],
  ['a phone', phone, '(209) 555 0142', '209-555-0142', 'changed'],
  ['a phone with an extension', phone, '555-0142 x123', '555-0142 x123', undefined],
  ['a phone of six digits', phone, '806-555', null, 'refused'],
  ['a fax', siteFax, '209-555-0142', '2095550142', 'changed'],
  ['a fax of nine digits', siteFax, '209555014', null, 'refused'],
  ['a student count', count, '1,234', 1234, 'changed'],
  ['an invalid student count', count, '12 or so', null, 'refused'],
  ['a number as text', text, 95_240, '95240', undefined],
  ['a null character', text, 'a\0b', 'ab', 'changed'],
  ['a web address', address, 'https://cedar.test', 'https://cedar.test', undefined],
  ['a web address that runs a script', address, '\u0001java\tscript:alert(1)', null, 'refused'],
  ['an object as text', text, { a: 1 }, null, 'refused'],
])('%s is read', (_, reader, raw, value, what) => {
  expect(read(reader, raw)).toEqual([value, what])
})

test('lists are read from texts, and entries that are not texts are reported', () => {
  expect(texts(/[\s,;]+/)('a@x.org; b@x.org', READING).value).toEqual(['a@x.org', 'b@x.org'])
  expect(texts(/,/)(['a', { b: 1 }], READING)).toMatchObject({ value: ['a'], unread: [{ at: '1', value: { b: 1 } }] })
  expect(namedAddresses({ High: 'https://high.example' }, READING).value).toEqual([{ name: 'High', url: 'https://high.example' }])
})

test('orientations: dates are sorted, weekdays are recognized in any case, other values are reported', () => {
  expect(selectedDates([{ date: '09/02/2024', start_time: '9:00AM', end_time: '10:00AM', _id: 'x' }, { date: 'soon' }], READING)).toEqual({
    value: [{ date: '2024-09-02', start_time: '9:00AM', end_time: '10:00AM' }],
    unread: [
      { at: '0._id', value: 'x' },
      { at: '1', value: { date: 'soon' } },
    ],
    finding: { type: 'changed', reason: 'dates' },
  })
  expect(blackoutDates(['2024-12-25', '2024-11-28', '2024-12-25'], READING).value).toEqual(['2024-11-28', '2024-12-25'])
  const { value, unread } = recurringDates(
    { monday: { set: 'true', start_time: '9:00AM', end_time: '10:00AM' }, Sunday: { set: true } },
    READING,
  )
  expect(value).toMatchObject({ Monday: { set: true, start_time: '9:00AM' }, Tuesday: { set: false } })
  expect(unread).toEqual([{ at: 'Sunday', value: { set: true } }])
})

test('lists are found in their wrapper objects, and ids in nested records', () => {
  expect(findRecords([{ _id: '1' }])).toEqual([{ _id: '1' }])
  expect(findRecords({ success: true, data: { docs: [{ _id: '1' }] } })).toEqual([{ _id: '1' }])
  expect(findRecords({ message: 'Not found' })).toBeUndefined()
  expect([getId('a'), getId(7), getId({ $oid: 'b' }), getId({ _id: { $oid: 'c' } }), getId({ id: 'd' }), getId(null)]).toEqual([
    'a',
    '7',
    'b',
    'c',
    'd',
    null,
  ])
})
