import { findFreeSlug } from '../src/contract/slugs.ts'
import type { Status } from '../src/contract/status.ts'
import { FACILITY_TYPES } from '../src/records/sites/fields.ts'
import { BRANDS, type SampleBrand, type SampleCharter } from './brands.ts'
import { getStartOfDay, toWeek } from './calendar.ts'
import { FACADES } from './facades.ts'
import type { Employee } from './people.ts'
import { AREAS, type Place, REGION_OF } from './places.ts'
import { generateId, type Random, createRandom, share } from './random.ts'
import { listLocalStaff, SHARED } from './roles.ts'
import { generateSiteNames } from './site-names.ts'

/** Ids of the rows that the migrations insert, by name. */
export interface KnownIds {
  readonly region: ReadonlyMap<string, string>
  readonly role: ReadonlyMap<string, string>
  readonly programType: ReadonlyMap<string, string>
}

export interface PlannedBrand extends SampleBrand {
  readonly _id: string
  readonly index: number
}

export interface PlannedCharter extends SampleCharter {
  readonly _id: string
  readonly index: number
  readonly brand: PlannedBrand
  readonly founded: number
  readonly sites: PlannedSite[]
}

/** The decisions about a site; its rows follow from these and the seed. */
export interface PlannedSite {
  readonly _id: string
  readonly index: number
  readonly charter: PlannedCharter
  readonly place: Place
  readonly street: string
  readonly displayName: string
  readonly name: string
  readonly slug: string
  readonly category: string
  readonly status: Status
  /** How many days ago it was added; with its charter, or later. */
  readonly entered: number
  /** Its picture among the façades, or none. */
  readonly facade: number | null
  /** The number of the first person who works only here, and the roles of each. */
  readonly firstEmployee: number
  readonly local: readonly (readonly string[])[]
  /** People who hold a role at many sites, including this one. */
  readonly shared: readonly { readonly employee: Employee; readonly role: string }[]
  /** Someone who has left since: the first of `local` succeeded them. */
  readonly predecessor: number | null
}

export interface Plan {
  readonly seed: number
  /** The start of the day on which the network is created. */
  readonly day: Date
  readonly known: KnownIds
  readonly brands: readonly PlannedBrand[]
  readonly charters: readonly PlannedCharter[]
  readonly sites: readonly PlannedSite[]
  /** The first employee number that is not used at any site. */
  readonly freeNumber: number
}

/** How many days ago the history of the network begins: a little more than three years, so that three whole years can be compared. */
export const BEGAN = 1130
/** Charters and sites of today are at least this old, but for those that were added in the last months. */
const SETTLED = 420
/** Days within which two moments can change their order, since Saturdays and Sundays move to Friday. */
const WEEKEND = 3
const MAX_CHARTERS = 60
const SITES_TO_A_CHARTER = 5
const CHARTERS_TO_A_BRAND = 8

/** The brands and charters of a network of this size: fewer for a small one, taken from the first brands in turn. */
const chooseCharters = (seed: number, sites: number): { brands: PlannedBrand[]; charters: PlannedCharter[] } => {
  const wanted = Math.min(MAX_CHARTERS, Math.max(1, Math.round(sites / SITES_TO_A_CHARTER)))
  const brands = BRANDS.slice(0, Math.ceil(wanted / CHARTERS_TO_A_BRAND)).map((brand, index) => ({
    ...brand,
    _id: generateId(seed, 'brand', index),
    index,
  }))
  const inTurn = brands
    .flatMap((brand) => brand.charters.map((charter, turn) => ({ brand, charter, turn })))
    .toSorted((a, b) => a.turn - b.turn || a.brand.index - b.brand.index)
    .slice(0, wanted)
  return {
    brands,
    charters: inTurn.map(({ brand, charter, turn }, index) => ({
      ...charter,
      _id: generateId(seed, 'charter', brand.index, charter.abbreviation),
      index,
      brand,
      // Most charters of each brand are there from the beginning, the others follow over a year.
      founded: BEGAN - Math.floor(index / 3) - (turn < 6 ? 0 : createRandom(seed, 'founded', index).int(20, 340)),
      sites: [],
    })),
  }
}

/** The values in proportion to their weights, shuffled. */
const spreadByWeight = <T>(random: Random, values: readonly (readonly [T, number])[], count: number): T[] => {
  const counts = share(
    count,
    values.map(([, weight]) => weight),
  )
  return random.shuffled(values.flatMap(([value], index) => Array.from({ length: counts[index] ?? 0 }, () => value)))
}

const STATUS_WEIGHTS: readonly (readonly [Status, number])[] = [
  ['ACTIVE', 80],
  ['ACTIVE - TEMPORARY', 5],
  ['PENDING', 5],
  ['CLOSED - PERMANENTLY', 6],
  ['CLOSED - TEMPORARILY', 4],
]
const CATEGORY_WEIGHTS = [68, 8, 11, 6, 7] as const

