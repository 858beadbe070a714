import { describe, expect, test } from 'vitest'

import { BRANDS } from './brands.ts'
import { DAY } from './calendar.ts'
import { buildHistory, type PictureKeys } from './history.ts'
import { AREAS, REGION_OF } from './places.ts'
import { type KnownIds, planNetwork } from './plan.ts'
import { createRandom, share } from './random.ts'
import { listLocalStaff, SHARED } from './roles.ts'

const idsOf = (names: Iterable<string>): Map<string, string> => new Map([...new Set(names)].map((name) => [name, `id of ${name}`]))

/** Every role that a generated network can contain. */
const roles = [
  ...SHARED.map(({ role }) => role),
  ...['Resource Center', 'Online', 'Distribution Center', 'Administrative Office'].flatMap((category) =>
    Array.from({ length: 200 }, (_, turn) => listLocalStaff(createRandom(category, turn), category, 'ACTIVE')).flat(2),
  ),
]
const known: KnownIds = {
  region: idsOf(Object.values(REGION_OF)),
  role: idsOf(roles),
  programType: idsOf(['Online', 'Home Study', 'Adult Education']),
}
const pictures: PictureKeys = { facades: [], brands: new Map(), charterPhoto: () => null }

const writtenBy = (sites: number, seed: number, now: string): unknown[] =>
  buildHistory(planNetwork({ seed, sites, now: new Date(now), known }), pictures, 'homeroom').map(({ at, by, writes }) => [
    at,
    by,
    writes(),
  ])

describe('a sample network', () => {
  test('is identical for the same seed on the same day, including ids and times', () => {
    const morning = writtenBy(20, 1, '2026-11-20T00:00:01Z')
    expect(writtenBy(20, 1, '2026-11-20T23:59:59Z')).toEqual(morning)
    expect(morning.length).toBeGreaterThan(20)
  })

  test('differs for another seed', () => {
    const ids = (seed: number): string[] => planNetwork({ seed, sites: 20, now: new Date(), known }).sites.map(({ _id }) => _id)
    expect(new Set([...ids(1), ...ids(2)]).size).toBe(40)
  })

  test.each([1, 2, 7, 59, 120, 300, 301, 1000])(
    'has exactly the %i sites that were requested, each with a charter of a brand in the network',
    (sites) => {
      const plan = planNetwork({ seed: 1, sites, now: new Date(), known })
      expect(plan.sites).toHaveLength(sites)
      expect(plan.charters.flatMap((charter) => charter.sites)).toHaveLength(sites)
      for (const { brand } of plan.charters) expect(plan.brands).toContain(brand)
      expect(plan.charters.length).toBe(Math.min(60, Math.max(1, Math.round(sites / 5))))
      expect(new Set(plan.sites.map(({ slug }) => slug)).size).toBe(sites)
      expect(new Set(plan.sites.map(({ displayName }) => displayName)).size).toBe(sites)
    },
  )

  test('has no change in the future, and its last change is from the last day', () => {
    for (const now of ['2026-11-20T00:00:00Z', '2026-03-01T23:59:59Z']) {
      const steps = buildHistory(planNetwork({ seed: 1, sites: 40, now: new Date(now), known }), pictures, 'homeroom')
      const moments = steps.map(({ at }) => at.getTime())
      expect(moments).toEqual(moments.toSorted((a, b) => a - b))
      expect(Math.max(...moments)).toBeLessThanOrEqual(Date.parse(now))
      expect(Math.max(...moments)).toBeGreaterThan(Date.parse(now) - DAY)
    }
  })
})

test.each(['16', '17', '18', '19', '20', '21', '22'])(
  'on any day of the week, no record is changed before it was created (11/%s)',
  (date) => {
    const steps = buildHistory(
      planNetwork({ seed: 1, sites: 1000, now: new Date(`2026-11-${date}T12:00:00Z`), known }),
      pictures,
      'homeroom',
    )
    const there = new Set<unknown>()
    const early: unknown[] = []
    const need = (id: unknown): void => void (there.has(id) || early.push(id))
    for (const { table, action, rows } of steps.flatMap(({ writes }) => writes())) {
      if (table === 'hr_person') continue
      for (const row of rows.map((fields) => new Map<string, unknown>(Object.entries(fields)))) {
        const id = row.get('_id') ?? row.get('site')
        if (action !== 'insert') need(id)
        else for (const column of ['brand', 'charter', 'site', 'person', 'charter_affair']) if (row.get(column)) need(row.get(column))
        if (action === 'delete') there.delete(id)
        else there.add(id)
      }
    }
    expect(there.size).toBeGreaterThan(1000)
    expect(early).toEqual([])
  },
)

test('charter names and abbreviations satisfy the rules of the charter form', () => {
  const charters = BRANDS.flatMap((brand) => brand.charters)
  expect(charters).toHaveLength(60)
  expect(BRANDS).toHaveLength(8)
  for (const { name, abbreviation } of charters) {
    expect(name).toMatch(/^[A-Za-z .|-]{1,60}$/)
    expect(abbreviation).toMatch(/^[A-Za-z ]{1,10}$/)
  }
  expect(new Set(charters.map(({ name }) => name.toLowerCase())).size).toBe(60)
  expect(charters.some(({ name }) => name.length === 60)).toBe(true)
})

test('cities are about a hundred real ones inside their states', () => {
  const bounds = { CA: [32.5, 42, -124.5, -114], MI: [41.6, 47.5, -90.5, -82], OH: [38.3, 42, -85, -80.4], SC: [32, 35.3, -83.5, -78.4], TX: [25.8, 36.6, -106.7, -93.5] } // prettier-ignore
  const places = Object.values(AREAS).flat()
  expect(places.length).toBeGreaterThan(100)
  const outside = places.filter(({ state, latitude, longitude }) => {
    const [south = 0, north = 0, west = 0, east = 0] = bounds[state]
    return latitude < south || latitude > north || longitude < west || longitude > east
  })
  expect(outside).toEqual([])
  for (const { zip, areaCode } of places) expect(`${zip} ${areaCode}`).toMatch(/^\d{5} [2-9]\d{2}$/)
})

test('shares add up to the total', () => {
  for (const total of [0, 1, 7, 300]) expect(share(total, [3, 1, 0, 0.5]).reduce((sum, part) => sum + part, 0)).toBe(total)
  expect(share(7, [1, 0])).toEqual([7, 0])
})
