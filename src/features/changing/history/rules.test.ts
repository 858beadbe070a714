import { describe, expect, test } from 'vitest'

import { deadlineHistory } from '../../../contract/deadlines.ts'
import { type HistoryParts } from '../../../contract/history.ts'
import { affairHistory, affairHistoryWithDeadlines } from '../../../records/charter-affairs/history.ts'
import { siteHistory } from '../../../records/sites/history.ts'
import type { Change } from './contract.ts'
import * as rules from './rules.ts'
import { formatAction, formatActor, getFieldLabel, listSections, type RestoreTarget } from './rules.ts'

const TIME_ZONE = 'America/Los_Angeles'
const formatValue = (part: string, field: string, value: unknown) => rules.formatFieldValue(parts[part], field, value, null, TIME_ZONE)
const getChangeLines = (of: HistoryParts, one: Change, field?: string) => rules.getChangeLines(of, one, TIME_ZONE, field)
const formatRestored = (of: HistoryParts, one: Change, target: RestoreTarget) => rules.formatRestored(of, one, target, TIME_ZONE)

const parts = { ...siteHistory, ...affairHistory }
const change = (more: Partial<Change>): Change => ({
  _id: '1',
  at: '2026-11-20T17:41:00Z',
  by: null,
  suggestedBy: null,
  changeset: null,
  action: 'update',
  part: 'site',
  title: null,
  fields: [],
  version: 2,
  canRestore: true,
  ...more,
})
const changed = (field: string, from: unknown, to: unknown) => ({ field, from, to, fromName: null, toName: null })

test('a field with fixed choices shows their labels', () => {
  const of = { deadline: deadlineHistory }
  const lines = getChangeLines(
    of,
    change({ part: 'deadline', fields: [changed('kind', 'dass', 'board_meeting'), changed('note', null, 'open')] }),
  )
  expect(lines.map(({ label, from, to }) => [label, from, to])).toEqual([
    ['Kind', 'DASS', 'Board meeting'],
    ['Note', 'empty', 'open'],
  ])
})

test('a deadline of an affair is named by the field that it was read from, or by its own title', () => {
  const name = (title: string) => rules.getPartName(affairHistoryWithDeadlines, 'deadline', title)
  expect(name('overview.charter_expiration_date')).toMatch(/^the deadline Overview: Charter expiration/)
  expect(name('Call the authorizer')).toBe('the deadline Call the authorizer')
})

describe('formatValue', () => {
  test.each([
    ['site', 'phone', '2095550140', '209-555-0140'],
    ['site', 'status', 'CLOSED - TEMPORARILY', 'Closed - Temporarily'],
    ['site', 'photo', '/api/pictures/1', 'a picture'],
    ['site', 'city', null, 'empty'],
    ['site', 'charter', '0197', 'a deleted record'],
    ['facility', 'lease_start', '2024-07-01', '07/01/2024'],
    ['facility', 'partnership', false, 'No'],
    ['sis_site', 'status', false, 'Inactive'],
    ['sis_site', 'type_array', ['IS', 'CTE'], 'IS, CTE'],
    ['enrollment', 'registrationEmail', [], 'empty'],
    ['enrollment', 'blackout_dates', ['2026-12-25', '2027-01-01'], '12/25/2026, 01/01/2027'],
    [
      'enrollment',
      'selected_dates',
      [{ date: '2026-12-01', start_time: '09:00AM', end_time: '10:00AM' }],
      '12/01/2026, 09:00AM to 10:00AM',
    ],
    [
      'enrollment',
      'recurring_dates',
      { Friday: { set: true, start_time: '01:00PM', end_time: '02:00PM' }, Monday: { set: false, start_time: '', end_time: '' } },
      'Friday, 01:00PM to 02:00PM',
    ],
    ['charter', 'studentCount', 1234, '1,234'],
    ['charter', 'schoolTypeUrls', [{ name: 'Online', url: 'https://a.test' }], 'Online: https://a.test'],
    ['unheard', 'of', { some_thing: { deep: 1 }, none: null }, 'Some thing: Deep: 1'],
  ])('%s, %s', (part, field, value, words) => {
    expect(formatValue(part, field, value)).toBe(words)
  })
})

test('a change is described by who changed which part and how', () => {
  expect(formatActor({ by: null })).toBe('Import or automatic change')
  expect(formatAction(parts, change({ part: 'facility' }))).toBe('changed the facility')
  expect(formatAction(parts, change({ part: 'site_person', action: 'insert', title: 'Hannah Ashworth, Registrar' }))).toBe(
    'added Hannah Ashworth, Registrar',
  )
  expect(formatAction(parts, change({ part: 'sis_site', action: 'delete', title: 'Lodi IS' }))).toBe('removed the SIS site Lodi IS')
  expect(formatAction(parts, change({ part: 'authorizer_board_member', action: 'delete', title: 'Wendell Obi' }))).toBe(
    'removed the board member Wendell Obi',
  )
  expect(formatAction(parts, change({ part: 'center_district', action: 'insert', title: 'Lodi' }))).toBe('added the district Lodi')
  expect(formatAction(parts, change({ part: 'center_district' }))).toBe('changed the district')
  expect(formatAction(parts, change({ part: 'charter_affair' }))).toBe('changed the charter affair')
  expect(formatAction(parts, change({ part: 'constructor' }))).toBe('changed the constructor')
})

