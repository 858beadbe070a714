import { expect, test } from 'vitest'

import { findField, SCHOOL_FIELDS, findHeaderError, parseHeader } from './school-fields.ts'

const PUBSCHLS =
  'CDSCode NCESDist NCESSchool StatusType County District School Street StreetAbr City Zip State MailStreet MailStrAbr MailCity MailZip MailState Phone Ext FaxNumber WebSite OpenDate ClosedDate Charter CharterNum FundingType DOC DOCType SOC SOCType EdOpsCode EdOpsName EILCode EILName GSoffered GSserved Virtual Magnet YearRoundYN FederalDFCDistrictID Latitude Longitude AdmFName AdmLName LastUpDate'.split(
    ' ',
  )
const NCES = 'NCES_ID,SCHOOL_NAME,STATUS,STREET,CITY,STATE,ZIP,PHONE,COUNTY,GRADES,LATITUDE,LONGITUDE,AGENCY'.split(',')

test('the columns of the federal directory are recognized', () => {
  const header = parseHeader(1, NCES, [])
  expect(header.columns).toEqual({
    directory_id: [0],
    name: [1],
    status: [2],
    address_1: [3],
    city: [4],
    state: [5],
    zip: [6],
    phone: [7],
    county: [8],
    grades: [9],
    latitude: [10],
    longitude: [11],
  })
  expect(header.unused).toEqual(['AGENCY'])
  expect(findHeaderError(header, [], false)).toBeUndefined()
})

test("the columns of California's pubschls are recognized; mailing addresses, districts and people's names are ignored", () => {
  const header = parseHeader(1, PUBSCHLS, [])
  const used = Object.fromEntries(Object.entries(header.columns).map(([field, at]) => [field, at.map((position) => PUBSCHLS[position])]))
  expect(used).toEqual({
    directory_id: ['CDSCode'],
    name: ['School'],
    status: ['StatusType'],
    address_1: ['Street', 'StreetAbr'],
    city: ['City'],
    state: ['State'],
    zip: ['Zip'],
    phone: ['Phone'],
    extension: ['Ext'],
    fax: ['FaxNumber'],
    website: ['WebSite'],
    county: ['County'],
    grades: ['GSoffered', 'GSserved'],
    charter_number: ['CharterNum'],
    latitude: ['Latitude'],
    longitude: ['Longitude'],
    charter: ['Charter'],
  })
  expect(header.unused).toEqual(expect.arrayContaining(['District', 'MailStreet', 'AdmFName', 'AdmLName', 'OpenDate', 'SOC']))
})

test('case, spaces and underscores of a header do not matter', () => {
  expect(parseHeader(1, ['\uFEFFnces id', 'School Name', ' S_T_A_T_E '], []).columns).toEqual({ directory_id: [0], name: [1], state: [2] })
})

test('--map assigns another column to a field, which then uses only that column', () => {
  const { columns, unused } = parseHeader(1, ['NCES_ID', 'SCHOOL_NAME', 'My School', 'STATE'], [{ column: 'my school', field: 'name' }])
  expect(columns).toEqual({ directory_id: [0], name: [2], state: [3] })
  expect(unused).toEqual(['SCHOOL_NAME'])
})

test('a known column that is mapped to another field is no longer used for its own', () => {
  const { columns } = parseHeader(1, ['NCES_ID', 'School', 'STATE', 'Street'], [{ column: 'Street', field: 'address_2' }])
  expect(columns).toEqual({ directory_id: [0], name: [1], state: [2], address_2: [3] })
})

test('ids of two directories are never mixed: only one column is the id', () => {
  expect(parseHeader(1, ['CDSCode', 'NCES_ID', 'School', 'State'], []).columns.directory_id).toEqual([1])
})

test.each(['directory_id', 'name', 'state'] as const)('a file without a column for %s is refused with a hint how to map one', (field) => {
  const cells = NCES.filter((name) => !(SCHOOL_FIELDS[field].headers as readonly string[]).includes(name))
  expect(findHeaderError(parseHeader(1, cells, []), [], false)).toMatch(
    new RegExp(`^no column holds the ${field} .*--map "COLUMN=${field}"`),
  )
})

test('with --region a file needs no state column', () => {
  expect(findHeaderError(parseHeader(1, ['NCES_ID', 'School'], []), [], true)).toBeUndefined()
})

test('a mapped column that does not exist is reported with the columns that do', () => {
  const mappings = [{ column: 'Name of School', field: 'name' }] as const
  expect(findHeaderError(parseHeader(1, NCES, mappings), mappings, false)).toMatch(
    /^there is no column "Name of School"\. Its columns are: NCES_ID, /,
  )
})

test('fields can be named by their own name or by a known header', () => {
  expect(['name', 'School Name', 'address_1', 'Address 1', 'charterWebsite', 'GRADES'].map(findField)).toEqual([
    'name',
    'name',
    'address_1',
    'address_1',
    'website',
    'grades',
  ])
  expect(findField('principal')).toBeUndefined()
})
