import { describe, expect, test } from 'vitest'

import type { CoveredSite } from '../contract.ts'
import { describeMove, findMoveProblem, listPositionsOf, listRolesOf, type Move, toMoveChanges } from './move.ts'

const toPerson = (name: string) => ({ _id: name.toLowerCase(), slug: name.toLowerCase(), name, phone: null, email: null, version: 1 })
const [hannah, ines, omar] = [toPerson('Hannah'), toPerson('Ines'), toPerson('Omar')]
const toSite = (displayName: string, people: readonly (readonly [string, ReturnType<typeof toPerson>])[], category = 'Resource Center') =>
  ({ _id: displayName, displayName, category, people: people.map(([role, person]) => ({ role, person })) }) as unknown as CoveredSite
const lodi = toSite('Lodi', [['Principal', hannah]])
const stockton = toSite('Stockton', [['Principal', ines]])
const galt = toSite('Galt', [])
const ROLES = [
  { _id: 'r1', name: 'Registrar', notAt: [] },
  { _id: 'p', name: 'Principal', notAt: ['Distribution Center'] },
  { _id: 's', name: 'Regional SRM', notAt: [] },
]
const IDS = new Map(ROLES.map(({ _id, name }) => [name, _id]))
const move = (change: Partial<Move> = {}): Move => ({
  person: hannah,
  from: { site: lodi, role: 'Principal' },
  to: { site: galt, role: 'Principal' },
  replaced: new Set(),
  successor: null,
  ...change,
})

describe('a move to another site', () => {
  test('says who comes and what becomes vacant', () => {
    expect(describeMove(move(), '2026-11-30')).toEqual([
      'Hannah becomes Principal of Galt on 11/30/2026.',
      'Lodi has no principal from then on.',
    ])
    expect(describeMove(move(), null)).toEqual(['Hannah becomes Principal of Galt today.', 'Lodi has no principal from today on.'])
    expect(describeMove(move({ from: { site: lodi, role: 'Regional SRM' } }), null)[1]).toBe('Lodi has no regional SRM from today on.')
    expect(toMoveChanges(move(), IDS)).toEqual({ Lodi: { 'roles.p': [] }, Galt: { 'roles.p': ['hannah'] } })
  })

  test('says who is replaced, who stays, and who takes over', () => {
    const to = { site: stockton, role: 'Principal' }
    const replacing = move({ to, replaced: new Set(['ines']), successor: ines })
    expect(describeMove(replacing, '2026-11-30')).toEqual([
      'Hannah becomes Principal of Stockton on 11/30/2026, and replaces Ines.',
      'Ines becomes Principal of Lodi from then on.',
    ])
    expect(toMoveChanges(replacing, IDS)).toEqual({ Lodi: { 'roles.p': ['ines'] }, Stockton: { 'roles.p': ['hannah'] } })
    expect(describeMove(move({ to }), null)[0]).toBe('Hannah becomes Principal of Stockton today, with Ines.')
    expect(toMoveChanges(move({ to }), IDS)['Stockton']).toEqual({ 'roles.p': ['hannah', 'ines'] })
    const shared = toSite('Lodi', [
      ['Principal', hannah],
      ['Principal', omar],
    ])
    expect(describeMove(move({ from: { site: shared, role: 'Principal' } }), null)[1]).toBe(
      'Lodi has only Omar as Principal from today on.',
    )
  })

  test('changes both roles of one site, or only the new one', () => {
    expect(toMoveChanges(move({ to: { site: lodi, role: 'Registrar' } }), IDS)).toEqual({
      Lodi: { 'roles.p': [], 'roles.r1': ['hannah'] },
    })
    expect(toMoveChanges(move({ from: null }), IDS)).toEqual({ Galt: { 'roles.p': ['hannah'] } })
    expect(describeMove(move({ from: null }), null)).toEqual(['Hannah becomes Principal of Galt today.'])
  })

  test('is refused to the position that the person has', () => {
    expect(findMoveProblem(move())).toBeNull()
    expect(findMoveProblem(move({ to: { site: lodi, role: 'Principal' } }))).toBe('Choose another site or role.')
    expect(findMoveProblem(move({ from: null, to: { site: lodi, role: 'Principal' } }))).toBe('Hannah is already Principal of Lodi.')
  })
})

test('the positions of a person, and the roles that a site of a facility type has', () => {
  expect(listPositionsOf([lodi, stockton], 'hannah')).toEqual([{ site: lodi, role: 'Principal' }])
  expect(listRolesOf(ROLES, null).map(({ name }) => name)).toEqual(['Principal', 'Regional SRM', 'Registrar'])
  expect(listRolesOf(ROLES, toSite('Depot', [], 'Distribution Center')).map(({ name }) => name)).toEqual(['Regional SRM', 'Registrar'])
})