test('fields have the labels of their pages, and unknown fields readable ones', () => {
  const lines = getChangeLines(
    parts,
    change({ part: 'facility', fields: [changed('apn', null, '7'), changed('someNew_field', 1, 2), changed('toString', 1, 2)] }),
  )
  expect(lines.map(({ label }) => label)).toEqual(['APN (parcel number)', 'Some new field', 'To string'])
})

test('fields in the title, and fields that the filter excludes, are left out', () => {
  const removed = change({ part: 'site_person', action: 'delete', title: 'A, B', fields: [changed('person', '1', null)] })
  expect(getChangeLines(parts, removed)).toEqual([])
  const two = change({ fields: [changed('city', 'Lodi', 'Galt'), changed('zip', '1', '2')] })
  expect(getChangeLines(parts, two, 'zip').map(({ label }) => label)).toEqual(['ZIP code'])
  const member = change({
    part: 'authorizer_board_member',
    action: 'delete',
    title: 'Wendell Obi',
    fields: [changed('board_member_name', 'Wendell Obi', null), changed('board_term', '2026', null)],
  })
  expect(getChangeLines(parts, member).map(({ label }) => label)).toEqual(['Board term'])
})

test('each text of a section of a charter affair is a line', () => {
  const section = changed('overview', { fein: '1', county: 'Lodi', notes: null }, { fein: '2', county: 'Lodi', notes: null })
  expect(getChangeLines(parts, change({ part: 'charter_affair', fields: [section] }))).toEqual([
    { field: 'overview.fein', label: 'Overview, FEIN', from: '1', to: '2' },
  ])
})

test('texts of a charter affair are shown as they were typed', () => {
  const term = { part: 'authorizer_board_member', fields: [changed('board_term', '2026-01-01', null)] }
  expect(getChangeLines(parts, change(term))).toMatchObject([{ from: '2026-01-01', to: 'empty' }])
  const overview = { part: 'charter_affair', fields: [changed('overview', { oversight_date: '2026-11-20' }, { oversight_date: '' })] }
  expect(getChangeLines(parts, change(overview))).toMatchObject([{ from: '2026-11-20', to: 'empty' }])
})

describe('a change of a charter affair', () => {
  const affair = change({
    part: 'charter_affair',
    fields: [
      changed('mou', { finance: null }, { finance: 'Once' }),
      changed('overview', { notes: 'a', fein: '1', unheard_of: null }, { notes: 'b', fein: '2', unheard_of: 'x' }),
    ],
  })
  const listFields = (field?: string) => getChangeLines(parts, affair, field).map((line) => line.field)

  test('lists its texts in the order of the page, unknown texts last', () => {
    expect(listFields()).toEqual(['mou.finance', 'overview.fein', 'overview.notes', 'overview.unheard_of'])
  })

  test('is filtered by a section and by a single text', () => {
    expect(listFields('overview')).toEqual(['overview.fein', 'overview.notes', 'overview.unheard_of'])
    expect(listFields('overview.fein')).toEqual(['overview.fein'])
    expect(
      ['overview', 'overview.fein', 'notice_website.website_audio_posting', 'overview.unheard_of'].map((field) =>
        getFieldLabel(parts, 'charter_affair', field),
      ),
    ).toEqual(['Overview', 'Overview, FEIN', 'Notice & Website Posting, Website audio posting', 'Overview, Unheard of'])
  })

  test('lists each section once, and reports its restore', () => {
    const sections = listSections(parts, getChangeLines(parts, affair))
    expect(sections).toEqual([
      { field: 'mou', title: 'MOUs Overview' },
      { field: 'overview', title: 'Overview' },
    ])
    const [section] = sections
    expect(section && formatRestored(parts, affair, { section })).toBe('The section MOUs Overview was restored.')
    expect(formatRestored(parts, affair, 'all')).toBe('4 fields of the charter affair were restored.')
    expect(listSections(parts, getChangeLines(parts, change({ fields: [changed('phone', '1', '2')] })))).toEqual([])
  })
})

test('a restore is reported with the restored value', () => {
  const one = change({ fields: [changed('phone', '209-555-0140', '209-555-0181')] })
  const [line] = getChangeLines(parts, one)
  expect(line && formatRestored(parts, one, { line })).toBe('Phone was restored to 209-555-0140.')
  expect(formatRestored(parts, one, 'all')).toBe('Phone was restored to 209-555-0140.')
  expect(formatRestored(parts, one, 'whole')).toBe('The site was restored to before this change.')
  expect(formatRestored(parts, change({ part: 'sis_site', action: 'delete', title: 'Lodi IS' }), 'all')).toBe(
    'The SIS site Lodi IS was restored.',
  )
})
