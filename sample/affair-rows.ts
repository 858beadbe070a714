import { createBoardTerm } from './affair-dates.ts'
import { type AffairFacts, createAffairFacts } from './affair-facts.ts'
import { createOverview } from './affair-overview.ts'
import { createFunding, createMou, createNotice, createNumbers, createTerms } from './affair-sections.ts'
import { getAffairId } from './charter-rows.ts'
import { AREAS } from './places.ts'
import type { PlannedCharter, Plan } from './plan.ts'
import { createRandom, generateId, type Random } from './random.ts'
import type { Row } from './rows.ts'

export interface AffairRows {
  readonly affair: Row<'charter_affair'>
  readonly members: readonly Row<'authorizer_board_member'>[]
  readonly districts: readonly Row<'center_district'>[]
}

/** Most charters have an affair record; the first has every field filled, the others omit some. */
export const hasAffair = (charter: PlannedCharter): boolean => charter.index % 8 !== 5

const POSITIONS = [
  'President',
  'Vice President',
  'Clerk',
  'Member',
  'Member',
  'Member',
  'Member',
  'Student member, no vote',
  'Area 4 trustee',
]
const VOTING_NOTES = [
  'Voted for the renewal; asks about graduation rate every time.',
  'New since the last election. Was a teacher in the district for 22 years and is wary of non-classroom programs; has accepted an invitation to see a site.',
  'Absent from two of the last three charter votes.',
  null,
]
const DISTRICT_NOTES = ['Notice letter sent by registered mail.', 'Within the authorizer’s boundary since the annexation.', 'Lease approved before AB 1507; may stay until the charter is renewed.', null] // prettier-ignore

const omitRandomly = (random: Random, chance: number, section: Record<string, string | null>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(section).map(([field, value]) => [field, random.chance(chance) ? null : value]))

const toMemberRows = (plan: Plan, affair: string, facts: AffairFacts): Row<'authorizer_board_member'>[] => {
  const { random, person } = facts
  const count = facts.charter.index === 0 ? 5 : random.int(0, 9)
  return Array.from({ length: count }, (_, turn) => ({
    _id: generateId(plan.seed, 'member', facts.charter.index, turn),
    charter_affair: affair,
    authorizer: facts.authorizer,
    board_member_name: person(),
    board_position: POSITIONS[turn] ?? 'Member',
    board_term: createBoardTerm(plan, facts.charter, turn),
    charter_voting_position: random.pick(['For', 'Against', 'Undecided', 'Leans for', null]),
    charter_voting_notes: random.pick(VOTING_NOTES),
  }))
}

const toDistrictRows = (plan: Plan, affair: string, facts: AffairFacts): Row<'center_district'>[] => {
  const { charter } = facts
  const random = createRandom(plan.seed, 'districts', charter.index)
  const count = charter.index === 0 ? 9 : random.int(0, 12)
  return Array.from({ length: count }, (_, turn) => {
    const place = charter.sites[turn]?.place ?? random.pick(AREAS[charter.area])
    return {
      _id: generateId(plan.seed, 'district', charter.index, turn),
      charter_affair: affair,
      corp: facts.corporation,
      center_name: charter.sites[turn]?.displayName ?? `${place.city} learning center`,
      center_locations: `${place.city}, ${place.state} ${place.zip}`,
      county: place.county,
      area_sup: facts.superintendent,
      high_school_district: random.chance(0.9) ? `${place.city} Joint Union High` : null,
      elementary_district: random.chance(0.8) ? `${place.city} Elementary` : null,
      out_of_county_center: place.county === facts.place.county ? 'No' : 'Yes',
      notes: random.pick(DISTRICT_NOTES),
    }
  })
}

export const toAffairRows = (plan: Plan, charter: PlannedCharter): AffairRows => {
  const facts = createAffairFacts(plan, charter)
  const _id = getAffairId(plan, charter)
  const chance = charter.index === 0 ? 0 : charter.index % 11 === 4 ? 0.7 : 0.12
  const some = (section: Record<string, string | null>): Record<string, string | null> => omitRandomly(facts.random, chance, section)
  return {
    affair: {
      _id,
      charter: charter._id,
      overview: some(createOverview(facts)),
      charter_terms: some(createTerms(facts)),
      charter_no_cds: some(createNumbers(facts)),
      funding: some(createFunding(facts)),
      mou: some(createMou(facts)),
      notice_website: some(createNotice(facts)),
    },
    members: toMemberRows(plan, _id, facts),
    districts: toDistrictRows(plan, _id, facts),
  }
}
