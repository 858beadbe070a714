import {
  ACTORS,
  ADMINISTRATORS_SINCE,
  listOfficePeople,
  listOfficePermissions,
  listPeopleWithoutSite,
  chooseSiteAdministrators,
  toSitePermission,
} from './accounts.ts'
import { listActivity } from './activity.ts'
import { toAffairRows, hasAffair } from './affair-rows.ts'
import { pickOfficeHour } from './calendar.ts'
import { listAffairChanges, listCharterChanges } from './charter-changes.ts'
import { toBrandRow, toCharterRow } from './charter-rows.ts'
import { toAffairDeadlines, toCustomDeadlines, toDeadlineSettings } from './deadline-rows.ts'
import { toEnrollmentRow, toProgramRows } from './enrollment-rows.ts'
import { toFacilityRow } from './facility-rows.ts'
import { toHrRows, createUnlistedHrRows, toOfficeHrRows } from './hr-rows.ts'
import { type Employee, getEmployeeName, getPersonId, toPersonRow, type TakenByPeople } from './people.ts'
import { REGION_OF } from './places.ts'
import type { PlannedCharter, PlannedSite, Plan } from './plan.ts'
import { createRandom } from './random.ts'
import { insert, remove, type Row, type Step, update, type Write } from './rows.ts'
import { toSisRows } from './sis-rows.ts'
import { toFirstVersion, type SampleChange, listSiteChanges } from './site-changes.ts'
import { toSiteRow } from './site-rows.ts'
import { listLocalEmployees, getPredecessor, toOfficeStaffRows, toStaffRow, toStaffRows } from './staff-rows.ts'

/** The ids of the network's pictures, by the records that use them. */
export interface PictureKeys {
  readonly facades: readonly string[]
  readonly brands: ReadonlyMap<string, { readonly brandPhoto: string; readonly brandIcon: string }>
  readonly charterPhoto: (charter: PlannedCharter) => string | null
}

/** When people started to manage deadlines: after the last change of an affair's texts. */
const DEADLINES_SINCE = 4

/**
 * The whole history of the network in chronological order: brands, charters with their first sites, later sites, and every change since. The writes
 * of a step are created on demand, once, in this order.
 */
export const buildHistory = (plan: Plan, pictures: PictureKeys, appId: string): Step[] => {
  const people = new People(plan, appId)
  const steps: Step[] = []
  const add = (daysAgo: number, by: string, salt: string, writes: () => readonly Write[], sites = 0): void => {
    steps.push({ at: pickOfficeHour(createRandom(plan.seed, 'hour', daysAgo, salt), plan.day, daysAgo), by, sites, writes })
  }
  const addChange = ({ daysAgo, by, table, key, becomes }: SampleChange): void =>
    add(daysAgo, by, `${table} ${Object.values(key)[0]} ${Object.keys(becomes)[0]}`, () => [update(table, [{ ...key, ...becomes }])])

  add(740, ACTORS.founder, 'office', () => people.office())
  add(737, ACTORS.founder, 'brands', () => [
    insert(
      'brand',
      plan.brands.map((brand) => toBrandRow(brand, pictures.brands.get(brand._id) ?? { brandPhoto: null, brandIcon: null })),
    ),
  ])
  for (const charter of plan.charters) {
    const changes = listCharterChanges(plan, charter)
    const founding = charter.sites.filter(({ entered }) => entered === charter.founded)
    add(
      charter.founded,
      ACTORS.founder,
      charter._id,
      () => [
        insert('charter', [toFirstVersion(toCharterRow(plan, charter, pictures.charterPhoto(charter)), '_id', changes, 'charter')]),
        ...insertSites(plan, founding, pictures, people),
      ],
      founding.length,
    )
    changes.forEach(addChange)
    if (hasAffair(charter)) {
      const rows = toAffairRows(plan, charter)
      const affairChanges = listAffairChanges(plan, charter, rows)
      add(700 - charter.index, ACTORS.affairs, `affair ${charter._id}`, () => [
        insert('charter_affair', [toFirstVersion(rows.affair, '_id', affairChanges, 'charter_affair')]),
        insert(
          'authorizer_board_member',
          rows.members.map((row) => toFirstVersion(row, '_id', affairChanges, 'authorizer_board_member')),
        ),
        insert('center_district', rows.districts.slice(0, 8)),
      ])
      if (rows.districts.length > 8) {
        add(200 + charter.index, ACTORS.affairs, `districts ${charter._id}`, () => [insert('center_district', rows.districts.slice(8))])
      }
      affairChanges.forEach(addChange)
      add(DEADLINES_SINCE, ACTORS.affairs, `deadlines ${charter._id}`, () => [insert('deadline', toAffairDeadlines(plan, charter, rows))])
    }
  }
  for (const site of plan.sites) {
    if (site.entered !== site.charter.founded) {
      add(site.entered, ACTORS.facilities, site._id, () => insertSites(plan, [site], pictures, people), 1)
    }
    listSiteChanges(plan, site).forEach(addChange)
    const leaves = getReplacementDay(plan, site)
    if (leaves !== null) add(leaves, ACTORS.directory, `staff ${site._id}`, () => replaceStaff(plan, site, people))
  }
  add(DEADLINES_SINCE, ACTORS.founder, 'settings', () => [insert('setting', [toDeadlineSettings(plan)])])
  add(DEADLINES_SINCE - 1, ACTORS.affairs, 'custom deadlines', () => [insert('deadline', toCustomDeadlines(plan))])
  add(350, ACTORS.directory, 'between posts', () => people.betweenPosts())
  add(ADMINISTRATORS_SINCE, ACTORS.founder, 'administrators', () => people.permissions())
  add(ADMINISTRATORS_SINCE - 2, ACTORS.founder, 'office staff', () => [insert('site_person', toOfficeStaffRows(plan))])
  steps.push(...listActivity(plan, (person) => people.addressOf(person)))
  steps.sort((a, b) => a.at.getTime() - b.at.getTime())
  return [...steps, createLastStep(plan, people)]
}

