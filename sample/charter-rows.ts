import { toSlug } from '../src/contract/slugs.ts'
import { createAffairFacts } from './affair-facts.ts'
import { getPhone } from './people.ts'
import { AREAS, type Place } from './places.ts'
import type { PlannedBrand, PlannedCharter, Plan } from './plan.ts'
import { generateId, createRandom } from './random.ts'
import type { Row } from './rows.ts'

export interface BrandPictures {
  readonly brandPhoto: string | null
  readonly brandIcon: string | null
}

export const toBrandRow = (brand: PlannedBrand, pictures: BrandPictures): Row<'brand'> => ({
  _id: brand._id,
  slug: toSlug(brand.name),
  brandName: brand.name,
  ...pictures,
  websiteUrl: `https://${brand.domain}`,
  EnrollmentsUrl: `https://enroll.${brand.domain}`,
  status: brand.status,
})

const SCHOOL_TYPES = ['Independent Study', 'Home Study', 'Online', 'Learning Center', 'Adult Education'] as const

export const toCharterRow = (plan: Plan, charter: PlannedCharter, photo: string | null): Row<'charter'> => {
  const random = createRandom(plan.seed, 'charter', charter.index)
  const host = `${charter.abbreviation.toLowerCase()}.${charter.brand.domain}`
  const place = charter.sites[0]?.place ?? random.pick<Place>(AREAS[charter.area])
  return {
    _id: charter._id,
    slug: toSlug(charter.name),
    name: charter.name,
    brand: charter.brand._id,
    status: charter.status,
    studentCount: generateStudentCounts(plan, charter).at(-1) ?? null,
    abbreviation: charter.abbreviation,
    schoolTypeUrls: random.some(SCHOOL_TYPES, random.int(0, 3)).map((name) => ({ name, url: `https://${host}/${toSlug(name)}` })),
    photo,
    charterWebsite: `https://${host}`,
    charterContactnumber: random.chance(0.9) ? getPhone(random, place) : null,
    charter_number: null,
    charter_grade_levels: createAffairFacts(plan, charter).grades,
    directory_id: null,
    checkedAt: null,
    checkedBy: null,
  }
}

const COUNTED = 7
/** One charter of this many has lost students from year to year. */
const FALLING = 7

/** The student counts over time, ending with the current one; a pending charter has none. */
export const generateStudentCounts = (plan: Plan, charter: PlannedCharter): number[] => {
  if (charter.status === 'PENDING') return [0]
  const random = createRandom(plan.seed, 'students', charter.index)
  const closed = charter.status.startsWith('CLOSED')
  const now = random.int(60, 260) * Math.max(1, Math.min(charter.sites.length, 40)) + random.int(0, 99)
  const counts: number[] = []
  const least = charter.index % FALLING === 4 ? 1.01 : 0.9
  for (let count = now; counts.length < COUNTED; count = Math.round(count * (least + random.next() * 0.13))) counts.unshift(count)
  return closed ? [...counts.slice(1), 0] : counts
}

export const getAffairId = (plan: Plan, charter: PlannedCharter): string => generateId(plan.seed, 'affair', charter.index)
