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
import { listAnsweredSteps } from './answered-requests.ts'
import { pickOfficeHour } from './calendar.ts'
import { listAffairChanges, listCharterChanges, listClosingOfBrand } from './charter-changes.ts'
import { toBrandRow, toCharterRow } from './charter-rows.ts'
import { planHandling, toAffairDeadlines, toCustomDeadlines, toDeadlineSettings } from './deadline-rows.ts'
import { toEnrollmentRow, toProgramRows } from './enrollment-rows.ts'
import { toFacilityRow } from './facility-rows.ts'
import { toHrRows, createUnlistedHrRows, toOfficeHrRows } from './hr-rows.ts'
import { type Employee, getPersonId, planCheckOfPerson, toPersonRow, type TakenByPeople } from './people.ts'
import { REGION_OF } from './places.ts'
import { BEGAN, type PlannedCharter, type PlannedSite, type Plan } from './plan.ts'
import { createRandom } from './random.ts'
import { insert, remove, type Row, type Step, update, type Write } from './rows.ts'
import { toSisRows } from './sis-rows.ts'
import { toFirstVersion, type SampleChange, listSiteChanges } from './site-changes.ts'
import { listCheckSteps, toUncheckedSiteRow } from './site-checks.ts'
import { planStaffHistory, toFormerPersonRow } from './staff-history.ts'
import { listLocalEmployees, toOfficeStaffRows, toStaffRow, toStaffRows } from './staff-rows.ts'

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
  const add = (daysAgo: number, by: string, salt: string, writes: (at: Date) => readonly Write[], sites = 0): void => {
    const at = pickOfficeHour(createRandom(plan.seed, 'hour', daysAgo, salt), plan.day, daysAgo)
    steps.push({ at, by, sites, writes: () => writes(at) })
  }
  const changes = [...listClosingOfBrand(plan), ...plan.sites.flatMap((site) => listSiteChanges(plan, site))]

  add(BEGAN + 10, ACTORS.founder, 'office', () => people.office())
  add(BEGAN + 7, ACTORS.founder, 'brands', () => [
    insert(
      'brand',
      plan.brands.map((brand) =>
        toFirstVersion(
          toBrandRow(brand, pictures.brands.get(brand._id) ?? { brandPhoto: null, brandIcon: null }),
          '_id',
          listClosingOfBrand(plan),
          'brand',
        ),
      ),
    ),
  ])
  for (const charter of plan.charters) {
    const charterChanges = listCharterChanges(plan, charter)
    const founding = charter.sites.filter(({ entered }) => entered === charter.founded)
    add(
      charter.founded,
      ACTORS.founder,
      charter._id,
      () => [
        insert('charter', [toFirstVersion(toCharterRow(plan, charter, pictures.charterPhoto(charter)), '_id', charterChanges, 'charter')]),
        ...insertSites(plan, founding, pictures, people),
      ],
      founding.length,
    )
    changes.push(...charterChanges)
    if (hasAffair(charter)) {
      const rows = toAffairRows(plan, charter)
      const affairChanges = listAffairChanges(plan, charter, rows)
      const affairSince = 700 - charter.index
      add(affairSince, ACTORS.affairs, `affair ${charter._id}`, () => [
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
      changes.push(...affairChanges)
      const entered: Row<'deadline'>[] = []
      for (const row of toAffairDeadlines(plan, charter, rows)) {
        const { _id, note } = row
        const handling = planHandling(plan, row, affairSince)
        if (handling === null) entered.push(row)
        else add(handling.since, ACTORS.affairs, _id, () => [insert('deadline', [{ ...row, state: 'open', note: null }])])
        if (handling && handling.handled !== null)
          add(handling.handled, ACTORS.affairs, _id, () => [update('deadline', [{ _id, state: 'handled', note }])])
      }
      add(DEADLINES_SINCE, ACTORS.affairs, `deadlines ${charter._id}`, () => [insert('deadline', entered)])
    }
  }
  const later = plan.sites.filter(({ entered, charter }) => entered !== charter.founded)
  for (const [entered, sites] of Map.groupBy(later, (site) => site.entered))
    add(entered, ACTORS.facilities, 'sites', () => insertSites(plan, sites, pictures, people), sites.length)
  for (const [daysAgo, ofStaff] of Map.groupBy(listStaffChanges(plan), (change) => change.daysAgo))
    add(daysAgo, ACTORS.directory, 'staff', (at) => toStaffWrites(plan, ofStaff, at, people))
  for (const [salt, ofDay] of Map.groupBy(changes, ({ daysAgo, by }) => `${daysAgo} ${by}`)) {
    const [{ daysAgo, by }] = ofDay as [SampleChange]
    add(daysAgo, by, salt, () => toWrites(ofDay))
  }
  steps.push(...listCheckSteps(plan), ...listAnsweredSteps(plan))
  add(DEADLINES_SINCE, ACTORS.founder, 'settings', () => [insert('setting', [toDeadlineSettings(plan)])])
  add(DEADLINES_SINCE - 1, ACTORS.affairs, 'custom deadlines', () => [insert('deadline', toCustomDeadlines(plan))])
  add(350, ACTORS.directory, 'between posts', () => people.betweenPosts())
  add(ADMINISTRATORS_SINCE, ACTORS.founder, 'administrators', () => people.permissions())
  add(ADMINISTRATORS_SINCE - 2, ACTORS.founder, 'office staff', () => [insert('site_person', toOfficeStaffRows(plan))])
  steps.push(...listActivity(plan, (person) => people.addressOf(person)))
  steps.sort((a, b) => a.at.getTime() - b.at.getTime())
  return [...steps, createLastStep(plan, people)]
}

/** One write for all changes of the same columns. */
const toWrites = (changes: readonly SampleChange[]): Write[] => {
  const groups = Map.groupBy(changes, ({ table, becomes }) => [table, ...Object.keys(becomes)].join(' '))
  return [...groups.values()].map((group) =>
    update(
      (group[0] as SampleChange).table,
      group.map(({ key, becomes }) => ({ ...key, ...becomes })),
    ),
  )
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
    people.hr(),
  ],
})