/** The last change, at the start of the day: always within the last day, whenever the network is created on that day. */
const createLastStep = (plan: Plan, people: People): Step => ({
  at: plan.day,
  by: ACTORS.founder,
  sites: 0,
  writes: () => [
    ...plan.sites
      .slice(0, 1)
      .map((site) =>
        update('site', [{ _id: site._id, closures: 'Closed this Friday afternoon for the staff meeting. Open again on Monday.' }]),
      ),
    insert('hr_person', createUnlistedHrRows(plan, plan.freeNumber + 40, people.taken.addresses)),
  ],
})

const getReplacementDay = (plan: Plan, site: PlannedSite): number | null => {
  if (site.predecessor === null) return null
  const daysAgo = createRandom(plan.seed, 'leaves', site.index).int(5, 640)
  return Math.min(daysAgo, site.entered - 3) > 2 ? Math.min(daysAgo, site.entered - 3) : null
}

/** Inserts sites with their people, parts, programs and SIS sites. The database adds a facility and an enrollment to each. */
const insertSites = (plan: Plan, sites: readonly PlannedSite[], pictures: PictureKeys, people: People): Write[] => {
  const changes = new Map(sites.map((site) => [site._id, listSiteChanges(plan, site)]))
  const of = (site: PlannedSite): readonly SampleChange[] => changes.get(site._id) ?? []
  return [
    ...sites.flatMap((site) => people.enter(site, of(site))),
    insert(
      'site',
      sites.map((site) => toFirstVersion(toSiteRow(plan, site, pictures.facades), '_id', of(site), 'site')),
    ),
    update(
      'facility',
      sites.map((site) => toFirstVersion(toFacilityRow(plan, site), 'site', of(site), 'facility')),
    ),
    update(
      'enrollment',
      sites.map((site) => toFirstVersion(toEnrollmentRow(plan, site), 'site', of(site), 'enrollment')),
    ),
    insert(
      'site_program_type',
      sites.flatMap((site) => toProgramRows(plan, site)),
    ),
    insert(
      'sis_site',
      sites.flatMap((site) => toSisRows(plan, site).map((row) => toFirstVersion(row, '_id', of(site), 'sis_site'))),
    ),
    insert(
      'site_person',
      sites.flatMap((site) => listFirstStaff(plan, site)),
    ),
  ]
}

/** The staff of a site when it was inserted: a person who has left since, instead of their successor. */
const listFirstStaff = (plan: Plan, site: PlannedSite): Row<'site_person'>[] => {
  const predecessor = getReplacementDay(plan, site) === null ? null : getPredecessor(site)
  if (predecessor === null) return toStaffRows(plan, site)
  const successor = getPersonId(plan.seed, site.firstEmployee)
  return [
    ...(site.local[0] ?? []).map((role) => toStaffRow(plan, site, predecessor, role)),
    ...toStaffRows(plan, site).filter(({ person }) => person !== successor),
  ]
}

