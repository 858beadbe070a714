import { describe, expect, test } from 'vitest'

import { siteHistory } from '../../../../records/sites/history.ts'
import type { ActivityChange, ActivityEntry } from '../contract.ts'
import { describeEntry, formatActivityDay, getActivityLink, getRequestText, listEntryLines } from './describe-entry.ts'

const SITE = { kind: 'site', _id: 's', slug: 'lodi', name: 'Lodi' } as const
const change = (more: Partial<ActivityChange>): ActivityChange => ({
  _id: '1',
  at: '2026-11-20T17:41:00Z',
  by: 'Dana',
  suggestedBy: null,
  changeset: null,
  action: 'update',
  part: 'site',
  title: null,
  fields: [],
  version: 2,
  canRestore: true,
  record: 's',
  ...more,
})
const phone = (from: unknown, to: unknown) => ({ field: 'phone', from, to, fromName: null, toName: null })
const entry = (more: Partial<ActivityEntry>): ActivityEntry => ({
  _id: '1',
  at: '2026-11-20T17:41:00Z',
  by: 'Dana',
  person: null,
  act: 'change',
  changeset: null,
  suggestion: null,
  counts: [{ kind: 'site', action: 'update', records: 1 }],
  records: [SITE],
  changes: [change({ fields: [phone('1', '2')] })],
  changeCount: more.changes?.length ?? 1,
  ...more,
})
const sentenceOf = (more: Partial<ActivityEntry>): string => {
  const { verb, record, end } = describeEntry(siteHistory, entry(more))
  return [verb, record?.name].filter(Boolean).join(' ') + end
}

