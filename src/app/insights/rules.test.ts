import { expect, test } from 'vitest'

import { findPetitionWindow } from './rules.ts'

test.each([
  ['is not known without a date', [], null],
  ['is the time before its only date', ['2027-03-01'], ['2027-02-01', '2027-03-01']],
  ['is between its dates', ['2027-03-01', '2027-05-15', '2027-09-01'], ['2027-03-01', '2027-09-01']],
  ['is not as long as until the petition of a later term', ['2027-03-01', '2027-05-15', '2032-03-01'], ['2027-03-01', '2027-05-15']],
  ['is the time before its date if the other petition is that of a later term', ['2027-03-01', '2032-03-01'], ['2027-02-01', '2027-03-01']],
  ['is the time before a date that is named twice', ['2027-03-01', '2027-03-01'], ['2027-02-01', '2027-03-01']],
])('a petition window %s', (_what, dates, window) => {
  expect(findPetitionWindow(dates, 28)).toEqual(window)
})
