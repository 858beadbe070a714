import { expect, test } from 'vitest'

import { parseMinutes, readFromList } from './times.ts'

const MORNING = ['7:00AM', '8:30AM', '9:00AM', '12:00PM', '1:00PM']
const ALL_DAY = ['06:00AM', '08:30AM', '12:00PM', '05:00PM', '08:30PM']
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

test.each(['8:30AM', '8:30 AM', '8:30am', '8:30 a.m.', '08:30', '8:30', '08:30:00', '8:30:00 AM', '8:30\u00a0AM'])(
  '%j is 8:30AM where the list has no other',
  (text) => {
    expect(readFromList(MORNING, text)).toBe('8:30AM')
  },
)

test.each([
  [MORNING, '1:00', '1:00PM'],
  [MORNING, '13:00', '1:00PM'],
  [MORNING, '9 AM', '9:00AM'],
  [MORNING, 'noon', 'noon'],
  [MORNING, '9', '9'],
  [MORNING, '8:45 AM', '8:45 AM'],
  [MORNING, '25:00', '25:00'],
  [MORNING, '13:00 PM', '13:00 PM'],
  [ALL_DAY, '8:30', '8:30'],
  [ALL_DAY, '08:30', '08:30AM'],
  [ALL_DAY, '20:30', '08:30PM'],
  [ALL_DAY, '5:00', '05:00PM'],
  [DAYS, 'Mon', 'Monday'],
  [DAYS, 'thurs.', 'Thursday'],
  [DAYS, 'T', 'T'],
  [DAYS, 'Holiday', 'Holiday'],
  [['ACTIVE', 'PENDING'], 'active', 'ACTIVE'],
  [['ACTIVE', 'PENDING'], 'ACT', 'ACT'],
])('of %j, %j is %j', (choices, text, read) => {
  expect(readFromList(choices, text)).toBe(read)
})

test.each([
  ['9:30AM', 570],
  ['12:00 am', 0],
  ['12:30PM', 750],
  ['9:30', undefined],
  ['morning', undefined],
])('%j is %j minutes after midnight', (time, minutes) => {
  expect(parseMinutes(time)).toBe(minutes)
})
