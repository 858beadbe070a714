import { ACTORS } from './accounts.ts'
import { type AffairRows } from './affair-rows.ts'
import { toUsDay } from './calendar.ts'
import { toCharterRow, generateStudentCounts } from './charter-rows.ts'
import { findClosedBrand, getClosingOfBrand, isOfClosedBrand, ITS_CHARTERS } from './closed-brand.ts'
import type { PlannedCharter, Plan } from './plan.ts'
import { createRandom } from './random.ts'
import type { SampleChange } from './site-changes.ts'

/** Days on which students are counted: each school year's fall and spring. */
const COUNTS = [900, 720, 540, 360, 180]

/** Past student counts, and other changes of a charter. */
export const listCharterChanges = (plan: Plan, charter: PlannedCharter): SampleChange[] => {
  const random = createRandom(plan.seed, 'charter changes', charter.index)
  const key = { _id: charter._id }
  const counts = generateStudentCounts(plan, charter)
  const days = [...COUNTS.map((day) => day + random.int(-9, 9)), random.int(1, 25)]
  const change = (daysAgo: number, by: string, was: SampleChange['was'], becomes: SampleChange['becomes']): SampleChange => ({
    daysAgo,
    by,
    table: 'charter',
    key,
    was,
    becomes,
  })
  const closing = charter.status.startsWith('CLOSED')
    ? isOfClosedBrand(charter)
      ? getClosingOfBrand(plan.day)
      : random.int(40, 400)
    : null
  // A charter that closes has no students from then on.
  const counted = counts
    .slice(1)
    .map((studentCount, turn) => {
      const daysAgo = turn === COUNTS.length && closing !== null ? closing : (days[turn] ?? 1)
      return change(daysAgo, ACTORS.enrollment, { studentCount: counts[turn] }, { studentCount })
    })
    .filter(({ daysAgo }, turn) => daysAgo < charter.founded - 4 && (turn === COUNTS.length || daysAgo > (closing ?? 0)))
  const { charterWebsite } = toCharterRow(plan, charter, null)
  const changes = [...counted]
  if (closing !== null) changes.push(change(closing, ACTORS.founder, { status: 'ACTIVE' }, { status: charter.status }))
  changes.push(...listChangesOfBrand(plan, charter))
  if (random.chance(0.3)) {
    const was = `https://www.${charter.brand.domain}`
    changes.push(change(random.int(30, 600), ACTORS.directory, { charterWebsite: was }, { charterWebsite }))
  }
  return changes
}

/** Past changes of a charter affair: sections change as a whole, and members are replaced. */
export const listAffairChanges = (plan: Plan, charter: PlannedCharter, { affair, members }: AffairRows): SampleChange[] => {
  const random = createRandom(plan.seed, 'affair changes', charter.index)
  const key = { _id: affair._id }
  const on = (daysAgo: number): string => toUsDay(plan.day, -daysAgo)
  const by = ACTORS.affairs
  const { overview, funding, notice_website } = affair
  const changes: SampleChange[] = []
  if (random.chance(0.5)) {
    const was = { ...funding, fy_audit: 'In progress', funding_submission_date: on(500) }
    changes.push({ daysAgo: random.int(150, 450), by, table: 'charter_affair', key, was: { funding: was }, becomes: { funding } })
  }
  if (random.chance(0.4)) {
    const was = { ...notice_website, website_minutes_posting: 'Not checked', website_audio_posting: null }
    changes.push({
      daysAgo: random.int(20, 120),
      by,
      table: 'charter_affair',
      key,
      was: { notice_website: was },
      becomes: { notice_website },
    })
  }
  if (charter.index === 0 || random.chance(0.7)) {
    const meeting = random.int(30, 60)
    const was = { ...overview, next_board_meeting: `${on(meeting - 8)}, 4:00 PM`, notes: null }
    changes.push({ daysAgo: meeting, by, table: 'charter_affair', key, was: { overview: was }, becomes: { overview } })
  }
  const member = members.find(({ charter_voting_position }) => charter_voting_position === 'For')
  if (member) {
    const was = { charter_voting_position: 'Undecided', charter_voting_notes: null }
    const becomes = { charter_voting_position: 'For', charter_voting_notes: member.charter_voting_notes }
    changes.push({ daysAgo: random.int(10, 300), by, table: 'authorizer_board_member', key: { _id: member._id }, was, becomes })
  }
  return changes
}

/** The change of a charter's brand, and of its name. */
const listChangesOfBrand = (plan: Plan, charter: PlannedCharter): SampleChange[] => {
  const brand = findClosedBrand(plan)
  const name = ITS_CHARTERS[charter.abbreviation]
  if (brand === undefined || name === undefined) return []
  const daysAgo = getClosingOfBrand(plan.day) - (isOfClosedBrand(charter) ? 40 : 1)
  const becomes = { brand: charter.brand._id, name: charter.name }
  return [{ daysAgo, by: ACTORS.founder, table: 'charter', key: { _id: charter._id }, was: { brand: brand._id, name }, becomes }]
}

/** The changes of the brand itself. */
export const listClosingOfBrand = (plan: Plan): SampleChange[] => {
  const brand = findClosedBrand(plan)
  if (brand === undefined) return []
  const key = { _id: brand._id }
  const change = { by: ACTORS.founder, table: 'brand', key, was: { status: 'ACTIVE' }, becomes: { status: brand.status } } as const
  return [{ ...change, daysAgo: getClosingOfBrand(plan.day) - 2 }]
}