/** The status of a charter limits that of its sites: a pending or closed charter has no open ones. */
const pickStatus = (charter: Status, drawn: Status): Status => (charter.startsWith('ACTIVE') ? drawn : charter)

/** The cities of a charter: those in its name first, then the area's first city, then the others. */
const listPlaces = (random: Random, charter: SampleCharter): readonly Place[] => {
  const all = AREAS[charter.area]
  const places = [...all.slice(0, 1), ...random.shuffled<Place>(all.slice(1))]
  return [...places.filter(({ city }) => charter.name.includes(city)), ...places.filter(({ city }) => !charter.name.includes(city))]
}

/** Makes all decisions that concern the network as a whole; takes well under a kilobyte per site. */
export const planNetwork = ({ seed, sites: count, now, known }: { seed: number; sites: number; now: Date; known: KnownIds }): Plan => {
  const { brands, charters } = chooseCharters(seed, count)
  const counts = share(
    count,
    charters.map(({ weight }) => weight),
  )
  const statuses = spreadByWeight(createRandom(seed, 'statuses'), STATUS_WEIGHTS, count)
  const categories = spreadByWeight(
    createRandom(seed, 'categories'),
    FACILITY_TYPES.map((type, index) => [type, CATEGORY_WEIGHTS[index] ?? 1]),
    count,
  )
  const names = generateSiteNames()
  const slugs = new Set<string>()
  const leaders = new Map<string, Employee>()
  const seen = new Map<string, number>()
  /** The person with a shared role at the next site of an area or a region: a new person after every few sites. */
  const leaderOf = (role: string, within: string, most: number, place: Place, domain: string): Employee => {
    const key = `${role}|${within}|${Math.floor((seen.get(within) ?? 0) / most)}`
    const leader = leaders.get(key) ?? { number: leaders.size, place, domain }
    leaders.set(key, leader)
    return leader
  }

  const drafts = charters.flatMap((charter, nth) => {
    const places = listPlaces(createRandom(seed, 'places', charter._id), charter)
    return Array.from({ length: counts[nth] ?? 0 }, (_, turn) => ({ charter, places, turn }))
  })
  const withoutEmployees = drafts.map(({ charter, places, turn }, index) => {
    const random = createRandom(seed, 'plan', index)
    const place = (turn < places.length ? places[turn] : random.pick(places)) as Place
    // The first site of a network is an ordinary one, with everything filled in.
    const status = index === 0 ? 'ACTIVE' : pickStatus(charter.status, statuses[index] ?? 'ACTIVE')
    const ordinary = index === 0 ? 'Resource Center' : (categories[index] ?? 'Resource Center')
    const category = charter.name.endsWith('Online') && turn === 0 ? 'Online' : ordinary
    const name = names(random, { place, category, area: charter.area, charter })
    const region = REGION_OF[place.state]
    const working = status.startsWith('ACTIVE') ? 1 : 0.5
    const shared = SHARED.filter(({ share: chance }) => random.chance(chance * working)).map(({ role, over, sites }) => ({
      role,
      employee: leaderOf(role, over === 'area' ? charter.area : region, sites, place, charter.brand.domain),
    }))
    for (const within of [charter.area, region]) seen.set(within, (seen.get(within) ?? 0) + 1)
    // Half of the sites of a charter are there from its beginning, the others open over the years.
    const opening = createRandom(seed, 'entered', index)
    const settled = turn < 2 || opening.chance(0.45) ? charter.founded : toWeek(opening.int(SETTLED, charter.founded))
    const later =
      status === 'PENDING' ? random.int(4, 200) : random.chance(0.15) && !status.startsWith('CLOSED') ? random.int(12, 600) : null
    const entered = later ?? settled
    return {
      _id: generateId(seed, 'site', index),
      index,
      charter,
      place,
      ...name,
      slug: findFreeSlug(name.displayName, slugs),
      category,
      status,
      // What happens on a weekend is entered on Friday, which could be before the charter of the same days.
      entered: entered > charter.founded - WEEKEND ? charter.founded : entered,
      facade: index > 0 && random.chance(1 / 6) ? null : random.int(0, FACADES.length - 1),
      local: listLocalStaff(random, category, status),
      shared,
      replaced: status.startsWith('ACTIVE') && random.chance(1 / 12),
    }
  })

  let employees = leaders.size
  const sites = withoutEmployees.map(({ replaced, ...site }): PlannedSite => {
    const firstEmployee = employees
    employees += site.local.length
    const predecessor = replaced && site.local.length > 0 ? employees++ : null
    const planned = { ...site, firstEmployee, predecessor }
    site.charter.sites.push(planned)
    return planned
  })
  return { seed, day: getStartOfDay(now), known, brands, charters, sites, freeNumber: employees }
}
