import { describe, expect, test } from 'vitest'

import type { CoveredSite } from '../contract.ts'
import { listOtherPeople, readDecisions, writeDecisions } from './reorganize-address.ts'
import {
  countSites,
  type Decisions,
  findMostGiven,
  getHoldersAfter,
  listPositions,
  summarizeDecisions,
  toOwnChanges,
} from './reorganize.ts'

const toPerson = (name: string) => ({ _id: name.toLowerCase(), slug: name.toLowerCase(), name, phone: null, email: null, version: 1 })
const [ruth, irene, noelle] = [toPerson('Ruth'), toPerson('Irene'), toPerson('Noelle')]
const SRM = 'Regional SRM'
const toSite = (name: string, people: readonly (readonly [string, ReturnType<typeof toPerson>])[], status = 'ACTIVE', region = 'ohio') =>
  ({
    _id: name,
    slug: name.toLowerCase(),
    displayName: name,
    status,
    region: { _id: region, slug: region, name: region },
    people: people.map(([role, person]) => ({ role, person })),
  }) as unknown as CoveredSite

const sites = [
  toSite('Akron', [[SRM, ruth]]),
  toSite('Clovis', [
    [SRM, ruth],
    [SRM, noelle],
    ['Principal', ruth],
  ]),
  toSite('Delano', [[SRM, irene]]),
  toSite('Elko', [], 'ACTIVE', 'texas'),
  toSite('Flint', [], 'CLOSED - PERMANENT'),
  toSite('Galt', []),
]
const KNOWN = [SRM, 'Principal'].map((name) => ({ name, notAt: name === SRM ? ['Distribution Center'] : [] }))
const question = { mode: 'give', from: ruth, to: irene, roles: [SRM], known: KNOWN, region: undefined, sites: new Set<string>() } as const
const nothing: Decisions = { others: new Map(), stays: new Set() }
const names = (positions: readonly { key: string }[]) => positions.map(({ key }) => key)

describe('giving sites to someone else', () => {
  const positions = listPositions(sites, question)

  test('selects the sites at which the person has the role, and leaves the other people in it', () => {
    expect(names(positions)).toEqual([`Akron ${SRM}`, `Clovis ${SRM}`])
    expect(positions.map((one) => getHoldersAfter(one, nothing).map(({ name }) => name))).toEqual([['Irene'], ['Noelle', 'Irene']])
  })

  test('counts the sites of each person now and afterward', () => {
    const count = (person: typeof ruth, decisions = nothing) => countSites(sites, [SRM], positions, decisions, person)
    expect([count(ruth), count(irene)]).toEqual([
      { now: 2, after: 0 },
      { now: 1, after: 3 },
    ])
    const decisions = { others: new Map([[`Akron ${SRM}`, noelle]]), stays: new Set([`Clovis ${SRM}`]) }
    expect([count(ruth, decisions), count(irene, decisions), count(noelle, decisions)]).toEqual([
      { now: 2, after: 1 },
      { now: 1, after: 1 },
      { now: 1, after: 2 },
    ])
    expect(summarizeDecisions(positions, decisions)).toBe('1 to Noelle, 1 stays')
  })

  test('becomes one change for each site that changes', () => {
    const decisions = { others: new Map(), stays: new Set([`Akron ${SRM}`]) }
    expect(toOwnChanges(positions, decisions, new Map([[SRM, 'role']]))).toEqual({ Clovis: { 'roles.role': ['irene', 'noelle'] } })
  })
})

test('a position that is left vacant loses only the person who gives it up, also when read back from the URL', () => {
  const positions = listPositions(sites, question)
  const decisions: Decisions = {
    others: new Map([`Akron ${SRM}`, `Clovis ${SRM}`].map((key) => [key, 'vacant' as const])),
    stays: new Set(),
  }
  expect(toOwnChanges(positions, decisions, new Map([[SRM, 'role']]))).toEqual({
    Akron: { 'roles.role': [] },
    Clovis: { 'roles.role': ['noelle'] },
  })
  expect(summarizeDecisions(positions, decisions)).toBe('2 left vacant')
  expect(findMostGiven(positions, decisions)).toBeNull()
  const written = writeDecisions(positions, decisions)
  expect([written.others, listOtherPeople(written)]).toEqual(['akron.,clovis.', []])
  expect(readDecisions(positions, written, new Map())).toEqual(decisions)
})

test('two people swap their sites', () => {
  const positions = listPositions(sites, { ...question, mode: 'swap' })
  expect(toOwnChanges(positions, nothing, new Map([[SRM, 'role']]))).toEqual({
    Akron: { 'roles.role': ['irene'] },
    Clovis: { 'roles.role': ['irene', 'noelle'] },
    Delano: { 'roles.role': ['ruth'] },
  })
})

