import { describe, expect, test } from 'vitest'

import type { Change } from '../contract.ts'
import { deedOf, doneWords, linesOf, sectionsIn, whoOf } from './changeWords.ts'
import { labelOf } from './partWords.ts'
import { showValue } from './valueWords.ts'

const change = (more: Partial<Change>): Change => ({
  _id: '1',
  at: '2026-11-20T17:41:00Z',
  by: null,
  action: 'update',
  part: 'site',
  title: null,
  fields: [],
  version: 2,
  canPutBack: true,
  ...more,
})
const changed = (field: string, from: unknown, to: unknown) => ({ field, from, to, fromName: null, toName: null })

describe('a value in words', () => {
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
    ['overview', 'oversight_date', '2026-11-20', '2026-11-20'],
    ['authorizer_board_member', 'board_term', '2026-01-01', '2026-01-01'],
    ['funding', 'fein', null, 'empty'],
    ['unheard', 'of', { some_thing: { deep: 1 }, none: null }, 'Some thing: Deep: 1'],
  ])('%s, %s', (part, field, value, words) => {
    expect(showValue(part, field, value)).toBe(words)
  })
})

test('says who did what, by the names of people and parts', () => {
  expect(whoOf({ by: null })).toBe('Import or automatic change')
  expect(deedOf(change({ part: 'facility' }))).toBe('changed the facility')
  expect(deedOf(change({ part: 'site_person', action: 'insert', title: 'Hannah Ashworth, Registrar' }))).toBe(
    'added Hannah Ashworth, Registrar',
  )
  expect(deedOf(change({ part: 'sis_site', action: 'delete', title: 'Lodi IS' }))).toBe('removed the SIS site Lodi IS')
  expect(deedOf(change({ part: 'authorizer_board_member', action: 'delete', title: 'Wendell Obi' }))).toBe(
    'removed the board member Wendell Obi',
  )
  expect(deedOf(change({ part: 'center_district', action: 'insert', title: 'Lodi' }))).toBe('added the district Lodi')
  expect(deedOf(change({ part: 'center_district' }))).toBe('changed the district')
  expect(deedOf(change({ part: 'charter_affair' }))).toBe('changed the charter affair')
  expect(deedOf(change({ part: 'constructor' }))).toBe('changed the constructor')
})

test('names the fields as their pages do, and one it has never heard of readably', () => {
  const lines = linesOf(
    change({ part: 'facility', fields: [changed('apn', null, '7'), changed('someNew_field', 1, 2), changed('toString', 1, 2)] }),
  )
  expect(lines.map(({ label }) => label)).toEqual(['APN (parcel number)', 'Some new field', 'To string'])
})

test('leaves out what the title says, and all fields but the one asked for', () => {
  const removed = change({ part: 'site_person', action: 'delete', title: 'A, B', fields: [changed('person', '1', null)] })
  expect(linesOf(removed)).toEqual([])
  const two = change({ fields: [changed('city', 'Lodi', 'Galt'), changed('zip', '1', '2')] })
  expect(linesOf(two, 'zip').map(({ label }) => label)).toEqual(['ZIP code'])
  const member = change({
    part: 'authorizer_board_member',
    action: 'delete',
    title: 'Wendell Obi',
    fields: [changed('board_member_name', 'Wendell Obi', null), changed('board_term', '2026', null)],
  })
  expect(linesOf(member).map(({ label }) => label)).toEqual(['Board term'])
})

test('tells the texts of a charter affair’s section one by one', () => {
  const section = changed('overview', { fein: '1', county: 'Lodi', notes: null }, { fein: '2', county: 'Lodi', notes: null })
  expect(linesOf(change({ part: 'charter_affair', fields: [section] }))).toEqual([
    { field: 'overview.fein', label: 'Overview, FEIN', from: '1', to: '2' },
  ])
})

describe('a change of a charter affair', () => {
  const affair = change({
    part: 'charter_affair',
    fields: [
      changed('mou', { finance: null }, { finance: 'Once' }),
      changed('overview', { notes: 'a', fein: '1', unheard_of: null }, { notes: 'b', fein: '2', unheard_of: 'x' }),
    ],
  })
  const fieldsOf = (field?: string) => linesOf(affair, field).map((line) => line.field)

  test('tells its texts in the order of the page, those the page has never heard of last', () => {
    expect(fieldsOf()).toEqual(['mou.finance', 'overview.fein', 'overview.notes', 'overview.unheard_of'])
  })

  test('is narrowed to a section and to a single text, by their names', () => {
    expect(fieldsOf('overview')).toEqual(['overview.fein', 'overview.notes', 'overview.unheard_of'])
    expect(fieldsOf('overview.fein')).toEqual(['overview.fein'])
    expect(
      ['overview', 'overview.fein', 'notice_website.website_audio_posting', 'overview.unheard_of'].map((field) =>
        labelOf('charter_affair', field),
      ),
    ).toEqual(['Overview', 'Overview, FEIN', 'Notice & Website Posting, Website audio posting', 'Overview, Unheard of'])
  })

  test('names each section once, and says that it is as it was', () => {
    const sections = sectionsIn(linesOf(affair))
    expect(sections).toEqual([
      { field: 'mou', title: 'MOUs Overview' },
      { field: 'overview', title: 'Overview' },
    ])
    const [section] = sections
    expect(section && doneWords(affair, { section })).toBe('The section MOUs Overview was restored.')
    expect(doneWords(affair, 'all')).toBe('4 fields of the charter affair were restored.')
    expect(sectionsIn(linesOf(change({ fields: [changed('phone', '1', '2')] })))).toEqual([])
  })
})

test('says what is so again', () => {
  const one = change({ fields: [changed('phone', '209-555-0140', '209-555-0181')] })
  const [line] = linesOf(one)
  expect(line && doneWords(one, { line })).toBe('Phone was restored to 209-555-0140.')
  expect(doneWords(one, 'all')).toBe('Phone was restored to 209-555-0140.')
  expect(doneWords(one, 'whole')).toBe('The site was restored to before this change.')
  expect(doneWords(change({ part: 'sis_site', action: 'delete', title: 'Lodi IS' }), 'all')).toBe('The SIS site Lodi IS was restored.')
})
