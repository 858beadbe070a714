import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createDayFormat } from '../../../contract/dates.ts'
import { DEADLINE_SOURCES, findSource } from '../../../contract/deadlines.ts'
import { readDate } from './read-date.ts'

const ofOverview = (field: string) => findSource('charter_affair', 'overview', field)
const EXPIRATION = ofOverview('charter_expiration_date')
const PETITION = ofOverview('petition_submission_due_date')

describe('what a text gives', () => {
  test('a date, if all of the text is understood', () => {
    expect(readDate('Charter expires June 30, 2027', EXPIRATION)).toEqual({ status: 'certain', date: '2027-06-30', precision: 'day' })
    expect(readDate('Expires June 2027', EXPIRATION)).toEqual({ status: 'certain', date: '2027-06-30', precision: 'month' })
  })

  test('dates to confirm and the reason, if one word is not understood', () => {
    expect(readDate('Expires June 30, 2027, Oakhurst', EXPIRATION)).toEqual({
      status: 'proposed',
      dates: [{ date: '2027-06-30', precision: 'day' }],
      why: '“Oakhurst” is not understood',
    })
  })

  test('a reason, if there is no date', () => {
    expect(readDate('TBD', EXPIRATION)).toEqual({ status: 'none', why: 'No date in it' })
    expect(readDate('2/30/2027', EXPIRATION)).toEqual({ status: 'none', why: '“2/30/2027” is not a day of the calendar' })
    expect(readDate('Jan 5', EXPIRATION)).toEqual({ status: 'none', why: 'No year' })
  })

  test.each([
    ['Friday before Thanksgiving 2027', '“Friday before Thanksgiving 2027” is not understood'],
    ['Labor Day 2027', '“Labor Day 2027” is not understood'],
    ['Spring 2027', '“Spring 2027” is not understood'],
    ['June ??, 2027', '“June ??, 2027” is not understood'],
    ['2027', 'A year, not a date'],
    ['June', 'No year'],
    ['third Thursday of each month', 'A weekday, not a date'],
    ['3rd Thursday of each month', 'A weekday, not a date'],
    ['5 years', 'A length of time, not a date'],
    ['30 days after the visit', 'Counted from another day'],
    ['5th Monday of June 2027', '“5th Monday of June 2027” is not a day of the calendar'],
    ['TBD', 'No date in it'],
  ])('the reason of %j is %s', (text, why) => {
    expect(readDate(text, EXPIRATION)).toEqual({ status: 'none', why })
  })

  test.each([
    ['the first Tuesday in March 2027 at 6 pm', '2027-03-02'],
    ['3rd Thursday of June, 2027', '2027-06-17'],
    ['last Fri. of May 2027', '2027-05-28'],
    ['fifth Monday of March 2027', '2027-03-29'],
  ])('%j proposes %s, which was counted', (text, date) => {
    expect(readDate(text, EXPIRATION)).toEqual({
      status: 'proposed',
      dates: [{ date, precision: 'day' }],
      why: 'Worked out from the calendar. Is it right?',
    })
  })

  test('the same text differs by the field it is from', () => {
    expect(readDate('due 12/1/2026', PETITION).status).toBe('certain')
    expect(readDate('due 12/1/2026', EXPIRATION).status).toBe('proposed')
    expect(readDate('Petition 12/1/2026', PETITION).status).toBe('certain')
    expect(readDate('Petition 12/1/2026', EXPIRATION).status).toBe('proposed')
    expect(readDate('3/7/2027 - 3/10/2027', EXPIRATION).status).toBe('certain')
    expect(readDate('3/7/2027 - 3/10/2027', ofOverview('wasc_visit_date')).status).toBe('proposed')
  })
})

test.each([
  ['30 days after 11/18/2026', '2026-12-18'],
  ['Visit 11/18/2026 + 30 days', '2026-12-18'],
  ['45 days prior to 6/30/2027', '2027-05-16'],
  ['1/31/2027 + 1 month', '2027-02-28'],
  ['2/29/2028 + 1 year', '2029-02-28'],
  ['11/18/2026 plus two weeks', '2026-12-02'],
  ['expires 6/30/2026, extended 2 yrs', '2028-06-30'],
  ['5 years, effective 7/1/2024', '2029-06-30'],
])('%j proposes %s first, and then the date it counts from', (text, date) => {
  expect(readDate(text, EXPIRATION)).toMatchObject({ status: 'proposed', dates: [{ date }, {}] })
})

test.each(['within 60 days of 6/30/2027', '10 business days after 6/30/2027', 'the day after 6/30/2027'])(
  '%j proposes only the date in it',
  (text) => {
    expect(readDate(text, EXPIRATION)).toMatchObject({ status: 'proposed', dates: [{ date: '2027-06-30' }] })
  },
)

