import { describe, expect, test } from 'vitest'

import { LEADING_ROLES } from '../../contract/roles.ts'
import type { CoveredSite } from './contract.ts'
import {
  buildBoardText,
  groupByRegion,
  sortBySiteName,
  listVacantRoles,
  countVacancies,
  listCallSites,
  listHolders,
  sortRoles,
  buildOrgChart,
  parseRoles,
} from './rules.ts'

const person = (name: string) => ({ _id: `id of ${name}`, slug: name.toLowerCase(), name, phone: null, email: null, version: 1 })
const OHIO = { _id: 'r1', slug: 'ohio', name: 'Ohio' }
const TEXAS = { _id: 'r2', slug: 'texas', name: 'Texas' }

/** A site with its people as `role: names`. */
const site = (displayName: string, people: Record<string, string[]> = {}, overrides: Partial<CoveredSite> = {}): CoveredSite => ({
  _id: displayName,
  slug: displayName.toLowerCase(),
  displayName,
  category: null,
  status: 'ACTIVE',
  city: 'Akron',
  state: 'OH',
  phone: '330-555-0100',
  region: OHIO,
  charter: null,
  vacant: [],
  checkedAt: null,
  version: 1,
  people: Object.entries(people).flatMap(([role, names]) => names.map((name) => ({ role, person: person(name) }))),
  ...overrides,
})
const toRoles = (...names: string[]) => names.map((name) => ({ name, notAt: [] }))
const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name)

describe('the board', () => {
  const one = site('One', { Principal: ['Zed', 'Amy'], 'Regional SRM': ['Rae'] })
  const two = site('Two', { 'Regional SRM': ['Rae'] })

  test('lists both people in a role, by name', () => {
    expect(namesOf(listHolders(one, 'Principal'))).toEqual(['Amy', 'Zed'])
    expect(listHolders(two, 'Principal')).toEqual([])
  })

  test('counts the vacancies of a site and of a role', () => {
    const roles = toRoles('Principal', 'Regional SRM', 'Registrar')
    expect(listVacantRoles(one, roles)).toEqual(['Registrar'])
    expect(listVacantRoles(two, roles)).toEqual(['Principal', 'Registrar'])
    expect([...countVacancies([one, two], roles)]).toEqual([
      ['Principal', 1],
      ['Regional SRM', 0],
      ['Registrar', 2],
    ])
  })

  test('counts no vacancy of a role that sites of the facility type do not have', () => {
    const depot = site('Depot', {}, { category: 'Distribution Center' })
    const roles = [{ name: 'Principal', notAt: ['Distribution Center'] }, ...toRoles('Registrar')]
    expect(listVacantRoles(depot, roles)).toEqual(['Registrar'])
    expect(listVacantRoles({ ...depot, category: 'Online' }, roles)).toEqual(['Principal', 'Registrar'])
    expect(listVacantRoles({ ...depot, category: null }, roles)).toEqual(['Principal', 'Registrar'])
    expect([...countVacancies([depot, two], roles)]).toEqual([
      ['Principal', 1],
      ['Registrar', 2],
    ])
  })

  test('groups sites by region, sites without one last, sorted by name with numeric order', () => {
    const sites = [
      site('Site 10'),
      site('Lost', {}, { region: null }),
      site('Austin', {}, { region: TEXAS }),
      site('Site 2'),
      site('akron east'),
    ]
    expect(
      groupByRegion(sortBySiteName(sites)).map(({ region, sites: own }) => [region?.name, own.map(({ displayName }) => displayName)]),
    ).toEqual([
      ['Ohio', ['akron east', 'Site 2', 'Site 10']],
      ['Texas', ['Austin']],
      [undefined, ['Lost']],
    ])
  })

  test('has the columns in the URL in the order of the roles, or the default roles if the URL has no known one', () => {
    const all = sortRoles(toRoles('Registrar', 'Regional SRM', ...LEADING_ROLES.filter((role) => role !== 'Regional SRM')))
    expect(namesOf(all)).toEqual([...LEADING_ROLES, 'Registrar'])
    const parse = (address: string | undefined, roles = all) => namesOf(parseRoles(address, roles))
    expect(parse('Registrar, Regional SRM')).toEqual(['Regional SRM', 'Registrar'])
    expect(parse('Nonsense')).toEqual(LEADING_ROLES)
    expect(parse(undefined)).toEqual(LEADING_ROLES)
    expect(parse(undefined, [])).toEqual(LEADING_ROLES)
  })

  test('is copied as a table: one line per site, both people in one cell, no formulas', () => {
    const unusualSite = site('=Odd\tSite\nhere', { Principal: ['Amy', 'Zed'] }, { phone: '+1 330 555 0100' })
    expect(buildBoardText([unusualSite], toRoles('Principal', 'Registrar')).split('\n')).toEqual([
      'Site\tCity\tState\tRegion\tPhone\tPrincipal\tRegistrar',
      ' =Odd Site here\tAkron\tOH\tOhio\t +1 330 555 0100\tAmy; Zed\t',
    ])
  })
})

