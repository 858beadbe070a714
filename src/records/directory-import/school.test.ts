import { expect, test } from 'vitest'

import { parseHeader } from './school-fields.ts'
import { parseSchoolRow, type School } from './school.ts'

const HEADER =
  'NCES_ID SCHOOL_NAME STATUS STREET CITY STATE ZIP PHONE Ext FaxNumber WebSite COUNTY GRADES CharterNum LATITUDE LONGITUDE'.split(' ')
const WHOLE = {
  NCES_ID: '063583011483',
  SCHOOL_NAME: 'Harbor Light Charter',
  STATUS: 'Open',
  STREET: '12 Main St.',
  CITY: 'Santa Rosa',
  STATE: 'CA',
  ZIP: '95401',
  PHONE: '(707) 555-0100',
  Ext: '',
  FaxNumber: '',
  WebSite: 'www.harbor.example',
  COUNTY: 'Sonoma',
  GRADES: '09-12',
  CharterNum: '0040',
  LATITUDE: '38.44',
  LONGITUDE: '-122.7',
}
type Given = Partial<Record<keyof typeof WHOLE | 'Charter', string>>

/** Reads a row that is complete except for the given cells. */
const read = (values: Given = {}, region?: string) => {
  const names = [...HEADER, ...('Charter' in values ? ['Charter'] : [])]
  const row: Given = { ...WHOLE, ...values }
  return parseSchoolRow(
    names.map((name) => row[name as keyof Given] ?? ''),
    parseHeader(1, names, []),
    region,
  )
}
const school = (values: Given = {}, region?: string): School => {
  const row = read(values, region)
  if (row.is !== 'school') throw new Error(`The row is ${JSON.stringify(row)}`)
  return row.school
}
const reasons = (values: Given, region?: string): readonly string[] => {
  const row = read(values, region)
  return row.is === 'refused' ? row.reasons : []
}

test('a complete row gives a complete school', () => {
  expect(school()).toEqual({
    directory_id: '063583011483',
    name: 'Harbor Light Charter',
    status: 'ACTIVE',
    region: 'California',
    address_1: '12 Main St.',
    address_2: null,
    city: 'Santa Rosa',
    state: 'CA',
    zip: '95401',
    contactNumber: '707-555-0100',
    phone: '707-555-0100',
    fax: null,
    website: 'www.harbor.example',
    county: 'Sonoma',
    grades: '09-12',
    charter_number: '0040',
    latitude: 38.44,
    longitude: -122.7,
  })
})

test.each([
  ['Open', 'ACTIVE'],
  ['New', 'ACTIVE'],
  ['Active', 'ACTIVE'],
  ['Changed Boundary', 'ACTIVE'],
  ['Changed Agency', 'ACTIVE'],
  ['Added', 'ACTIVE'],
  ['Reopened', 'ACTIVE'],
  ['Pending', 'PENDING'],
  ['Under Construction', 'PENDING'],
  ['Future', 'PENDING'],
  ['Closed', 'CLOSED - PERMANENTLY'],
  ['Merged', 'CLOSED - PERMANENTLY'],
  ['ACTIVE - TEMPORARY', 'ACTIVE - TEMPORARY'],
  ['Closed - Temporarily', 'CLOSED - TEMPORARILY'],
])('the status %s is %s, whatever its case', (word, status) => {
  expect([school({ STATUS: word }).status, school({ STATUS: word.toUpperCase() }).status]).toEqual([status, status])
})

test('an unknown status is refused, a blank one has no effect', () => {
  expect(reasons({ STATUS: 'Sleeping' })).toEqual(['The status is not known: Sleeping'])
  expect(school({ STATUS: '' }).status).toBeNull()
})

test.each([
  ['CA', 'California'],
  ['mi', 'Michigan'],
  ['OH', 'Ohio'],
  ['South Carolina', 'South Carolina'],
  ['TX', 'Texas'],
])('the state %s gives the region %s', (state, region) => {
  expect(school({ STATE: state }).region).toBe(region)
})

test('another state is refused unless a region is named, and is then stored unchanged', () => {
  expect(reasons({ STATE: 'NV' })).toEqual(['The state is none of CA, MI, OH, SC, TX: NV (--region names a region for it)'])
  expect(school({ STATE: 'NV' }, 'Texas')).toMatchObject({ state: 'NV', region: 'Texas' })
  expect(school({ STATE: '' }, 'Texas')).toMatchObject({ state: null, region: 'Texas' })
})

test('a named region does not apply to schools in the five known states', () => {
  expect(school({ STATE: 'MI' }, 'Texas').region).toBe('Michigan')
})

test.each([
  ['NCES_ID', 'There is no directory id'],
  ['SCHOOL_NAME', 'There is no name'],
  ['STATE', 'There is no state'],
] as const)('a row without %s is refused', (column, reason) => {
  expect(reasons({ [column]: '  ' })).toEqual([reason])
})

test('a refusal lists all of its reasons', () => {
  expect(reasons({ SCHOOL_NAME: '', STATE: 'NV', STATUS: '?', LATITUDE: 'north' })).toHaveLength(4)
})

test.each([
  ['LATITUDE', '90.1'],
  ['LATITUDE', 'N38'],
  ['LATITUDE', '38,44'],
  ['LONGITUDE', '-180.5'],
  ['LONGITUDE', 'Infinity'],
  ['LONGITUDE', '0x10'],
] as const)('a %s of %s is refused', (column, value) => {
  expect(reasons({ [column]: value })).toEqual([expect.stringMatching(new RegExp(`^The ${column.toLowerCase()} is not .*: ${value}$`))])
})

