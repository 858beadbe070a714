import { ORIENTATION_DAYS } from '../src/records/enrollment/fields.ts'
import { toIsoDay } from './calendar.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { generateId, type Random, createRandom } from './random.ts'
import type { Row } from './rows.ts'

const ABOUT = [
  'We serve students from transitional kindergarten to grade 12 who learn better at their own pace, with a credentialed teacher for each family.',
  'Independent study with one-on-one appointments, small-group instruction and a full resource center.',
  'A second start for students who are behind in credits: one subject at a time, a plan for every student, and no waiting list.',
  'Families teach at home; our teachers plan with them, lend the books and meet every twenty days.',
]
const MORE = [
  'Bring proof of address, immunization records and the latest transcript. We can copy them here.',
  'Spanish, Hmong and Arabic are spoken at the front desk. An interpreter for other languages can be arranged with three days of notice.',
  'Enrollment is open all year. Students with an IEP are welcome; our SPED team calls within two school days.',
  'Chromebooks and hotspots are lent for the school year at no cost.\nLost ones are reported to the front desk, not to the teacher.',
]
const MORNINGS = ['08:30AM', '09:00AM', '10:00AM', '10:30AM']
const MORNING_ENDS = ['11:00AM', '11:30AM', '12:00PM', '12:30PM']
const AFTERNOONS = ['01:00PM', '02:00PM', '04:30PM', '05:30PM']
const AFTERNOON_ENDS = ['06:00PM', '06:30PM', '07:00PM', '08:30PM']

const session = (random: Random): { start_time: string; end_time: string } =>
  random.chance(0.6)
    ? { start_time: random.pick(MORNINGS), end_time: random.pick(MORNING_ENDS) }
    : { start_time: random.pick(AFTERNOONS), end_time: random.pick(AFTERNOON_ENDS) }

/** Days without Sundays, sorted. */
const dates = (random: Random, day: Date, count: number, first: number, last: number): string[] =>
  [...new Set(Array.from({ length: count }, () => toIsoDay(day, random.int(first, last))))]
    .filter((date) => new Date(date).getUTCDay() !== 0)
    .toSorted()

export const toEnrollmentRow = (plan: Plan, site: PlannedSite): Row<'enrollment'> => {
  const random = createRandom(plan.seed, 'enrollment', site.index)
  const { place, charter, category } = site
  const enrolls = category !== 'Distribution Center' && category !== 'Administrative Office' && !site.status.startsWith('CLOSED')
  const box = (name: string): string => `${name}@${charter.brand.domain}`
  const city = place.city.toLowerCase().replaceAll(' ', '')
  const recurring = enrolls && random.chance(0.55) ? random.some(ORIENTATION_DAYS, random.int(1, 3)) : []
  return {
    site: site._id,
    about: enrolls && random.chance(0.85) ? random.pick(ABOUT) : null,
    moreAbout: enrolls && random.chance(0.5) ? random.some(MORE, random.int(1, 2)).join(' ') : null,
    registrationEmail: enrolls ? [box(`enroll.${city}`), ...(random.chance(0.4) ? [box('registrar')] : [])] : [],
    interestEmail: enrolls && random.chance(0.8) ? [box(`info.${city}`), ...(random.chance(0.2) ? [box('outreach'), box('enrollment')] : [])] : [],
    primaryEmailstatus: enrolls && random.chance(0.8) ? 'Yes' : 'No',
    addtionalEmailstatus: enrolls && random.chance(0.35) ? 'Yes' : 'No',
    virtual_orientation_link: enrolls && random.chance(0.6) ? `https://${charter.brand.domain}/orientation/${city}` : null,
    selected_dates: enrolls && random.chance(0.5) ? dates(random, plan.day, random.int(1, 4), 3, 120).map((date) => ({ date, ...session(random) })) : [],
    recurring_dates: Object.fromEntries(
      ORIENTATION_DAYS.map((day) => [day, recurring.includes(day) ? { set: true, ...session(random) } : { set: false, start_time: '', end_time: '' }]),
    ),
    blackout_dates: enrolls && random.chance(0.45) ? dates(random, plan.day, random.int(1, 6), 3, 240) : [],
  } // prettier-ignore
}

/** The programs of a site, chosen from the program types that the migrations insert. */
export const toProgramRows = (plan: Plan, site: PlannedSite): Row<'site_program_type'>[] => {
  const random = createRandom(plan.seed, 'programs', site.index)
  if (site.category === 'Distribution Center' || site.category === 'Administrative Office') return []
  return random.some([...plan.known.programType], random.int(site.status === 'PENDING' ? 0 : 1, 5)).map(([name, program_type]) => ({
    _id: generateId(plan.seed, 'program', site.index, name),
    site: site._id,
    program_type,
  }))
}
