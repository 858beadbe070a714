import { describe, expect, test } from 'vitest'

import type { SearchedRows, SearchedTable } from './records.ts'
import { SearchEngine, type SearchOptions } from './search-engine.ts'

const NO_PERSON = { email: null, phone: null, fax: null, sql_person_id: null }
const NO_SITE = {
  city: null,
  state: null,
  zip: null,
  address_1: null,
  address_2: null,
  category: null,
  finance_id: null,
  directory_id: null,
  phone: null,
  fax: null,
  status: 'ACTIVE',
  charter: 'Delta',
  region: 'California',
}
const NO_CHARTER = {
  abbreviation: null,
  brand: 'Meridian',
  charter_number: null,
  directory_id: null,
  charterContactnumber: null,
  status: 'ACTIVE',
}

/** A small network whose records are known by their names. */
class Network {
  readonly engine = new SearchEngine()
  readonly #rows = new Map<string, object>()

  constructor() {
    for (const name of ['California', 'Michigan', 'Ohio', 'South Carolina']) this.set('region', { _id: name, name })
    for (const [name, group] of [
      ['Principal', 'LEADERSHIP'],
      ['Student Relations Manager', 'LEADERSHIP'],
      ['Warehouse Technician', 'LEADERSHIP'],
      ['Registrar', 'STUDENT_SUPPORT'],
    ] as const)
      this.set('role', { _id: name, name, group })
    this.set('brand', { _id: 'Meridian', brandName: 'Meridian Charter Schools', status: 'ACTIVE' })
    this.set('charter', { ...NO_CHARTER, _id: 'Delta', name: 'Meridian Delta Charter', abbreviation: 'MDC' })
  }

