import { expect, test } from 'vitest'

import { affairSections, type CharterAffair, districtFields } from '../contract.ts'
import { affairLabels, overviewGroups } from '../fields.ts'
import { countFields, filterSections, buildSections, countShown } from './sections.ts'

const recordInfo = { version: 1, updatedAt: '2026-11-18T17:00:00.000Z', updatedBy: null }
const empty = <Names extends object>(of: { shape: Names }) =>
  Object.fromEntries(Object.keys(of.shape).map((name) => [name, null])) as Record<keyof Names, null>

/** A record that is empty except for the given values. */
const affair = (overrides: Partial<CharterAffair> = {}): CharterAffair => ({
  _id: 'a',
  overview: empty(affairSections.overview),
  charter_terms: empty(affairSections.charter_terms),
  charter_no_cds: empty(affairSections.charter_no_cds),
  funding: empty(affairSections.funding),
  mou: empty(affairSections.mou),
  notice_website: empty(affairSections.notice_website),
  authorizer_board_member: [],
  center_district: [],
  ...recordInfo,
  ...overrides,
})
const names = (sections: ReturnType<typeof buildSections>) =>
  sections.flatMap((section) =>
    section.kind === 'fields' ? section.groups.flatMap((group) => group.fields.map((field) => `${section.name}.${field.name}`)) : [],
  )

test('every field of the contract is on the page exactly once, in six sections', () => {
  const expected = Object.entries(affairSections).flatMap(([section, fields]) => Object.keys(fields.shape).map((f) => `${section}.${f}`))
  const onPage = names(buildSections(affair()))
  expect(onPage).toHaveLength(99)
  expect(onPage.toSorted()).toEqual(expected.toSorted())
})

test('no overview field is under two sub-headings', () => {
  const grouped = Object.values(overviewGroups).flatMap((group) => Object.keys(group))
  expect(new Set(grouped).size).toBe(grouped.length)
  expect(grouped).toHaveLength(56)
})

test('the sections have their fixed titles and order', () => {
  expect(buildSections(affair()).map((section) => section.title)).toEqual([
    'Overview',
    'Charter Terms',
    'Charter No CDS',
    'Funding',
    'MOUs Overview',
    'Notice & Website Posting',
    'Authorizer Board Members',
    'Center District',
  ])
})

test('every section and subheading has its own anchor', () => {
  const anchors = buildSections(affair()).flatMap((section) => [
    section.anchor,
    ...(section.kind === 'fields' ? section.groups.map((group) => group.anchor) : []),
  ])
  expect(new Set(anchors).size).toBe(anchors.length)
  expect(anchors).toContain('notice-website-posting')
  expect(anchors).toContain('overview-term-and-petition')
})

test('the training sessions are labeled as 3 sessions in total', () => {
  expect(affairLabels.overview.training_sessions_fol).toContain('3 sessions in total')
})

test('the filter matches labels and values, ignoring case and accents', () => {
  const record = affair({
    overview: { ...empty(affairSections.overview), charter_type: 'Independent study, dependent FUNDING', county: 'San José' },
  })
  const byName = filterSections(buildSections(record), { typed: 'fund', onlyEmpty: false, onlyDeadlines: false, onlyChanged: false })
  expect(names(byName)).toEqual([
    'overview.charter_type',
    'overview.funding_term',
    'overview.funding_expiration',
    'overview.funding_submission_date',
    'overview.funding_determinations_notes',
    'funding.funding_term',
    'funding.funding_expiration',
    'funding.funding_submission_date',
  ])
  expect(countFields(byName)).toEqual({ shown: 8, total: 99 })
  expect(
    names(filterSections(buildSections(record), { typed: 'san jose', onlyEmpty: false, onlyDeadlines: false, onlyChanged: false })),
  ).toEqual(['overview.county'])
  expect(names(filterSections(buildSections(record), { typed: '(', onlyEmpty: false, onlyDeadlines: false, onlyChanged: false }))).toEqual([
    'overview.training_sessions_fol',
  ])
})

test('the filter of empty fields keeps null and blank values, and rows with an empty field', () => {
  const record = affair({
    charter_no_cds: { cds_code: '  ', charter_number: '0987' },
    authorizer_board_member: [
      { _id: 'whole', ...memberRow('Wendell Obi', 'Yes'), ...recordInfo },
      { _id: 'gap', ...memberRow('Joelle Tran', null), ...recordInfo },
    ],
  })
  const left = filterSections(buildSections(record), { typed: '', onlyEmpty: true, onlyDeadlines: false, onlyChanged: false })
  expect(names(left)).toContain('charter_no_cds.cds_code')
  expect(names(left)).not.toContain('charter_no_cds.charter_number')
  expect(left.find((section) => section.name === 'authorizer_board_member')).toMatchObject({ total: 2, rows: [{ _id: 'gap' }] })
})

test('the filter of fields with a deadline keeps those, and members', () => {
  const district = { _id: 'd', ...empty(districtFields), ...recordInfo }
  const record = affair({
    authorizer_board_member: [{ _id: 'm', ...memberRow('Wendell Obi', 'Yes'), ...recordInfo }],
    center_district: [district],
  })
  const left = filterSections(buildSections(record), { typed: '', onlyEmpty: false, onlyDeadlines: true, onlyChanged: false })
  expect(names(left)).toContain('overview.fol_visit')
  expect(names(left)).not.toContain('overview.fein')
  expect(left.flatMap((section) => (section.kind === 'rows' && section.rows.length > 0 ? [section.name] : []))).toEqual([
    'authorizer_board_member',
  ])
})

test('the filter of changed fields keeps those with unsaved changes, changed rows, and a row that is being added', () => {
  const record = affair({
    authorizer_board_member: [
      { _id: 'm', ...memberRow('Wendell Obi', 'Yes'), ...recordInfo },
      { _id: 'n', ...memberRow('Joelle Tran', 'Yes'), ...recordInfo },
    ],
  })
  const changed = new Set(['overview.fein', 'authorizer_board_member.n.board_term', 'center_district.new.center_name'])
  const left = filterSections(buildSections(record), { typed: '', onlyEmpty: false, onlyDeadlines: false, onlyChanged: true }, changed)
  expect(names(left)).toEqual(['overview.fein'])
  expect(left.find((section) => section.name === 'authorizer_board_member')).toMatchObject({ rows: [{ _id: 'n' }], hasNewRow: false })
  expect(left.map((section) => countShown(section))).toEqual([1, 0, 0, 0, 0, 0, 1, 1])
})

test('a row matches by its values, not by its column labels', () => {
  const record = affair({ authorizer_board_member: [{ _id: 'm', ...memberRow('Wendell Obi', 'Yes'), ...recordInfo }] })
  const rowsFor = (typed: string) => {
    const members = filterSections(buildSections(record), { typed, onlyEmpty: false, onlyDeadlines: false, onlyChanged: false }).find(
      (s) => s.name === 'authorizer_board_member',
    )
    return members && countShown(members)
  }
  expect(rowsFor('wendell')).toBe(1)
  expect(rowsFor('voting position')).toBe(0)
})

function memberRow(board_member_name: string, charter_voting_position: string | null) {
  return {
    board_member_name,
    charter_voting_position,
    authorizer: 'San Joaquin Harbor Unified',
    board_position: 'Member',
    board_term: '2022 to 2026',
    charter_voting_notes: 'None so far',
  }
}
