import { expect, test } from 'vitest'

import { getRoleNames } from '../../../contract/roles.ts'
import { getRegionNames } from '../../../records/regions/rules.ts'
import { STATUS_FILTER_PHRASES, STATUS_FILTERS } from '../../../records/sites/rules.ts'
import { GROUP_PHRASES, parsePlainWords, type Phrase } from './plain-words.ts'

const regions = ['California', 'Michigan', 'Ohio', 'South Carolina', 'Texas'].map((name) => ({
  filter: 'region',
  value: name.toLowerCase().replace(' ', '-'),
  synonyms: getRegionNames(name),
}))
const sites: readonly Phrase[] = [
  ...STATUS_FILTERS.map((value) => ({ filter: 'status', value, synonyms: STATUS_FILTER_PHRASES[value] })),
  ...['Resource Center', 'Distribution Center', 'Online', 'Administrative Office', 'Partnership'].map((type) => ({
    filter: 'type',
    value: type,
    synonyms: [type],
  })),
  ...regions,
]
const ROLES = 'Principal,Assistant Principal,Student Relations Manager,Regional SRM,Regional Vice President,Learning Center Coordinator'
  .concat(',School Operations Manager,Counselor,Lead Counselor,ELD Lead')
  .split(',')
const people: readonly Phrase[] = [...ROLES.map((name) => ({ filter: 'role', value: name, synonyms: getRoleNames(name) })), ...regions]

/** The filters and the remaining text, in one line; 'text' if everything stays text. */
const read = (text: string, phrases = sites, finished = true): string => {
  const understood = parsePlainWords(text, phrases, finished)
  if (!understood) return 'text'
  const filters = Object.entries(understood.filters).map(([filter, value]) => `${filter}=${value ?? ''}`)
  return [...filters, ...(understood.remainingText ? [`“${understood.remainingText}”`] : [])].join(' ')
}

test.each([
  ['closed ohio online', 'status=closed region=ohio type=Online'],
  ['Online, Ohio, CLOSED', 'type=Online region=ohio status=closed'],
  ['active', 'status=active'],
  ['open texas', 'status=active region=texas'],
  ['shut', 'status=closed'],
  ['pending', 'status=coming-soon'],
  ['coming soon in michigan', 'status=coming-soon region=michigan'],
  ['recently updated', 'status=updated'],
  ['recent', 'status=updated'],
  ['south carolina', 'region=south-carolina'],
  ['closed OH', 'status=closed region=ohio'],
  ['CA', 'region=california'],
  ['mi', 'region=michigan'],
  ['Sc', 'region=south-carolina'],
  ['tx', 'region=texas'],
  ['resource center', 'type=Resource Center'],
  ['resource centers', 'type=Resource Center'],
  ['distribution centers texas', 'type=Distribution Center region=texas'],
  ['administrative offices', 'type=Administrative Office'],
  ['partnerships', 'type=Partnership'],
])('%s is %s on the list of sites', (typed, meant) => {
  expect(read(typed)).toBe(meant)
})

test.each([
  ['srm michigan', 'role=Student Relations Manager region=michigan'],
  ['RSRM', 'role=Regional SRM'],
  ['rvp tx', 'role=Regional Vice President region=texas'],
  ['ap', 'role=Assistant Principal'],
  ['LCC', 'role=Learning Center Coordinator'],
  ['som', 'role=School Operations Manager'],
  ['SRMs in Ohio', 'role=Student Relations Manager region=ohio'],
  ['principals', 'role=Principal'],
])('%s is %s on a list of people', (typed, meant) => {
  expect(read(typed, people)).toBe(meant)
})

test('the longer of two matching names is used', () => {
  expect(read('assistant principal', people)).toBe('role=Assistant Principal')
  expect(read('lead counselor', people)).toBe('role=Lead Counselor')
  expect(read('regional srm', people)).toBe('role=Regional SRM')
  expect(read('srm', people)).toBe('role=Student Relations Manager')
})

test('text that is not a filter stays as typed', () => {
  expect(read('Lodi')).toBe('text')
  expect(read('')).toBe('text')
  expect(read('  ')).toBe('text')
  expect(read('closed Lodi')).toBe('status=closed “Lodi”')
  expect(read('Main Street online Ohio')).toBe('type=Online region=ohio “Main Street”')
  expect(read('center')).toBe('text')
  expect(read('resource')).toBe('text')
  expect(read('carolina')).toBe('text')
})

test('a word of another list’s filter stays text', () => {
  expect(read('online', people)).toBe('text')
  expect(read('principal')).toBe('text')
  expect(read('pending ohio', GROUP_PHRASES)).toBe('text')
  expect(read('closed ohio', GROUP_PHRASES)).toBe('status=closed “ohio”')
})

test('a list that shows active records by default does not have this filter in its URL', () => {
  expect(parsePlainWords('open', GROUP_PHRASES, true)?.filters).toStrictEqual({ status: undefined })
})

test('connecting words are read with what they connect, and alone they are text', () => {
  expect(read('closed sites in Ohio')).toBe('status=closed region=ohio')
  expect(read('all the resource centers in texas')).toBe('type=Resource Center region=texas')
  expect(read('House of Learning closed')).toBe('status=closed “House of Learning”')
  expect(read('all sites')).toBe('text')
})

test('one typo is accepted in words of five letters and more', () => {
  for (const typed of ['closd', 'clsoed', 'closedd', 'clozed', 'close']) expect(read(typed), typed).toBe('status=closed')
  expect(read('michgan')).toBe('region=michigan')
  expect(read('califronia onlnie')).toBe('region=california type=Online')
  expect(read('resorce centre')).toBe('type=Resource Center')
  for (const typed of ['ohoi', 'opne', 'shtu', 'cloosedd', 'mx']) expect(read(typed), typed).toBe('text')
})

test('accents and punctuation around a word do not matter', () => {
  expect(read('(closed) “Ohío”')).toBe('status=closed region=ohio')
})

test('the first word for a filter is used; a contradicting one stays text', () => {
  expect(read('closed shut')).toBe('status=closed')
  expect(read('closed active')).toBe('status=closed “active”')
  expect(read('ohio texas closed')).toBe('region=ohio status=closed “texas”')
})

test('nothing is recognized inside a word or a name', () => {
  const paused = (text: string, phrases = sites) => read(text, phrases, false)
  for (const typed of ['recently', 'recently ', 'closed coming', 'ohio resource ', 'closed south '])
    expect(paused(typed), typed).toBe('text')
  expect(paused('closed assistant', people)).toBe('text')
  expect(paused('recently updated')).toBe('status=updated')
  for (const typed of [
    'clos',
    'close',
    'closed o',
    'closed ca',
    'closed oh',
    'closed califor',
    'recent',
    'closed mich',
    'closed michgan',
    'closed resource',
  ])
    expect(paused(typed), typed).toBe('text')
  expect(paused('closed')).toBe('status=closed')
  expect(paused('closed ohio online')).toBe('status=closed region=ohio type=Online')
  expect(paused('closed Lod')).toBe('status=closed “Lod”')
  expect(paused('closed oh ')).toBe('status=closed region=ohio')
  expect(paused('close ')).toBe('status=closed')
  expect(paused('principal', people)).toBe('role=Principal')
})