/** Inserts sites with their people, parts, programs and SIS sites. The database adds a facility and an enrollment to each. */
const insertSites = (plan: Plan, sites: readonly PlannedSite[], pictures: PictureKeys, people: People): Write[] => {
  const changes = new Map(sites.map((site) => [site._id, listSiteChanges(plan, site)]))
  const of = (site: PlannedSite): readonly SampleChange[] => changes.get(site._id) ?? []
  return [
    ...people.enter(sites, of),
    insert(
      'site',
      sites.map((site) => toFirstVersion(toUncheckedSiteRow(plan, site, pictures.facades), '_id', of(site), 'site')),
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

/** The staff of a site on the day it was inserted: also people who have left since, and no one who came later. */
const listFirstStaff = (plan: Plan, site: PlannedSite): Row<'site_person'>[] => {
  const { starts, former } = planStaffHistory(plan, site)
  const later = new Set([...starts.keys()].map((turn) => getPersonId(plan.seed, site.firstEmployee + turn)))
  return [
    ...former
      .filter(({ from }) => from === site.entered)
      .flatMap(({ employee, roles }) => roles.map((role) => toStaffRow(plan, site, employee, role))),
    ...toStaffRows(plan, site).filter(({ person }) => !later.has(person)),
  ]
}

/** Positions that someone got or gave up. */
interface StaffChange {
  readonly daysAgo: number
  readonly site: PlannedSite
  readonly employee: Employee
  readonly roles: readonly string[]
  readonly change: 'starts' | 'ends'
  readonly hasLeft: boolean
}

/** All later changes of the staff of sites. */
const listStaffChanges = (plan: Plan): StaffChange[] =>
  plan.sites.flatMap((site) => {
    const { starts, former, transfers } = planStaffHistory(plan, site)
    const local = listLocalEmployees(site)
    const toChange = (turn: number, at: PlannedSite, change: StaffChange['change'], daysAgo: number): StaffChange => ({
      daysAgo,
      site: at,
      employee: local[turn] as Employee,
      roles: site.local[turn] ?? [],
      change,
      hasLeft: false,
    })
    return [
      ...[...starts].map(([turn, daysAgo]) => toChange(turn, site, 'starts', daysAgo)),
      ...transfers.flatMap(({ turn, site: other, from, until }) => [
        toChange(turn, other, 'starts', from),
        toChange(turn, other, 'ends', until),
      ]),
      ...former.flatMap(({ from, until, ...one }): StaffChange[] => {
        const position = { ...one, site }
        const start = from === site.entered ? [] : [{ ...position, daysAgo: from, change: 'starts' as const }]
        return [...start, { ...position, daysAgo: until, change: 'ends' }]
      }),
    ]
  })

const toStaffWrites = (plan: Plan, changes: readonly StaffChange[], at: Date, people: People): Write[] => {
  const of = (change: StaffChange['change']) => changes.filter((one) => one.change === change)
  const toRows = (list: readonly StaffChange[]) =>
    list.flatMap(({ site, employee, roles }) => roles.map((role) => toStaffRow(plan, site, employee, role)))
  const former = changes.filter(({ hasLeft }) => hasLeft)
  return [
    remove(
      'site_person',
      toRows(of('ends')).map(({ _id }) => _id),
    ),
    {
      table: 'person',
      action: 'update',
      rows: former
        .filter(({ change }) => change === 'ends')
        .map(({ employee }) => ({
          _id: getPersonId(plan.seed, employee.number),
          archivedAt: at,
          archivedReason: 'Has left the network.',
        })),
    },
    insert(
      'person',
      former.filter(({ change }) => change === 'starts').map(({ employee }) => toFormerPersonRow(plan, employee)),
    ),
    ...people.add(
      changes
        .filter(({ hasLeft, change }) => !hasLeft && change === 'starts')
        .map(({ employee, roles }) => ({ employee, title: roles[0] ?? '' })),
      [],
    ),
    insert('site_person', toRows(of('starts'))),
  ]
}

interface Newcomer {
  readonly employee: Employee
  readonly title: string
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
  readonly #hr: Row<'hr_person'>[] = []

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
    this.#hr.push(...toOfficeHrRows(this.#plan, rows))
    return [insert('person', rows), insert('permission', listOfficePermissions(this.#plan, this.#appId))]
  }

  betweenPosts(): Write[] {
    return this.add(
      listPeopleWithoutSite(this.#plan).map((employee) => ({ employee, title: 'Teacher' })),
      [],
    )
  }

  enter(sites: readonly PlannedSite[], changesOf: (site: PlannedSite) => readonly SampleChange[]): Write[] {
    const plan = this.#plan
    const hasLeft: Employee[] = []
    const newcomers = sites.flatMap((site) => {
      const { starts, former } = planStaffHistory(plan, site)
      const first = former.filter(({ from }) => from === site.entered)
      hasLeft.push(...first.flatMap((one) => (one.hasLeft ? [one.employee] : [])))
      return [
        ...site.shared.map(({ employee, role }) => ({ employee, title: role })),
        ...first.flatMap((one) => (one.hasLeft ? [] : [{ employee: one.employee, title: one.roles[0] ?? '' }])),
        ...listLocalEmployees(site).flatMap((employee, turn) =>
          starts.has(turn) ? [] : [{ employee, title: site.local[turn]?.[0] ?? '' }],
        ),
      ]
    })
    return [
      ...this.add(newcomers, sites.flatMap(changesOf)),
      insert(
        'person',
        hasLeft.map((employee) => toFormerPersonRow(plan, employee)),
      ),
    ]
  }

  add(newcomers: readonly Newcomer[], changes: readonly SampleChange[]): Write[] {
    const plan = this.#plan
    const people: Row<'person'>[] = []
    for (const { employee, title } of newcomers) {
      if (this.#entered.has(employee.number)) continue
      this.#entered.add(employee.number)
      const row = { ...toPersonRow(plan.seed, employee, this.taken), ...planCheckOfPerson(plan, employee) }
      this.#addresses.set(row._id, row.email)
      people.push(toFirstVersion(row, '_id', changes, 'person'))
      const company = plan.brands.find(({ domain }) => domain === employee.domain)?.name ?? ''
      this.#hr.push(...toHrRows(plan, row, title, company, REGION_OF[employee.place.state]))
      if (this.#administrators.has(employee.number)) this.#permissions.push(...toSitePermission(plan, this.#appId, row))
    }
    return [insert('person', people)]
  }

  /** The HR source, which has no history. */
  hr(): Write {
    return insert('hr_person', [...this.#hr, ...createUnlistedHrRows(this.#plan, this.#plan.freeNumber + 40, this.taken.addresses)])
  }

  /** The permission records of people at sites. */
  permissions(): Write[] {
    return [insert('permission', this.#permissions)]
  }
}
