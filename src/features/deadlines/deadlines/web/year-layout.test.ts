import { describe, expect, test } from 'vitest'

import type { Deadline } from '../contract.ts'
import {
  buildYearRows,
  formatCountName,
  formatMarkName,
  formatYearRange,
  getQuarterStart,
  getYearRange,
  layoutMarks,
  layoutTerm,
  listMonths,
  readTermStart,
  sortYearRows,
  toFraction,
} from './year-layout.ts'

const TODAY = '2026-11-22'
const range = getYearRange('2026-10-01')
let count = 0
const make = (date: string, fields: Partial<Deadline> & { field?: string; text?: string } = {}): Deadline => {
  const { field = 'oversight_date', text = date, ...rest } = fields
  return {
    _id: `deadline ${++count}`,
    kind: 'oversight',
    title: 'Oversight visit',
    date,
    precision: 'day',
    proposed: false,
    proposedDates: [],
    why: null,
    formerDate: null,
    state: 'open',
    snoozedUntil: null,
    responsible: null,
    responsibleFrom: null,
    note: null,
    yearly: false,
    isCurrent: true,
    source: { record: 'charter_affair', section: 'overview', field, row: null, text, isByHand: false },
    charter: { _id: 'harbor', slug: 'harbor', name: 'Bright Harbor' },
    site: null,
    region: null,
    version: 1,
    updatedAt: '2026-11-01T00:00:00Z',
    updatedBy: null,
    ...rest,
  }
}

describe('the twelve months', () => {
  test('begin with a quarter', () => {
    expect(getQuarterStart(TODAY)).toBe('2026-10-01')
    expect(getQuarterStart('2026-01-31', -1)).toBe('2025-10-01')
    expect(getQuarterStart('2026-12-31', 1)).toBe('2027-01-01')
    expect(range).toEqual({ start: '2026-10-01', end: '2027-10-01' })
    expect(formatYearRange(range)).toBe('Oct 2026 – Sep 2027')
  })

  test('have names, including the year if it is not the current one', () => {
    const months = listMonths(range)
    expect(months.map(({ name }) => name).join(' ')).toBe('Oct Nov Dec Jan Feb Mar Apr May Jun Jul Aug Sep')
    expect(months.flatMap(({ quarter }) => quarter ?? [])).toEqual(['Oct – Dec', 'Jan – Mar 2027', 'Apr – Jun 2027', 'Jul – Sep 2027'])
    expect(months[0]?.fraction).toBe(0)
    expect(months[1]?.fraction).toBeCloseTo(31 / 365)
  })
})

describe('the marks of a year', () => {
  const layout = (days: readonly string[], width = 730) =>
    layoutMarks(
      days.map((day) => make(day)),
      { range, width, markWidth: 20 },
    ).map(({ lane, isCount, deadlines }) => [lane, isCount ? deadlines.length : null])

  test('are on the line if there is room; those of other years are left out', () => {
    expect(layout(['2026-10-20', '2026-11-20', '2026-09-30', '2027-10-01'])).toEqual([
      [0, null],
      [0, null],
    ])
  })

  test('are above and below the line if they are closer than the width of a mark', () => {
    expect(layout(['2026-11-20', '2026-11-25'])).toEqual([
      [-1, null],
      [1, null],
    ])
    expect(layout(['2026-11-20', '2026-11-26', '2026-12-02'])).toEqual([
      [-1, null],
      [1, null],
      [-1, null],
    ])
  })

  test('become a count if there are four, or three at nearly the same place', () => {
    expect(layout(['2026-11-20', '2026-11-22', '2026-11-24', '2026-11-26'])).toEqual([[0, 4]])
    expect(layout(['2026-11-20', '2026-11-22', '2026-11-24'])).toEqual([[0, 3]])
  })

  test('of a long sequence become several groups, each near its days', () => {
    const chain = Array.from({ length: 12 }, (_, at) => `2026-11-${String(1 + at * 2).padStart(2, '0')}`)
    const groups = layoutMarks(
      chain.map((day) => make(day)),
      { range, width: 1460, markWidth: 20 },
    )
    expect(groups.length).toBeGreaterThan(1)
    expect(groups.flatMap(({ deadlines }) => deadlines)).toHaveLength(12)
  })

  test('of the same kind on the same day are one mark', () => {
    const marks = layoutMarks([make('2027-06-30'), make('2027-06-30')], { range, width: 730, markWidth: 20 })
    expect(marks.map(({ deadlines, lane, isCount }) => [deadlines.length, lane, isCount])).toEqual([[2, 0, false]])
  })

  test('of deadlines that were put off are at the later day', () => {
    const [mark] = layoutMarks([make('2026-11-10', { state: 'snoozed', snoozedUntil: '2026-12-10' })], { range, width: 730, markWidth: 20 })
    expect(mark?.fraction).toBe(toFraction('2026-12-10', range))
  })

  test('have an accessible name', () => {
    expect(formatMarkName(make('2026-11-13', { title: 'Oversight report' }), 'Bright Harbor - Grand River', TODAY)).toBe(
      'Oversight report, Bright Harbor - Grand River, 11/13/2026, 9 days overdue',
    )
    expect(formatCountName([make('2027-01-09', { kind: 'funding' }), make('2027-01-04')], 'Bright Harbor')).toBe(
      '2 deadlines, Bright Harbor, 01/04/2027 to 01/09/2027: Funding, Oversight',
    )
  })
})

