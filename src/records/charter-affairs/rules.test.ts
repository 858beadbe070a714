import { describe, expect, test } from 'vitest'

import { listCharterDifferences, listDisagreements, getFormatHint, repeatedPaths } from './rules.ts'

test.each([
  ['cds_code', '39686760123456', null],
  ['cds_code', ' 39-68676-0123456 ', null],
  ['cds_code', '3968676012345', 'A CDS code should have 14 digits'],
  ['cds_code', '39686760123456a', 'A CDS code should have 14 digits'],
  ['cds_code', '', null],
  ['cds_code', null, null],
  ['fein', '94-1234567', null],
  ['fein', '94-123456', 'A FEIN should have 9 digits'],
  ['fein', 'applied for', 'A FEIN should have 9 digits'],
  ['notes', '1', null],
  ['constructor', '1', null],
])('the hint for %s %j: %j', (field, value, hint) => {
  expect(getFormatHint(field, value)).toBe(hint)
})

describe('fields that repeat across sections', () => {
  test('agree if all sections have the same value, ignoring outer spaces, or none', () => {
    expect(listDisagreements({})).toEqual([])
    expect(listDisagreements({ 'overview.fein': '94-1234567 ', 'funding.fein': '94-1234567' })).toEqual([])
  })

  test('are listed with each value and its sections if they differ; an empty value differs too', () => {
    const texts = { 'overview.cds_code': '1', 'charter_no_cds.cds_code': '2', 'funding.cds_code': '1', 'funding.fy_audit': 'Clean' }
    expect(listDisagreements(texts)).toEqual([
      {
        name: 'cds_code',
        label: 'CDS code',
        texts: [
          { text: '1', sections: ['overview', 'funding'] },
          { text: '2', sections: ['charter_no_cds'] },
        ],
      },
      {
        name: 'fy_audit',
        label: 'FY audit',
        texts: [
          { text: '', sections: ['overview'] },
          { text: 'Clean', sections: ['funding'] },
        ],
      },
    ])
  })

  test('are corporation, authorizer, codes, numbers, grade levels, the expiration and the funding', () => {
    const all = listDisagreements(Object.fromEntries(repeatedPaths.map((path) => [path, path]))).map(({ name }) => name)
    expect(all).toEqual([
      'charter_number',
      'cds_code',
      'corporation',
      'fein',
      'charter_grade_levels',
      'authorizer',
      'charter_expiration_date',
      'funding_term',
      'funding_expiration',
      'funding_submission_date',
      'fy_audit',
    ])
  })
})

describe('a charter and its affair', () => {
  const charter = { charter_number: '0401', charter_grade_levels: null }
  test('differ if any section of the affair has another value, or the charter has none', () => {
    const texts = { 'overview.charter_number': '0401', 'funding.charter_number': '0410', 'overview.charter_grade_levels': 'TK-12' }
    expect(listCharterDifferences(charter, texts)).toEqual([
      { label: 'Charter number', ofCharter: '0401', ofAffair: ['0401', '0410'] },
      { label: 'Charter grade levels', ofCharter: null, ofAffair: ['TK-12'] },
    ])
  })

  test('agree if the affair has the same value or none', () => {
    expect(listCharterDifferences(charter, {})).toEqual([])
    expect(listCharterDifferences(charter, { 'overview.charter_number': ' 0401 ', 'funding.charter_number': '' })).toEqual([])
  })
})