  set<T extends SearchedTable>(table: T, row: SearchedRows[T]): void {
    const key = JSON.stringify([table, '_id' in row ? row._id : row])
    this.engine.change({ table, before: this.#rows.get(key) as SearchedRows[T] | undefined, after: row })
    this.#rows.set(key, row)
  }

  delete<T extends SearchedTable>(table: T, row: SearchedRows[T]): void {
    this.engine.change({ table, before: row, after: undefined })
  }

  person(name: string, changes: Partial<SearchedRows['person']> = {}): SearchedRows['person'] {
    const row = { ...NO_PERSON, _id: name, name, ...changes }
    this.set('person', row)
    return row
  }

  site(name: string, changes: Partial<SearchedRows['site']> = {}): SearchedRows['site'] {
    const row = { ...NO_SITE, _id: name, name, displayName: name, ...changes }
    this.set('site', row)
    return row
  }

  assign(person: string, role: string, site: string): SearchedRows['site_person'] {
    const row = { person, role, site }
    this.set('site_person', row)
    return row
  }

  search(typed: string, options: Partial<SearchOptions> = {}) {
    return this.engine.search(typed, { maxPerKind: 5, ...options })
  }

  /** The hits of all groups, the best group first. */
  find(typed: string, options: Partial<SearchOptions> = {}): string[] {
    return this.search(typed, options)
      .groups.toSorted((a, b) => (b.hits[0]?.score ?? 0) - (a.hits[0]?.score ?? 0))
      .flatMap(({ hits }) => hits.map(({ _id }) => _id))
  }
}

describe('a person is found', () => {
  test.each([
    'Maël Ångström-Quist',
    'mael angstrom quist',
    'quist mael',
    'meal angstrmo',
    'amel ansgtrom',
    'maal agstrom',
    'angstromquist',
  ])('by name, with one typo in each word, in any order and without accents: %s', (typed) => {
    const network = new Network()
    network.person('Maël Ångström-Quist')
    expect(network.find(typed)).toEqual(['Maël Ångström-Quist'])
  })

  test('by nickname, and a nickname by the full name', () => {
    const network = new Network()
    network.person('William Zebrowski')
    network.person('Peggy Zoltan')
    expect(network.find('bill zebrowski')).toEqual(['William Zebrowski'])
    expect(network.find('Billy Zebrovski')).toEqual(['William Zebrowski'])
    expect(network.find('margaret zoltan')).toEqual(['Peggy Zoltan'])
    expect(network.search('bill').marks).toEqual(['bill', 'william'])
  })

  test.each([
    ['Ines de la Torreblanca', 'ines delatorreblanca'],
    ['Ines de la Torreblanca', 'torreblanca'],
    ['Levi Delacruz', 'levi de la cruz'],
    ['Kofi MacAllister', 'mc allister'],
    ['Hannah St. Clair', 'hannah saint clair'],
    ['Sheila O’Farquhar', 'o farquhar'],
    ['Sheila O’Farquhar', 'ofarquhar'],
    ['Sheila O’Farquhar', "O'Farquhar"],
    ['Søren Yıldız', 'soren yildiz'],
    ['王美玲', '王美玲'],
    ['נועה בן־דוד', 'נועה'],
    ['O', 'o'],
    ['Mary Ann Zuniga', 'maryann'],
    ['Mary Ann Zuniga', 'maryann zuniga'],
    ['Mary Ann Zuniga', 'zuniga maryan'],
    ['Maryann Zuniga', 'mary ann'],
    ['Maryann Zuniga', 'mary ann zuniga'],
    ['Maryann Zuniga', 'mary-ann'],
    ['Mary-Ann Zuniga', 'maryann'],
    ['Mary-Ann Zuniga', 'mary ann'],
    ['Mary Ann Zuniga', 'mary-ann'],
    ['Tomas De Leon', 'deleon'],
    ['Tomas Deleon', 'de leon'],
    ['Iris StJohn', 'st. john'],
    ['Iris St. John', 'stjohn'],
    ['Joost Van Der Berg', 'vanderberg'],
    ['Joost Vanderberg', 'van der berg'],
    ['Joost VanDer Berg', 'vanderberg'],
    ['Lee Ann Marie Roe', 'leeannmarie'],
    ['Leeannmarie Roe', 'lee ann marie'],
  ])('named %s by %s', (name, typed) => {
    const network = new Network()
    network.person(name)
    network.person('Nobody Else')
    expect(network.find(typed)).toEqual([name])
  })

  test('with and without the spaces in a name, also where others are named exactly as typed', () => {
    const network = new Network()
    for (const name of ['Mary Ann Zuniga', 'Maryann Quist', 'Mary-Ann Brix', 'Ann Mary Orr']) network.person(name)
    for (const typed of ['maryann', 'mary ann', 'mary-ann'])
      expect(network.find(typed)).toEqual(expect.arrayContaining(['Mary Ann Zuniga', 'Maryann Quist', 'Mary-Ann Brix']))
    expect(network.find('maryann')).not.toContain('Ann Mary Orr')
    expect(network.search('maryann').marks).toEqual(['ann', 'mary', 'maryann'])
  })

  test('not by words that only together make up another one', () => {
    const network = new Network()
    for (const name of ['John Son Quist', 'John Smith', 'Ann Son']) network.person(name)
    expect(network.find('johnson')).not.toContain('John Smith')
    expect(network.find('johnson')).not.toContain('Ann Son')
  })

  test.each([
    '313-867-5309',
    '(313) 867.5309',
    '+1 313 867 5309',
    '3138675309 ext. 12',
    '867-5309',
    '313 867',
    '8675',
    'P-00771',
    'p00771',
    'n.numbers@phones',
    'nora 8675309',
    'employee id P-00771'.slice(-7),
  ])('by any part of a phone number in any format, by PersonID and email address: %s', (typed) => {
    const network = new Network()
    network.person('Nora Numbers', { phone: '313-867-5309 x12', sql_person_id: 'P-00771', email: 'n.numbers@phones.example' })
    for (let at = 0; at < 300; at++) network.person(`Other ${at}`, { phone: `209-555-0${100 + at}` })
    expect(network.find(typed)).toEqual(['Nora Numbers'])
  })

  test('by role and site together, and not by the site of another role', () => {
    const network = new Network()
    network.site('Xanthippe Resource Center', { city: 'Xanthippe' })
    network.site('Yggdrasil Resource Center', { city: 'Yggdrasil' })
    network.person('Paula Prin')
    network.person('Steve Srm')
    network.assign('Paula Prin', 'Principal', 'Xanthippe Resource Center')
    network.assign('Paula Prin', 'Registrar', 'Yggdrasil Resource Center')
    network.assign('Steve Srm', 'Student Relations Manager', 'Xanthippe Resource Center')
    expect(network.search('principal xanthippe').groups).toMatchObject([
      { hits: [{ _id: 'Paula Prin', role: 'Principal', match: 'exact' }] },
    ])
    expect(network.find('srm xanthippe')).toEqual(['Steve Srm'])
    expect(network.find('srm california')).toEqual(['Steve Srm'])
    expect(network.find('managers meridian delta')).toEqual(['Steve Srm'])
    expect(network.find('principal yggdrasil')).toEqual([])
  })

  test('immediately after a change, and no longer by the old name, number or site', () => {
    const network = new Network()
    const site = network.site('Amber Center')
    const person = network.person('Quentin Oldname', { phone: '209-555-0111' })
    const placement = network.assign('Quentin Oldname', 'Registrar', 'Amber Center')
    network.person('Quentin Oldname', { name: 'Quentin Newname', phone: '209-555-0222' })
    expect(network.find('newname')).toEqual(['Quentin Oldname'])
    expect([...network.find('oldname'), ...network.find('5550111')]).toEqual([])
    expect(network.find('registrar amber')).toEqual(['Quentin Oldname'])
    network.site('Amber Center', { displayName: 'Birch Center', name: 'Birch Center' })
    expect(network.find('registrar birch')).toEqual(['Quentin Oldname'])
    expect(network.find('registrar amber')).toEqual([])
    network.set('charter', { ...NO_CHARTER, _id: 'Delta', name: 'Zephyr Charter' })
    expect(network.find('registrar zephyr')).toEqual(['Quentin Oldname'])
    network.delete('site_person', placement)
    expect(network.find('registrar zephyr')).toEqual([])
    network.delete('person', person)
    network.delete('site', site)
    expect([...network.find('quentin'), ...network.find('birch'), ...network.find('5550222')]).toEqual([])
  })
})

describe('a site, a charter, a brand and a region', () => {
  test.each([
    'gorgonzola',
    'hub gorgonzolla',
    'wensleydale',
    'roquefort',
    '88 roquefort',
    '0091827',
    '91827',
    '99871',
    'finance no. 0091827',
    'cheshire county',
  ])('a site is found by name, city, address, numbers and county: %s', (typed) => {
    const network = new Network()
    network.site('Gorgonzola Hub', { city: 'Wensleydale', address_1: '88 Roquefort Road', finance_id: '0091827', zip: '99871' })
    network.set('facility', { site: 'Gorgonzola Hub', county: 'Cheshire', phone_2: null })
    network.person('Phone With The ZIP', { phone: '313-998-7100' })
    expect(network.find(typed)[0]).toBe('Gorgonzola Hub')
  })

  test.each(['noqua', 'nqvc', 'nqv', 'valley northern', '39685850133678', '39 68585 0133678', '1872'])(
    'a charter is found by initials and numbers: %s',
    (typed) => {
      const network = new Network()
      network.set('charter', {
        ...NO_CHARTER,
        _id: 'Quartz',
        name: 'Northern Quartz Valley Charter',
        abbreviation: 'NOQUA',
        charter_number: '1872',
        directory_id: '39-68585-0133678',
      })
      expect(network.find(typed)).toEqual(['Quartz'])
    },
  )

  test('a charter is found by numbers in its affair by people who can read it', () => {
    const network = new Network()
    const affairNumbers = [{ charter: 'Delta', number: '39685850133678' }]
    expect(network.find('0133678')).toEqual([])
    expect(network.find('0133678', { affairNumbers })).toEqual(['Delta'])
    expect(network.find('0133678', { affairNumbers, only: 'site' })).toEqual([])
  })

  test('a brand is found before its charters, a region by name and abbreviation', () => {
    const network = new Network()
    expect(network.find('meridian')).toEqual(['Meridian', 'Delta'])
    expect(network.find('south carolina')).toEqual(['South Carolina'])
    expect(network.find('michgan')).toEqual(['Michigan'])
    expect(network.find('sc')).toEqual(['South Carolina'])
  })

  test('a search for a state finds the state, not everyone who works there', () => {
    const network = new Network()
    network.site('Amber Center', { state: 'CA' })
    network.person('Ann Amber')
    network.assign('Ann Amber', 'Principal', 'Amber Center')
    expect(network.find('california')).toEqual(['California', 'Amber Center'])
  })
})

describe('the order of results', () => {
  test('is exact matches before prefixes before close matches', () => {
    const network = new Network()
    for (const name of ['Ottolina Brix', 'Otto Brix', 'Atto Brix']) network.person(name)
    expect(network.search('otto brix').groups[0]?.hits.map(({ _id, match }) => [_id, match])).toEqual([
      ['Otto Brix', 'exact'],
      ['Ottolina Brix', 'prefix'],
      ['Atto Brix', 'close'],
    ])
  })

  test('has a principal before a technician, and an open site before a closed one', () => {
    const network = new Network()
    network.site('Amber East', { status: 'CLOSED - PERMANENTLY' })
    network.site('Amber West')
    network.person('Ann Aaa Amber')
    network.person('Ann Zzz Amber')
    network.assign('Ann Aaa Amber', 'Warehouse Technician', 'Amber West')
    network.assign('Ann Zzz Amber', 'Principal', 'Amber West')
    expect(network.find('ann amber')).toEqual(['Ann Zzz Amber', 'Ann Aaa Amber'])
    expect(network.find('amber', { only: 'site' })).toEqual(['Amber West', 'Amber East'])
  })
})

test('a group shows its number of matches, and whether there are more', () => {
  const network = new Network()
  for (let at = 0; at < 8; at++) network.person(`Hepzibah Number${at}`)
  expect(network.search('hepzibah').groups).toMatchObject([
    { kind: 'person', total: 8, more: false, hits: Array.from({ length: 5 }, () => ({})) },
  ])
  for (let at = 8; at < 300; at++) network.person(`Hepzibah Number${at}`)
  expect(network.search('hepzibah').groups[0]?.more).toBe(true)
  expect(network.find('hepzibah', { only: 'person', maxPerKind: 50 })).toHaveLength(50)
  expect(network.find('hepzibah', { only: 'site' })).toEqual([])
})

describe('far-fetched matches are not found', () => {
  test.each(['charter renewal', 'irene renewal request', 'date', 'lease abel', 'budget'])('%s', (typed) => {
    const network = new Network()
    for (const name of ['Irene Lockhart', 'Dave Jones', 'Bridget Nance', 'Abel Nez', 'Alea Seale']) network.person(name)
    expect(network.find(typed)).toEqual([])
  })

  test('one word is ignored if the rest is nearly a complete name, as a close match', () => {
    const network = new Network()
    network.person('Hannah Ashworth')
    expect(network.search('hannah ashworth xyzzy').groups).toMatchObject([{ hits: [{ _id: 'Hannah Ashworth', match: 'close' }] }])
  })
})

test('any text gets a response', () => {
  const network = new Network()
  network.person('王美玲')
  const unusualTexts = ["'", '%', '_', '\\', 'a & b | !c', ':*', '(((', '"', '😀', ' ', '', 'x'.repeat(200), '1', '@', '\\@', '0'.repeat(200), 'a b c d e f g h i j k l', '\r\n\t'] // prettier-ignore
  for (const typed of unusualTexts) expect(Array.isArray(network.search(typed).groups), typed).toBe(true)
})
