import { toUsDay } from './calendar.ts'
import { pickFullName } from './names.ts'
import { getPhone } from './people.ts'
import { AREAS, type Place } from './places.ts'
import type { PlannedCharter, Plan } from './plan.ts'
import { type Random, createRandom } from './random.ts'

/** What several sections of a charter affair say alike. */
export interface AffairFacts {
  readonly random: Random
  readonly charter: PlannedCharter
  readonly place: Place
  readonly corporation: string
  readonly fein: string
  readonly authorizer: string
  /** Of the authorizer's own. */
  readonly domain: string
  readonly grades: string
  readonly cdsCode: string
  readonly charterNumber: string
  readonly fundingTerm: string
  readonly fundingExpires: string
  readonly fundingSubmission: string
  readonly audit: string
  readonly expires: string
  readonly firstYear: number
  readonly termYears: number
  readonly superintendent: string
  /** A day as people type it, so many days from the day of the network. */
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
  const firstYear = year - random.int(3, 19)
  const termYears = random.pick([5, 5, 5, 7, 3])
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
    fundingTerm: `${year - random.int(0, 3)}-${year + random.int(1, 4)}, ${random.pick(['100 %', '85 %', '70 %'])}`,
    fundingExpires: on(random.int(-60, 1200)),
    fundingSubmission: on(random.int(-200, 400)),
    audit: `FY ${year - 2}-${String(year - 1).slice(2)}: ${random.pick(['no findings', 'one finding, attendance records of one site', 'filed with the county, no findings', 'extension granted'])}`,
    expires: on(random.int(60, 1800)),
    firstYear,
    termYears,
    superintendent: pickFullName(random),
    on,
    person: () => pickFullName(random),
    phone: () => getPhone(random, place),
  }
}
