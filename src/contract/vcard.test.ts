import { describe, expect, test } from 'vitest'

import { type Contact, listVcardProperties, type VcardVersion, writeVcard } from './vcard.ts'

const contact = (changes: Partial<Contact> = {}): Contact => ({
  uid: 'urn:uuid:1',
  name: 'Ada Quill',
  nameParts: { prefix: '', given: 'Ada', additional: '', family: 'Quill', suffix: '', nickname: 'Addie' },
  organization: ['Valley Charter', 'Opportunity, Network'],
  title: 'Principal, Lodi',
  phone: '209-555-0142 x12',
  fax: '2095550143',
  email: 'ada@schools.test',
  address: { street: '1 Main St', city: 'Lodi', state: 'CA', zip: '95240' },
  url: 'https://homeroom.test/staff/ada-quill',
  categories: ['California', 'North; South'],
  photo: null,
  changedAt: '2026-11-20T10:00:00.000Z',
  ...changes,
})
const linesOf = (one: Contact, version: VcardVersion): string[] =>
  writeVcard(listVcardProperties(one, version), version).replaceAll('\r\n ', '').split('\r\n')

test('version 4.0 has its own parameters, numbers and times', () => {
  expect(linesOf(contact(), '4.0')).toEqual([
    'BEGIN:VCARD',
    'VERSION:4.0',
    'FN:Ada Quill',
    'N:Quill;Ada;;;',
    'NICKNAME:Addie',
    'ORG:Valley Charter;Opportunity\\, Network',
    'TITLE:Principal\\, Lodi',
    'TEL;VALUE=uri;TYPE="work,voice":tel:+12095550142;ext=12',
    'TEL;VALUE=uri;TYPE="work,fax":tel:+12095550143',
    'EMAIL;TYPE=work:ada@schools.test',
    'ADR;TYPE=work:;;1 Main St;Lodi;CA;95240;',
    'CATEGORIES:California,North\\; South',
    'URL:https://homeroom.test/staff/ada-quill',
    'UID:urn:uuid:1',
    'REV:20261120T100000Z',
    'END:VCARD',
    '',
  ])
})

describe('a picture', () => {
  test.each([
    [{ url: 'https://homeroom.test/photo' }, '3.0', 'PHOTO;VALUE=uri:https://homeroom.test/photo'],
    [{ url: 'https://homeroom.test/photo' }, '4.0', 'PHOTO:https://homeroom.test/photo'],
    [{ type: 'JPEG', base64: 'AAAA' }, '3.0', 'PHOTO;ENCODING=b;TYPE=JPEG:AAAA'],
    [{ type: 'JPEG', base64: 'AAAA' }, '4.0', 'PHOTO:data:image/jpeg;base64,AAAA'],
  ] as const)('%o in version %s', (photo, version, line) => {
    expect(linesOf(contact({ photo }), version)).toContain(line)
  })
})

test('a number that cannot be dialed is a text in both versions', () => {
  const one = contact({ phone: 'ask, the office' })
  expect(linesOf(one, '3.0')).toContain('TEL;TYPE=WORK,VOICE:ask\\, the office')
  expect(linesOf(one, '4.0')).toContain('TEL;TYPE="work,voice":ask\\, the office')
})

test('a place is an organization in both versions', () => {
  const place = contact({ nameParts: null })
  expect(linesOf(place, '3.0')).toEqual(expect.arrayContaining(['X-ABSHOWAS:COMPANY', 'N:;;;;']))
  expect(linesOf(place, '4.0')).toEqual(expect.arrayContaining(['KIND:org', 'N:;;;;']))
})