describe('the line of a charter', () => {
  const term = (termStart: string | null, termEnd: string | null) => layoutTerm({ termStart, termEnd }, range)

  test('is solid during the term, then dashed', () => {
    expect(term(null, '2029-06-30')).toEqual({ term: [0, 1], none: null, hasStart: false })
    const { term: line, none } = term(null, '2027-03-20')
    expect(line).toEqual([0, toFraction('2027-03-20', range)])
    expect(none).toEqual([toFraction('2027-03-20', range), 1])
  })

  test('begins where the term begins', () => {
    expect(term('2027-01-01', '2032-06-30')).toEqual({ term: [toFraction('2027-01-01', range), 1], none: null, hasStart: true })
  })

  test('is dashed if there is no term', () => {
    expect(term(null, null)).toEqual({ term: null, none: [0, 1], hasStart: false })
    expect(term(null, '2026-06-30')).toEqual({ term: null, none: [0, 1], hasStart: false })
  })

  test('begins with the first date of a text that contains both ends', () => {
    expect(readTermStart('07/01/2025 to 06/30/2030')).toBe('2025-07-01')
    expect(readTermStart('7/1/25-6/30/30')).toBe('2025-07-01')
    expect(readTermStart('Approved 04/12/2022; expires 06/30/2027')).toBeNull()
  })
})

describe('rows', () => {
  const valley = { _id: 'valley', slug: 'valley', name: 'Meridian Valley' }
  const site = { _id: 'site', slug: 'site', name: 'A site' }
  const terms = [make('2027-06-30', { kind: 'charter_term', field: 'charter_expiration_date' })]
  const lease = make('2026-12-01', { kind: 'lease', charter: null, site })
  const deadlines = [make('2026-10-05', { state: 'handled' }), make('2026-12-24'), ...terms, make('2026-11-10', { charter: valley }), lease]
  const rows = (charterOfSite: Map<string, typeof valley>) => buildYearRows({ deadlines, terms, charterOfSite })

  test('contain the deadlines of a charter and of its sites', () => {
    const [harbor, second] = rows(new Map([['site', valley]]))
    expect(harbor).toMatchObject({ name: 'Bright Harbor', termEnd: '2027-06-30', next: { date: '2026-12-24' } })
    expect(second?.deadlines).toContain(lease)
    expect(rows(new Map()).map(({ name, isSite }) => [name, isSite])).toContainEqual(['A site', true])
  })

  test('are sorted by the next deadline, the charter or the end of the term; those without one are last', () => {
    const all = rows(new Map([['site', valley]]))
    expect((['next', 'charter', 'term'] as const).map((order) => sortYearRows(all, order)[0]?.name)).toEqual([
      'Meridian Valley',
      'Bright Harbor',
      'Bright Harbor',
    ])
  })
})