test('vacant positions of a region are filled at sites that are not closed', () => {
  expect(names(listPositions(sites, { ...question, mode: 'fill', region: 'ohio' }))).toEqual([`Galt ${SRM}`])
  expect(names(listPositions(sites, { ...question, mode: 'fill' }))).toEqual([`Elko ${SRM}`, `Galt ${SRM}`])
  const depot = { ...toSite('Hanford', []), category: 'Distribution Center' }
  expect(listPositions([depot], { ...question, mode: 'fill' })).toEqual([])
  expect(names(listPositions([depot], { ...question, mode: 'fill', roles: ['Principal'] }))).toEqual(['Hanford Principal'])
})

test('the person who gets the most sites is found, and at how many', () => {
  const positions = listPositions(sites, { ...question, mode: 'fill' })
  expect(findMostGiven(positions, nothing)).toEqual({ person: irene, sites: 2 })
  const shared = { others: new Map([[`Galt ${SRM}`, noelle]]), stays: new Set([`Elko ${SRM}`]) }
  expect(findMostGiven(positions, shared)).toEqual({ person: noelle, sites: 1 })
  expect(findMostGiven(positions, { ...nothing, stays: new Set(names(positions)) })).toBeNull()
})

test('selected sites get a person in place of everyone who has the role', () => {
  const [position] = listPositions(sites, { ...question, mode: 'sites', sites: new Set(['Clovis']) })
  expect(getHoldersAfter(position!, nothing).map(({ name }) => name)).toEqual(['Irene'])
})

describe('decisions in the URL', () => {
  const people = new Map([irene, noelle].map((one) => [one.slug, one]))
  const give = { ...question, roles: [SRM, 'Principal'] }

  test('are read back as they were written', () => {
    const positions = listPositions(sites, give)
    const decisions = { others: new Map([[`Clovis ${SRM}`, noelle]]), stays: new Set(['Clovis Principal']) }
    const written = writeDecisions(positions, decisions)
    expect(written).toEqual({ stay: 'clovis.principal', only: undefined, others: 'clovis.regional-srm.noelle' })
    expect(listOtherPeople(written)).toEqual(['noelle'])
    expect(readDecisions(positions, written, people)).toEqual(decisions)
    expect(readDecisions(positions, written, new Map()).others.size).toBe(0)
  })

  test('name the sites that change if most of them stay', () => {
    const positions = listPositions(sites, { ...question, mode: 'fill' })
    const all = new Set(positions.map(({ key }) => key))
    const decide = (stays: Set<string>) => writeDecisions(positions, { others: new Map(), stays })
    expect(decide(new Set([`Galt ${SRM}`]))).toMatchObject({ stay: 'galt' })
    expect(decide(all)).toEqual({ stay: undefined, only: '.', others: undefined })
    for (const stays of [new Set<string>(), new Set([`Galt ${SRM}`]), all])
      expect(readDecisions(positions, decide(stays), people).stays).toEqual(stays)
    const one = listPositions(sites, { ...question, sites: new Set(['Akron', 'Clovis', 'Delano']), mode: 'sites' })
    const most = new Set([`Akron ${SRM}`, `Clovis ${SRM}`])
    expect(writeDecisions(one, { others: new Map(), stays: most })).toMatchObject({ only: 'delano' })
    expect(readDecisions(one, { only: 'delano' }, people).stays).toEqual(most)
  })

  test('start with no vacant position, and with the one in the URL', () => {
    const positions = listPositions(sites, { ...question, mode: 'fill' })
    const all = new Set(names(positions))
    const read = (written: object) =>
      readDecisions(positions, { stay: undefined, only: undefined, others: undefined, ...written }, people, true).stays
    expect(read({})).toEqual(all)
    expect(read({ only: 'galt' })).toEqual(new Set([`Elko ${SRM}`]))
    expect(read({ stay: '.' })).toEqual(new Set())
    for (const stays of [new Set<string>(), new Set([`Galt ${SRM}`]), all])
      expect(read(writeDecisions(positions, { others: new Map(), stays }, true))).toEqual(stays)
  })

  test('escape slugs that contain a comma or a dot', () => {
    const odd = [{ ...toSite('St. Mary, North', [[SRM, ruth]]), slug: 'st.mary,north' }] as const
    const positions = listPositions(odd, question)
    const decisions = { others: new Map([[positions[0]!.key, { ...noelle, slug: 'n.cates' }]]), stays: new Set<string>() }
    const written = writeDecisions(positions, decisions)
    expect(readDecisions(positions, written, new Map([['n.cates', { ...noelle, slug: 'n.cates' }]]))).toEqual(decisions)
  })
})