test('dates of past events and starts are proposed last', () => {
  expect(readDate('Approved 3/1/2022, eff. 7/1/2022, ends 6/30/2027 (see file)', EXPIRATION)).toMatchObject({
    dates: [{ date: '2027-06-30' }, { date: '2022-07-01' }, { date: '2022-03-01' }],
  })
})

const NAMES = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
type Format = (year: number, month: number, day: number) => string
const pad = (value: number): string => String(value).padStart(2, '0')
const name = (month: number): string => NAMES[month - 1] ?? ''
const formatLongDay = createDayFormat({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const FORMATS: readonly Format[] = [
  (y, m, d) => `${m}/${d}/${y}`,
  (y, m, d) => `${pad(m)}/${pad(d)}/${y}`,
  (y, m, d) => `${m}/${d}/${pad(y % 100)}`,
  (y, m, d) => `${m}-${d}-${y}`,
  (y, m, d) => `${pad(m)}.${pad(d)}.${y}`,
  (y, m, d) => `${y}-${pad(m)}-${pad(d)}`,
  (y, m, d) => `${name(m)} ${d}, ${y}`,
  (y, m, d) => `${name(m).slice(0, 3)}. ${d} ${y}`,
  (y, m, d) => `${d} ${name(m)} ${y}`,
  (y, m, d) => `${d}-${name(m).slice(0, 3)}-${pad(y % 100)}`,
  (y, m, d) => formatLongDay(`${y}-${pad(m)}-${pad(d)}`),
]
const FRAMES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `expires ${text}`,
  (text) => `Approved 01/02/1990; expires ${text}`,
  (text) => `7/1/1990 to ${text}`,
  (text) => `07/01/1990-${text}`,
  (text) => `(${text})`,
  (text) => `${text}, 5:00 PM`,
  (text) => `charter expiration:\n${text}`.toUpperCase(),
]
const days = fc
  .date({ min: new Date('1990-07-02'), max: new Date('2089-12-31'), noInvalidDate: true })
  .map((moment) => moment.toISOString().slice(0, 10))

test('every date in every form and context is read back', () => {
  fc.assert(
    fc.property(days, fc.constantFrom(...FORMATS), fc.constantFrom(...FRAMES), (date, format, frame) => {
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
      expect(readDate(frame(format(year, month, day)), EXPIRATION)).toEqual({ status: 'certain', date, precision: 'day' })
    }),
    { numRuns: 2000 },
  )
})

test('one word that is not in the grammar leaves any text proposed', () => {
  const word = fc.string({ unit: fc.constantFrom('b', 'c', 'g', 'k', 'q', 'v', 'x', 'z'), minLength: 5, maxLength: 9 })
  fc.assert(
    fc.property(days, fc.constantFrom(...FRAMES), word, fc.boolean(), (date, frame, unknown, isFirst) => {
      const text = frame(date)
      const reading = readDate(isFirst ? `${unknown} ${text}` : `${text} ${unknown}`, EXPIRATION)
      expect(reading.status).toBe('proposed')
    }),
    { numRuns: 1000 },
  )
})

const pieces = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '6/30/2027',
    'June',
    ' 30',
    ', ',
    '2027',
    ' to ',
    '-',
    '–',
    'due ',
    'approved ',
    'not ',
    '(',
    ')',
    '\n',
    '; ',
    'Mon ',
    '5 days after ',
    "'27",
    '/',
    'Jan 5',
    '2/30/2027',
    'expires ',
    'was ',
    'extended ',
  ),
)
test('any text gives a day that exists, dates to confirm or a reason', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.constantFrom(undefined, ...DEADLINE_SOURCES), (parts, source) => {
      const reading = readDate(parts.join(''), source)
      const found = reading.status === 'certain' ? [reading] : reading.status === 'proposed' ? reading.dates : []
      for (const { date } of found) expect(new Date(`${date}T00:00:00Z`).toISOString()).toBe(`${date}T00:00:00.000Z`)
      expect(reading.status === 'certain' || reading.why !== '').toBe(true)
    }),
    { numRuns: 5000 },
  )
})

test.each(
  [
    '1/',
    '1.',
    '1 - ',
    'June ',
    'June 28, 29, ',
    '6/30/2027 ',
    '5 days after ',
    'within 5 days of ',
    '2027-',
    '(',
    '- ',
    'now due 6/30/2027, ',
    'a',
    'a ',
    '\n',
    '\u00ad',
    ' ',
    "a'",
    '—',
    'ﬃ',
    'Monday, ',
  ].map((part) => [part]),
)('100,000 characters of %j are read within 100 ms', (part) => {
  const text = part.repeat(100_000 / part.length)
  readDate(text, EXPIRATION)
  const start = performance.now()
  expect(readDate(text, EXPIRATION).status).not.toBe('certain')
  expect(performance.now() - start).toBeLessThan(100)
})
