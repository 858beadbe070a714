import { toIsoDay } from './calendar.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { generateId, createRandom } from './random.ts'
import type { Row } from './rows.ts'

const KINDS = ['Home Study', 'Summer', 'Online', 'Intersession', 'Adult', 'SPED'] as const
const TYPES = ['Independent Study', 'Classroom', 'Home Study', 'Online', 'Summer', 'Special Education', 'Adult']

/** The records of a site in the student information system: up to four. */
export const toSisRows = (plan: Plan, site: PlannedSite): Row<'sis_site'>[] => {
  const random = createRandom(plan.seed, 'sis', site.index)
  const most = site.category === 'Distribution Center' ? 0 : site.status === 'PENDING' ? 1 : 4
  const count = Math.min(most, random.pick([0, 1, 1, 1, 2, 2, 3, 4]))
  const kinds = count === 0 ? [] : [null, ...random.some(KINDS, count - 1)]
  return kinds.map((kind, turn) => {
    const open = site.status.startsWith('ACTIVE') && random.chance(0.88)
    const since = random.int(90, 2600)
    return {
      _id: generateId(plan.seed, 'sis', site.index, turn),
      site: site._id,
      name: `${site.place.city} ${site.charter.abbreviation}${kind === null ? '' : ` - ${kind}`}`,
      sislc_id: String(400 + site.index * 5 + turn).padStart(6, '0'),
      charterId: random.chance(0.9) ? String(40 + site.charter.index).padStart(4, '0') : null,
      charterName: random.chance(0.9) ? site.charter.name : null,
      status: open,
      activeDate: random.chance(0.9) ? toIsoDay(plan.day, -since) : null,
      inactiveDate: open ? null : toIsoDay(plan.day, -random.int(5, since)),
      type_array: random.some(TYPES, random.int(0, 3)),
      siteId: random.chance(0.95) ? String(7000 + site.index * 5 + turn) : null,
      summer_district: kind === 'Summer' || random.chance(0.1),
      intersession: kind === 'Intersession' || random.chance(0.2),
      home_study: kind === 'Home Study' || random.chance(0.3),
      nonAdaStudents: random.chance(0.15),
      online_education: site.category === 'Online' || kind === 'Online' || random.chance(0.15),
      activeSite: open,
      sgi: random.chance(0.4),
      homeSiteId: turn === 0 ? null : String(7000 + site.index * 5),
    }
  })
}
