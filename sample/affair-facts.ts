import { type AffairDates, createAffairDates } from './affair-dates.ts'
import { toUsDay } from './calendar.ts'
import { pickFullName } from './names.ts'
import { getPhone } from './people.ts'
import { AREAS, type Place } from './places.ts'
import type { PlannedCharter, Plan } from './plan.ts'
import { type Random, createRandom } from './random.ts'

/** Values that several sections of a charter affair share. */
export interface AffairFacts {
  readonly random: Random
  readonly charter: PlannedCharter
  readonly place: Place
  readonly corporation: string
  readonly fein: string
  readonly authorizer: string
  /** The authorizer's domain. */
  readonly domain: string
  readonly grades: string
  readonly cdsCode: string
  readonly charterNumber: string
  readonly fundingTerm: string
  readonly dates: AffairDates
  readonly firstYear: number
  readonly superintendent: string
  /** A day as people type it, a number of days after the start of the network. */
  readonly on: (daysLater: number) => string
  readonly person: () => string
  readonly phone: () => string
}

/** County and district codes that no state uses. */
const generateCdsCode = (random: Random): string => `${String(random.int(61, 98))} 00000 ${String(random.int(1, 9999)).padStart(7, '0')}`

export const createAffairFacts = (plan: Plan, charter: PlannedCharter): AffairFacts => {
  const random = createRandom(plan.seed, 'affair', charter.index)
  const place = charter.sites[0]?.place ?? random.pick<Place>(AREAS[charter.area])
  const on = (daysLater: number): string => toUsDay(plan.day, daysLater)
  const year = plan.day.getUTCFullYear()
  const dates = createAffairDates(plan, charter, place)
  const district = random.pick(['Harbor', 'Vista', 'Crossing', 'Meadows', 'Junction', 'Summit'])
  return {
    random,
    charter,
    place,
    corporation: `${charter.name.replace(/ \| | - /g, ' ')} ${random.pick(['Schools, Inc.', 'Education Corporation', 'Public Benefit Corp.'])}`,
    fein: `00-${String(random.int(100, 9999)).padStart(7, '0')}`,
    authorizer: `${place.county} ${district} ${random.pick(['Unified', 'Union High', 'Elementary', 'County Board of Education'])}`,
    domain: `${place.county.toLowerCase().replace(/[^a-z]/g, '')}${district.toLowerCase()}.example`,
    grades: random.pick(['TK-12', 'K-12', '7-12', '9-12', 'TK-8', '6-12']),
    cdsCode: generateCdsCode(random),
    charterNumber: String(random.int(12, 2199)).padStart(4, '0'),
    fundingTerm: `${year - random.int(0, 3)}-${year + random.int(1, 4)}, ${random.pick(['100%', '85%', '70%'])}`,
    dates,
    firstYear: dates.termStartYear - random.pick([5, 5, 3]),
    superintendent: pickFullName(random),
    on,
    person: () => pickFullName(random),
    phone: () => getPhone(random, place),
  }
}