test('names are stored unchanged except for outer spaces, even if the forms would refuse them', () => {
  const name = 'Se?or #1: K-8 (A/B) & Co., "Caf\u00e9" + \u00d1 ! '.padEnd(90, 'x')
  expect(school({ SCHOOL_NAME: `  ${name}\u00A0` }).name).toBe(name)
})

test('text that looks like a formula stays text', () => {
  expect(school({ SCHOOL_NAME: '=HYPERLINK("x")', STREET: '@SUM(1)', COUNTY: '-5' })).toMatchObject({
    name: '=HYPERLINK("x")',
    address_1: '@SUM(1)',
    county: '-5',
  })
})

test('ids, ZIP codes and charter numbers are text and keep their zeros; ZIP+4 is kept', () => {
  expect(school({ NCES_ID: '001', ZIP: '02134', CharterNum: '0007' })).toMatchObject({
    directory_id: '001',
    zip: '02134',
    charter_number: '0007',
  })
  expect(school({ ZIP: '95401-1234' }).zip).toBe('95401-1234')
})

test('an id that lost its first zero in a spreadsheet gets it back', () => {
  expect(school({ NCES_ID: '63583011483' }).directory_id).toBe('063583011483')
  const cds = parseHeader(1, ['CDSCode', 'School', 'State'], [])
  expect(parseSchoolRow(['1100170112607', 'A', 'CA'], cds)).toMatchObject({ school: { directory_id: '01100170112607' } })
})

test('an id in scientific notation is refused because its digits are lost', () => {
  expect(reasons({ NCES_ID: '6.35830E+10' })).toEqual(['A spreadsheet turned the directory id into a number: 6.35830E+10'])
})

test('grade levels that a workbook stores as a date are restored', () => {
  expect(school({ GRADES: '2026-09-12' }).grades).toBe('09-12')
})

test('ten digits become xxx-xxx-xxxx; the extension follows, and the contact number omits it', () => {
  expect(school({ PHONE: '1 (510) 555-0123', Ext: '12' })).toMatchObject({ phone: '510-555-0123 x12', contactNumber: '510-555-0123' })
  expect(school({ PHONE: '5105550123', Ext: 'x7' }).phone).toBe('510-555-0123 x7')
  expect(school({ PHONE: '', Ext: '12' }).phone).toBeNull()
})

test('a fax number of ten digits is stored as digits, as in the site form', () => {
  expect(school({ FaxNumber: '(510) 555-0199' }).fax).toBe('5105550199')
})

test('a phone or fax number of neither seven nor ten digits is refused', () => {
  expect(reasons({ PHONE: '806-555', FaxNumber: '555-01' })).toEqual([
    'The phone is not a number of 7 or 10 digits: 806-555',
    'The fax is not a number of 7 or 10 digits: 555-01',
  ])
  expect(reasons({ PHONE: 'ask the office' })).toEqual(['The phone is not a number of 7 or 10 digits: ask the office'])
})

test('a blank cell and "No Data" are empty', () => {
  expect(school({ PHONE: 'No Data', ZIP: ' ', LATITUDE: 'no data', WebSite: 'No Data' })).toMatchObject({
    phone: null,
    zip: null,
    latitude: null,
    website: null,
  })
})

test('if a column is blank, the next known column for the field is used', () => {
  const header = parseHeader(1, ['CDSCode', 'School', 'State', 'GSoffered', 'GSserved'], [])
  expect(parseSchoolRow(['1', 'A', 'CA', 'No Data', 'K-5'], header)).toMatchObject({ school: { grades: 'K-5' } })
})

test.each(['N', 'No Data', '', 'Yes, almost'])('if there is a Charter column, a row with %j is left out', (charter) => {
  expect(read({ Charter: charter, SCHOOL_NAME: 'No Data' })).toEqual({ is: 'left out' })
})

test('if there is a Charter column, a row with Y is imported', () => {
  expect(school({ Charter: 'Y' }).name).toBe('Harbor Light Charter')
  expect(school({ Charter: 'y ' }).name).toBe('Harbor Light Charter')
})

test('a row with too few or too many cells is refused; blank cells at the end do not count', () => {
  const header = parseHeader(1, ['NCES_ID', 'SCHOOL_NAME', 'STATE', '', ''], [])
  expect(parseSchoolRow(['1', 'A'], header)).toEqual({ is: 'refused', id: '1', reasons: ['The row has 2 columns, the header has 3'] })
  expect(parseSchoolRow(['1', 'A', 'CA', 'x'], header)).toMatchObject({ is: 'refused' })
  expect(parseSchoolRow(['1', 'A', 'CA', ' ', ''], header)).toMatchObject({ is: 'school' })
})

test('characters that the database cannot store are refused', () => {
  expect(reasons({ CITY: 'a\0b' })).toEqual(['CITY holds a character that cannot be stored'])
  expect(reasons({ CITY: '\uD800' })).toEqual(['CITY holds a character that cannot be stored'])
  expect(reasons({ SCHOOL_NAME: 'x'.repeat(501) })).toEqual(['The name has more than 500 characters'])
})

test('error values of a spreadsheet are not values', () => {
  expect(reasons({ ZIP: '#REF!' })).toEqual(['ZIP holds the spreadsheet error #REF!'])
})