describe('the description of an entry', () => {
  test('shows what was done to one record', () => {
    expect(sentenceOf({})).toBe('changed Lodi')
    expect(sentenceOf({ changes: [change({ part: 'facility' })] })).toBe('changed the facility of Lodi')
    expect(sentenceOf({ changes: [change({ part: 'facility' }), change({})] })).toBe('changed Lodi')
    expect(sentenceOf({ changes: [change({ part: 'site_person', action: 'insert', title: 'Hannah Ashworth, Registrar' })] })).toBe(
      'added Hannah Ashworth, Registrar at Lodi',
    )
    expect(sentenceOf({ counts: [{ kind: 'site', action: 'check', records: 1 }], changes: [change({ action: 'check' })] })).toBe(
      'checked Lodi',
    )
    const admin = { kind: 'permission', _id: 'p', slug: null, name: 'Ana Ruiz' } as const
    expect(sentenceOf({ counts: [{ kind: 'permission', action: 'insert', records: 1 }], records: [admin] })).toBe(
      'made Ana Ruiz an administrator',
    )
    const request = { kind: 'request', _id: 'r', slug: null, name: 'Lodi' } as const
    expect(sentenceOf({ act: 'suggestion', counts: [{ kind: 'request', action: 'insert', records: 1 }], records: [request] })).toBe(
      'suggested changes for Lodi',
    )
    const sent = change({ action: 'insert', part: 'request', fields: [phone(null, 1), { ...phone(null, 2), field: 'openFields' }] })
    const counts: ActivityEntry['counts'] = [{ kind: 'request', action: 'insert', records: 1 }]
    expect(sentenceOf({ act: 'suggestion', counts, records: [request], changes: [sent] })).toBe('suggested 2 changes for Lodi')
  })

  test('states that suggested changes were accepted, unless other changes were saved with them', () => {
    const accepted = change({ suggestedBy: 'Marisol', fields: [phone('1', '2')] })
    expect(sentenceOf({ changes: [accepted] })).toBe('accepted a change of Lodi')
    expect(
      sentenceOf({ changes: [change({ suggestedBy: 'Marisol', part: 'facility', fields: [phone('1', '2'), phone('3', '4')] })] }),
    ).toBe('accepted changes of Lodi')
    expect(sentenceOf({ changes: [accepted, change({})] })).toBe('changed Lodi')
  })

  test('shows what was done to many records', () => {
    const counts = [
      { kind: 'site', action: 'update', records: 1200 },
      { kind: 'person', action: 'insert', records: 1 },
    ] as const
    expect(sentenceOf({ counts: [...counts] })).toBe('changed 1,200 sites and added 1 person')
    const saved = (kind: 'sheet' | 'planned' | 'undo') => ({ _id: 'c', kind, title: 'Sites.xlsx', isUndone: false })
    expect(sentenceOf({ counts: [...counts], changeset: saved('sheet') })).toBe('changed 1,200 sites and added 1 person from Excel')
    expect(sentenceOf({ counts: [...counts], changeset: saved('undo') })).toBe(
      'undid changes of 1,200 sites and restored 1 person in an undo',
    )
    const removed = [{ kind: 'person', action: 'delete', records: 500 }] as const
    expect(sentenceOf({ counts: [...removed], changeset: saved('undo') })).toBe('removed 500 people in an undo')
    expect(sentenceOf({ changeset: saved('planned') })).toBe('changed Lodi, as planned')
    expect(sentenceOf({ changeset: saved('undo') })).toBe('undid changes of Lodi')
  })

  test('has a line for each value, with the value before the first change and after the last', () => {
    const lines = (changes: ActivityChange[], records: ActivityEntry['records'] = [SITE]) =>
      listEntryLines(siteHistory, entry({ changes, records }), 'America/Los_Angeles').map(({ record, label, from, to }) => [
        record,
        label,
        from,
        to,
      ])
    expect(lines([change({ fields: [phone('2', '3')] }), change({ fields: [phone('1', '2')] })])).toEqual([[null, 'Phone', '1', '3']])
    expect(lines([change({ fields: [phone('2', '1')] }), change({ fields: [phone('1', '2')] })])).toEqual([])
    const other = { ...SITE, _id: 't', name: 'Chico' }
    expect(lines([change({ fields: [phone('1', '2')] }), change({ record: 't', fields: [phone('1', '2')] })], [SITE, other])).toEqual([
      ['Chico', 'Phone', '1', '2'],
      ['Lodi', 'Phone', '1', '2'],
    ])
  })

  test('has the text or the answer of a request, and no lines', () => {
    const field = (name: string, to: unknown) => ({ ...phone(null, to), field: name })
    const sent = change({ part: 'request', action: 'insert', fields: [field('text', 'The number moved')] })
    const answered = change({ part: 'request', fields: [field('word', 'Thank you'), field('state', 'done'), field('openFields', 0)] })
    expect(getRequestText(entry({ changes: [sent] }))).toBe('The number moved')
    expect(getRequestText(entry({ changes: [answered, sent] }))).toBe('Thank you')
    expect(getRequestText(entry({}))).toBeNull()
    expect(listEntryLines(siteHistory, entry({ changes: [answered, sent] }), 'America/Los_Angeles')).toEqual([])
  })

  test('links to its record', () => {
    const request = { kind: 'request', _id: 'r', slug: null } as const
    expect(getActivityLink(request, 'suggestion')).toEqual({ to: '/requests/r' })
    expect(getActivityLink(request, 'request')).toEqual({ to: '/requests', search: { request: 'r' } })
    expect(getActivityLink(SITE, 'change')).toEqual({ to: '/location/lodi' })
    expect(getActivityLink({ ...SITE, kind: 'charter_affair', slug: 'delta' }, 'change')).toEqual({ to: '/charter_affair/delta' })
    expect(getActivityLink({ ...SITE, slug: null }, 'change')).toBeUndefined()
  })
})

test('days are named relative to today', () => {
  const now = new Date('2026-11-22T20:00:00Z')
  const format = (day: string) => formatActivityDay(day, 'America/Los_Angeles', now)
  expect(['2026-11-22', '2026-11-21', '2026-11-20'].map(format)).toEqual(['Today', 'Yesterday', '11/20/2026'])
})