const replaceStaff = (plan: Plan, site: PlannedSite, people: People): Write[] => {
  const predecessor = getPredecessor(site)
  const [successor] = listLocalEmployees(site)
  if (predecessor === null || successor === undefined) return []
  const roles = site.local[0] ?? []
  return [
    ...people.add([{ employee: successor, title: roles[0] ?? '' }], []),
    remove(
      'site_person',
      roles.map((role) => toStaffRow(plan, site, predecessor, role)._id),
    ),
    insert(
      'site_person',
      roles.map((role) => toStaffRow(plan, site, successor, role)),
    ),
  ]
}

interface Newcomer {
  readonly employee: Employee
  readonly title: string
}

/** A person's last check of their own record: a third of them, within half a year. */
const planCheckOfPerson = (
  { seed, day }: Pick<Plan, 'seed' | 'day'>,
  { number }: Employee,
): Pick<Row<'person'>, 'checkedAt' | 'checkedBy'> => {
  const random = createRandom(seed, 'check of person', number)
  return random.chance(0.33)
    ? { checkedAt: pickOfficeHour(random, day, random.int(2, 175)), checkedBy: getEmployeeName(seed, number) }
    : { checkedAt: null, checkedBy: null }
}

/** The people of the network as they are inserted: each once, with a unique address and slug. */
class People {
  readonly taken: TakenByPeople = { slugs: new Set(), addresses: new Set() }
  readonly #plan: Plan
  readonly #appId: string
  readonly #entered = new Set<number>()
  readonly #administrators: Set<number>
  readonly #addresses = new Map<string, string | null>()
  readonly #permissions: Row<'permission'>[] = []

  constructor(plan: Plan, appId: string) {
    this.#plan = plan
    this.#appId = appId
    this.#administrators = chooseSiteAdministrators(plan)
  }

  /** The work address of someone who was inserted. */
  addressOf(person: string): string | null | undefined {
    return this.#addresses.get(person)
  }

  office(): Write[] {
    const rows = listOfficePeople(this.#plan, this.taken)
    return [
      insert('person', rows),
      insert('hr_person', toOfficeHrRows(this.#plan, rows)),
      insert('permission', listOfficePermissions(this.#plan, this.#appId)),
    ]
  }

  betweenPosts(): Write[] {
    return this.add(
      listPeopleWithoutSite(this.#plan).map((employee) => ({ employee, title: 'Teacher' })),
      [],
    )
  }

  enter(site: PlannedSite, changes: readonly SampleChange[]): Write[] {
    const replaced = getReplacementDay(this.#plan, site) !== null
    const predecessor = replaced ? getPredecessor(site) : null
    const local = listLocalEmployees(site).map((employee, turn) => ({ employee, title: site.local[turn]?.[0] ?? '' }))
    const first = predecessor === null ? local.slice(0, 1) : [{ employee: predecessor, title: site.local[0]?.[0] ?? '' }]
    const shared = site.shared.map(({ employee, role }) => ({ employee, title: role }))
    return this.add([...shared, ...first, ...local.slice(1)], changes)
  }

  add(newcomers: readonly Newcomer[], changes: readonly SampleChange[]): Write[] {
    const plan = this.#plan
    const people: Row<'person'>[] = []
    const hr: Row<'hr_person'>[] = []
    for (const { employee, title } of newcomers) {
      if (this.#entered.has(employee.number)) continue
      this.#entered.add(employee.number)
      const row = { ...toPersonRow(plan.seed, employee, this.taken), ...planCheckOfPerson(plan, employee) }
      this.#addresses.set(row._id, row.email)
      people.push(toFirstVersion(row, '_id', changes, 'person'))
      const company = plan.brands.find(({ domain }) => domain === employee.domain)?.name ?? ''
      hr.push(...toHrRows(plan, row, title, company, REGION_OF[employee.place.state]))
      if (this.#administrators.has(employee.number)) this.#permissions.push(...toSitePermission(plan, this.#appId, row))
    }
    return [insert('person', people), insert('hr_person', hr)]
  }

  /** The permission records of people at sites. */
  permissions(): Write[] {
    return [insert('permission', this.#permissions)]
  }
}