describe('the org chart of a region', () => {
  const chart = (sites: readonly CoveredSite[]) =>
    buildOrgChart(sites).map(({ vicePresident, areas }) => [
      vicePresident?.name ?? null,
      areas.map(({ superintendent, sites: own }) => [superintendent?.name ?? null, own.map(({ site: { displayName } }) => displayName)]),
    ])

  test('has Regional Vice Presidents, Area Superintendents and their sites with Principal and SRM', () => {
    const lead = { 'Regional Vice President': ['Vera'], 'Area Superintendent': ['Sue'] }
    const sites = [site('Two', lead), site('One', { ...lead, Principal: ['Pat'], 'Student Relations Manager': ['Max', 'Lou'] })]
    expect(chart(sites)).toEqual([['Vera', [['Sue', ['One', 'Two']]]]])
    const [one, two] = buildOrgChart(sites)[0]?.areas[0]?.sites ?? []
    expect([namesOf(one?.principals ?? []), namesOf(one?.managers ?? [])]).toEqual([['Pat'], ['Lou', 'Max']])
    expect([two?.principals, two?.managers, two?.also, two?.otherVicePresidents]).toEqual([[], [], [], null])
  })

  test('lists sites without Area Superintendent last', () => {
    const vera = { 'Regional Vice President': ['Vera'] }
    expect(chart([site('Alone', vera), site('Led', { ...vera, 'Area Superintendent': ['Sue'] })])).toEqual([
      [
        'Vera',
        [
          ['Sue', ['Led']],
          [null, ['Alone']],
        ],
      ],
    ])
  })

  test('shows a site with two Area Superintendents under both, with a note', () => {
    const both = site('Both', { 'Area Superintendent': ['Sue', 'Ann'] })
    expect(chart([both])).toEqual([
      [
        null,
        [
          ['Ann', ['Both']],
          ['Sue', ['Both']],
        ],
      ],
    ])
    const areas = buildOrgChart([both])[0]?.areas ?? []
    expect(areas.map(({ sites: [only] }) => namesOf(only?.also ?? []))).toEqual([['Sue'], ['Ann']])
  })

  test('has each area once, under the Regional Vice President of most of its sites; other sites show their own', () => {
    const under = (name: string | null) => ({ 'Area Superintendent': ['Sue'], ...(name ? { 'Regional Vice President': [name] } : {}) })
    const sites = [site('A', under('Vera')), site('B', under('Vera')), site('C', under('Cal')), site('D', under(null))]
    expect(chart([...sites, site('Z', { 'Regional Vice President': ['Cal'], 'Area Superintendent': ['Zoe'] })])).toEqual([
      ['Cal', [['Zoe', ['Z']]]],
      ['Vera', [['Sue', ['A', 'B', 'C', 'D']]]],
    ])
    const entries = buildOrgChart(sites)[0]?.areas[0]?.sites ?? []
    expect(entries.map(({ otherVicePresidents }) => otherVicePresidents && namesOf(otherVicePresidents))).toEqual([null, null, ['Cal'], []])
  })

  test('is empty for a region without sites', () => {
    expect(buildOrgChart([])).toEqual([])
  })
})

test('a call list has the active sites by name, or all sites', () => {
  const sites = [site('B'), site('Shut', {}, { status: 'CLOSED - TEMPORARILY' }), site('A', {}, { status: 'PENDING' })]
  const called = (all: boolean) => listCallSites(sites, all).map(({ displayName }) => displayName)
  expect(called(false)).toEqual(['A', 'B'])
  expect(called(true)).toEqual(['A', 'B', 'Shut'])
})
