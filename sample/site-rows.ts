import { pickOfficeHour } from './calendar.ts'
import { getEmployeeName, getPhone, getSiteFax } from './people.ts'
import { REGION_OF } from './places.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { type Random, createRandom } from './random.ts'
import type { Row } from './rows.ts'

const SUITES = ['Suite B', 'Suite 204', 'Unit 7', 'Building C, Second Floor', '# 110', 'Suite 1200-A']
/** Opening hours from the choices in the form; most sites keep the defaults. */
const HOURS = [
  ['9:00AM', '5:00PM'],
  ['9:00AM', '5:00PM'],
  ['9:00AM', '5:00PM'],
  ['8:00AM', '4:30PM'],
  ['8:30AM', '5:00PM'],
  ['7:30AM', '3:30PM'],
  ['7:00AM', '11:00AM'],
  ['10:00AM', '6:00PM'],
  ['1:30PM', '7:00PM'],
] as const

const DESCRIPTIONS = [
  'Second floor, entrance from the parking lot behind the building. Ring at the blue door before 9:00AM.',
  'Testing room seats 24; book through the front desk.',
  'Shares its lobby with the dental office. Students sign in at the tablet by the second door.',
  'Corner of the shopping plaza, between the pharmacy and the laundromat. Parking is free for two hours; passes at the desk.',
  'Stand-alone building with a fenced yard. Bus line 7 stops in front every 20 minutes.',
  'Appointments only on Mondays. The side gate is locked at 4:00PM; call the site phone to be let out.',
  'Former bank branch: the vault is the book room. Ask the coordinator for the code, which changes each quarter.',
  'Wheelchair entrance on the north side. The lift needs a key from the front desk.',
  'Twelve workstations, two small-group rooms and a kitchen. Quiet hours from 9:00AM to 11:00AM.\nScience kits come on the second Tuesday and must be returned by Friday.',
  'No walk-ins during testing weeks. Deliveries to the rear dock, weekdays 8:00AM to 2:00PM.',
]
const CLOSURES = [
  'Closed on federal holidays.',
  'Closed the week of Thanksgiving and from the Friday before Christmas to the first Monday of January.',
  'Closed Fridays in July.',
  'Closed for inventory on the last business day of each quarter.',
  'Power shut-offs in fire season: see the phone message.',
]

/** Streets in large cities have numbers in the thousands. */
const getHouseNumber = (random: Random): number => (random.chance(0.7) ? random.int(100, 4999) : random.int(5000, 14_999))

const getFinanceId = (random: Random, index: number): string | null => {
  if (random.chance(0.06)) return null
  if (random.chance(0.02)) return `0000${String(index).padStart(16, '0')}`
  return String(1200 + index * 3).padStart(5, '0')
}

/** The principal's last check of an open site: usually within half a year, sometimes longer ago, sometimes never. */
const planCheck = (plan: Plan, site: PlannedSite): Pick<Row<'site'>, 'checkedAt' | 'checkedBy'> => {
  const random = createRandom(plan.seed, 'check', site.index)
  const daysAgo = random.chance(0.8) ? random.int(2, 175) : random.int(181, 400)
  const isChecked = random.chance(0.88) && site.local.length > 0 && daysAgo < site.entered - 3 && !site.status.startsWith('CLOSED')
  return isChecked
    ? { checkedAt: pickOfficeHour(random, plan.day, daysAgo), checkedBy: getEmployeeName(plan.seed, site.firstEmployee) }
    : { checkedAt: null, checkedBy: null }
}

export const toSiteRow = (plan: Plan, site: PlannedSite, facades: readonly string[]): Row<'site'> => {
  const { place } = site
  const random = createRandom(plan.seed, 'site', site.index)
  const building = createRandom(plan.seed, 'building', site.index)
  const [start_time, end_time] = random.chance(0.93) ? random.pick(HOURS) : [null, null]
  const hours = start_time !== null
  const reachable = site.status.startsWith('CLOSED') ? 0.6 : site.status === 'PENDING' ? 0.7 : 0.96
  return {
    _id: site._id,
    slug: site.slug,
    name: site.name,
    displayName: site.displayName,
    category: site.category,
    finance_id: site.status === 'PENDING' ? null : getFinanceId(random, site.index),
    photo: site.facade === null ? null : (facades[site.facade] ?? null),
    status: site.status,
    charter: site.charter._id,
    region: plan.known.region.get(REGION_OF[place.state]) ?? null,
    address_1: `${getHouseNumber(building)} ${site.street}`,
    address_2: building.chance(0.3) ? building.pick(SUITES) : null,
    city: place.city,
    state: place.state,
    zip: place.zip,
    phone: random.chance(reachable) ? getPhone(random, place) : null,
    fax: random.chance(0.55) ? getSiteFax(random, place) : null,
    start_day: hours ? (random.chance(0.93) ? 'Monday' : 'Tuesday') : null,
    end_day: hours ? (random.chance(0.85) ? 'Friday' : random.pick(['Thursday', 'Saturday'])) : null,
    start_time,
    end_time,
    description: random.chance(0.68) ? random.some(DESCRIPTIONS, random.int(1, 2)).join(' ') : null,
    closures: random.chance(0.45) ? random.pick(CLOSURES) : null,
    // Near the center of its city, so that two sites of a city are not the same dot on a map.
    latitude: Number((place.latitude + (building.next() - 0.5) * 0.05).toFixed(5)),
    longitude: Number((place.longitude + (building.next() - 0.5) * 0.05).toFixed(5)),
    directory_id: null,
    ...planCheck(plan, site),
  }
}
