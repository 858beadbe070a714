import { describe, expect, test } from 'vitest'

import { addDays } from '../deadlines/rules.ts'
import { findDueDigest, findReminderDay, getMonday, type ReminderTimes, toLocalTime } from './rules.ts'

const PETITION: ReminderTimes = { date: '2027-06-30', leadDays: [180, 90, 30, 7], since: '2026-11-01', snoozedUntil: null }
const at = (day: string, hour = 12) => ({ day, hour })

describe('the last day on which a reminder of a deadline was due', () => {
  test.each<[string, Partial<ReminderTimes>, string, number, string | null]>([
    ['before the first lead time', {}, '2026-12-31', 12, null],
    ['at the first lead time, at night', {}, '2027-01-01', 6, null],
    ['at the first lead time, in the morning', {}, '2027-01-01', 7, '2027-01-01'],
    ['between two lead times', {}, '2027-03-31', 23, '2027-01-01'],
    ['at the last lead time, at night', {}, '2027-06-23', 0, '2027-05-31'],
    ['at the last lead time', {}, '2027-06-23', 12, '2027-06-23'],
    ['on the day of the deadline', {}, '2027-06-30', 12, '2027-06-23'],
    ['one day overdue', {}, '2027-07-01', 12, '2027-07-01'],
    ['one day overdue, at night', {}, '2027-07-01', 6, '2027-06-23'],
    ['one week overdue', {}, '2027-07-07', 12, '2027-07-01'],
    ['eight days overdue', {}, '2027-07-08', 12, '2027-07-08'],
    ['eight days overdue, at night', {}, '2027-07-08', 3, '2027-07-01'],
    ['one year overdue', {}, '2028-06-30', 12, '2028-06-29'],
    ['new after three lead times', { since: '2027-06-01' }, '2027-06-02', 12, null],
    ['new on the day of a lead time, at night', { since: '2027-05-31' }, '2027-05-31', 1, '2027-05-31'],
    ['new after its date', { since: '2027-07-10' }, '2027-07-10', 1, '2027-07-08'],
    ['without lead times', { leadDays: [] }, '2027-06-30', 12, null],
    ['with a lead time of zero days', { leadDays: [0] }, '2027-06-30', 12, '2027-06-30'],
    ['on the day until which it was put off', { snoozedUntil: '2027-02-14' }, '2027-02-14', 12, '2027-02-14'],
    ['put off until a lead time', { snoozedUntil: '2027-04-01' }, '2027-04-01', 12, '2027-04-01'],
  ])('%s', (_when, times, day, hour, expected) => {
    expect(findReminderDay({ ...PETITION, ...times }, at(day, hour))).toBe(expected)
  })

  test('never becomes earlier while time passes', () => {
    let last = ''
    for (let hour = 0; hour < 24 * 800; hour += 5) {
      const day = addDays('2026-11-01', Math.floor(hour / 24))
      const found = findReminderDay({ ...PETITION, snoozedUntil: '2027-02-14' }, at(day, hour % 24)) ?? ''
      expect(found >= last, `${day}: ${last} before ${found}`).toBe(true)
      last = found
    }
    expect(last).not.toBe('')
  })
})

describe('the weekly summaries that are due', () => {
  const MONDAY = '2026-11-23'
  test.each<[string, [string, number], [string, number] | null, string | null, string | null]>([
    ['in the very first run', [MONDAY, 8], null, null, null],
    ['on Monday before the morning', [MONDAY, 6], [MONDAY, 5], null, null],
    ['on Monday morning', [MONDAY, 7], [MONDAY, 6], '2026-11-16', MONDAY],
    ['later on Monday, after a run of that morning', [MONDAY, 9], [MONDAY, 7], null, null],
    ['again on Monday, after the clock was set back', [MONDAY, 7], [MONDAY, 6], MONDAY, null],
    ['on Wednesday, switched off since Sunday', ['2026-11-25', 3], ['2026-11-22', 22], '2026-11-16', MONDAY],
    ['on Sunday', ['2026-11-29', 12], ['2026-11-29', 11], MONDAY, null],
    ['after two Mondays without a server', ['2026-12-02', 12], ['2026-11-20', 11], '2026-11-16', '2026-11-30'],
  ])('%s', (_when, [day, hour], last, digest, expected) => {
    expect(findDueDigest(at(day, hour), last && at(...last), digest)).toBe(expected)
  })

  test('are dated by the Monday of their week', () => {
    expect(['2026-11-22', '2026-11-23', '2026-11-29', '2026-11-30'].map(getMonday)).toEqual(['2026-11-16', MONDAY, MONDAY, '2026-11-30'])
  })
})

test.each([
  ['2026-11-01T08:30:00Z', { day: '2026-11-01', hour: 1 }],
  ['2026-11-01T09:30:00Z', { day: '2026-11-01', hour: 1 }],
  ['2027-03-14T10:30:00Z', { day: '2027-03-14', hour: 3 }],
  ['2026-11-23T08:00:00Z', { day: '2026-11-23', hour: 0 }],
])('%s in Los Angeles', (moment, expected) => {
  expect(toLocalTime(new Date(moment), 'America/Los_Angeles')).toEqual(expected)
})
