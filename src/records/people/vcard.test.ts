import { describe, expect, test } from 'vitest'

import type { PersonWithSites } from './contract.ts'
import { parseName, getPersonUrl, formatShortVcard, formatVcard } from './rules.ts'

const site = (overrides: Partial<PersonWithSites['locations'][number]['site']> = {}): PersonWithSites['locations'][number]['site'] => ({
  _id: 's1',
  slug: 'lodi',
  name: null,
  displayName: 'Lodi Resource Center',
  category: null,
  finance_id: null,
  status: 'ACTIVE',
  photo: null,
  address: { address_1: '1 Main St', address_2: 'Suite 4', city: 'Lodi', state: 'CA', zip: '95240', phone: '209-555-0100' },
  charter: { _id: 'c1', slug: 'valley', name: 'Valley Charter', brand: 'b1', brandName: 'Opportunity Network', version: 1 },
  region: null,
  principal: null,
  vacant: [],
  version: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  checkedAt: null,
  ...overrides,
})
const person = (overrides: Partial<PersonWithSites> = {}): PersonWithSites => ({
  _id: '0f0e0d0c-0000-4000-8000-000000000001',
  slug: 'ada-quill',
  name: 'Ada Quill',
  phone: '(209) 555-0142',
  email: 'ada@schools.test',
  fax: '1-209-555-0143',
  sql_person_id: null,
  leftAt: null,
  sites: [],
  roles: [{ _id: 'r1', name: 'Principal' }],
  locations: [{ _id: 'l1', site: site(), role: { _id: 'r1', name: 'Principal' } }],
  version: 1,
  updatedAt: '2026-11-20T10:00:00.000Z',
  updatedBy: null,
  checkedAt: null,
  checkedBy: null,
  ...overrides,
})
const page = getPersonUrl('https://homeroom.test', { slug: 'ada-quill' })
/** The logical lines of a contact, unfolded. */
const linesOf = (card: string): string[] => card.replaceAll('\r\n ', '').split('\r\n')

test('a contact has name, work, numbers, email, address and link', () => {
  expect(linesOf(formatVcard(person(), page))).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'FN:Ada Quill',
    'N:Quill;Ada;;;',
    'ORG:Valley Charter;Opportunity Network',
    'TITLE:Principal',
    'TEL;TYPE=WORK,VOICE:+12095550142',
    'TEL;TYPE=WORK,FAX:+12095550143',
    'EMAIL;TYPE=INTERNET,WORK:ada@schools.test',
    'ADR;TYPE=WORK:;;1 Main St\\, Suite 4;Lodi;CA;95240;',
    'URL:https://homeroom.test/staff/ada-quill',
    'UID:urn:uuid:0f0e0d0c-0000-4000-8000-000000000001',
    'REV:2026-11-20T10:00:00.000Z',
    'END:VCARD',
    '',
  ])
})

test('empty fields are left out', () => {
  const bare = person({ phone: null, email: null, fax: null, roles: [], locations: [] })
  expect(linesOf(formatVcard(bare, page)).filter((line) => /^(TEL|EMAIL|ORG|TITLE|ADR)/.test(line))).toEqual([])
})

test('the address is that of the first open site, or of a closed one if there is none', () => {
  const closed = site({ status: 'CLOSED - PERMANENTLY', address: { ...site().address, city: 'Shut' } })
  const at = (...sites: (typeof closed)[]) =>
    person({ locations: sites.map((one, n) => ({ _id: `l${n}`, site: one, role: { _id: 'r1', name: 'Principal' } })) })
  expect(formatVcard(at(closed, site()), page)).toContain(';Lodi;')
  expect(formatVcard(at(closed), page)).toContain(';Shut;')
})

test('commas, semicolons, backslashes and line breaks are escaped, so that no name can add a line', () => {
  const name = 'Ada; Quill\r\nEMAIL:evil@x.test\\,'
  const lines = linesOf(formatVcard(person({ name, roles: [{ _id: '1', name: 'Lead; A, B' }] }), page))
  expect(lines).toContain('FN:Ada\\; Quill\\nEMAIL:evil@x.test\\\\\\,')
  expect(lines).toContain('TITLE:Lead\\; A\\, B')
  expect(lines.filter((line) => line.startsWith('EMAIL'))).toEqual(['EMAIL;TYPE=INTERNET,WORK:ada@schools.test'])
})

test('no line is longer than 75 bytes, and no character is split', () => {
  const name = `${'Ñandú 王美玲 '.repeat(20)}Pérez`
  const card = formatVcard(person({ name }), page)
  const lines = card.split('\r\n')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(lines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(3)
  expect(linesOf(card)).toContain(`FN:${name}`)
  expect(card).not.toContain('\uFFFD')
})

test.each([
  ['209.555.0142', '+12095550142'],
  ['+1 209 555 0142', '+12095550142'],
  ['209-555-0142 ext. 12', '+12095550142,12'],
  ['+44 20 7946 0000', '+442079460000'],
  ['555-0142', '5550142'],
  ['ask, the office', 'ask\\, the office'],
])('%s is dialed as %s', (phone, dialled) => {
  expect(linesOf(formatVcard(person({ phone }), page))).toContain(`TEL;TYPE=WORK,VOICE:${dialled}`)
})

describe('a name in its parts', () => {
  const nothing = { prefix: '', given: '', additional: '', family: '', suffix: '', nickname: '' }
  test.each([
    ['Ada Quill', { given: 'Ada', family: 'Quill' }],
    ['Ada M. Quill', { given: 'Ada', additional: 'M.', family: 'Quill' }],
    ['Theodore “Teddy” Feng', { given: 'Theodore', family: 'Feng', nickname: 'Teddy' }],
    ['William (Bill) Hargrove', { given: 'William', family: 'Hargrove', nickname: 'Bill' }],
    ["Liam O'Neil", { given: 'Liam', family: "O'Neil" }],
    ['Nicolás “Nico” Peña-O’Malley III', { given: 'Nicolás', family: 'Peña-O’Malley', suffix: 'III', nickname: 'Nico' }],
    ['Mary Kate St. John-Smythe, Ed.D.', { given: 'Mary', additional: 'Kate', family: 'St. John-Smythe', suffix: 'Ed.D.' }],
    ['Dr. Ana de la Cruz', { prefix: 'Dr.', given: 'Ana', family: 'de la Cruz' }],
    ['Mae van der Berg Jr.', { given: 'Mae', family: 'van der Berg', suffix: 'Jr.' }],
    ['Quill, Ada M.', { given: 'Ada', additional: 'M.', family: 'Quill' }],
    ['José Ortega y Gasset', { given: 'José', family: 'Ortega y Gasset' }],
    ['王美玲', { family: '王', given: '美玲' }],
    ['נועה בן־דוד', { given: 'נועה', family: 'בן־דוד' }],
    ['O', { given: 'O' }],
  ])('%s', (name, parts) => {
    expect(parseName(name)).toEqual({ ...nothing, ...parts })
  })
})

test('the short contact of a QR code is small enough for a phone camera', () => {
  const card = formatShortVcard(person({ name: 'Maximiliana Esperanza Fernández de la Vega y Villanueva-Ruiz' }), page)
  expect(linesOf(card).map((line) => line.split(/[:;]/)[0])).toEqual('BEGIN VERSION FN N ORG TITLE TEL EMAIL URL END'.split(' ').concat(''))
  expect(Buffer.byteLength(card)).toBeLessThan(500)
})
