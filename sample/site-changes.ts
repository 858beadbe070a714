import { ACTORS } from './accounts.ts'
import { DAY, toIsoDay } from './calendar.ts'
import { getClosingOfBrand, isOfClosedBrand } from './closed-brand.ts'
import { toEnrollmentRow } from './enrollment-rows.ts'
import { toFacilityRow } from './facility-rows.ts'
import { getPersonId, getPhone, getSiteFax } from './people.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { type Random, createRandom } from './random.ts'
import type { Row, SampleTable } from './rows.ts'
import { toSisRows } from './sis-rows.ts'
import { toSiteRow } from './site-rows.ts'

/** A change of one record: its earlier and later values. */
export interface SampleChange {
  readonly daysAgo: number
  readonly by: string
  readonly table: SampleTable
  readonly key: { readonly _id: string } | { readonly site: string }
  readonly was: Readonly<Record<string, unknown>>
  readonly becomes: Readonly<Record<string, unknown>>
}

type Kind = (random: Random, plan: Plan, site: PlannedSite) => Omit<SampleChange, 'daysAgo'> | null

/** The earlier values of a site's record; two kinds of change must not use the same field. */
const ofSite =
  <F extends keyof Row<'site'>>(
    by: string,
    was: (random: Random, row: Row<'site'>, site: PlannedSite) => Pick<Row<'site'>, F> | null,
  ): Kind =>
  (random, plan, site) => {
    const row = toSiteRow(plan, site, [])
    const before = was(random, row, site)
    return before === null ? null : { by, table: 'site', key: { _id: site._id }, was: before, becomes: sameFields(before, row) }
  }

const ofPart =
  <T extends 'facility' | 'enrollment'>(
    table: T,
    by: string,
    rowOf: (plan: Plan, site: PlannedSite) => Row<T>,
    was: (random: Random, row: Row<T>, plan: Plan) => Partial<Row<T>> | null,
  ): Kind =>
  (random, plan, site) => {
    const row = rowOf(plan, site)
    const before = was(random, row, plan)
    return before === null ? null : { by, table, key: { site: site._id }, was: before, becomes: sameFields(before, row) }
  }

const sameFields = (fields: object, row: object): Record<string, unknown> => {
  const values = new Map(Object.entries(row))
  return Object.fromEntries(Object.keys(fields).map((field) => [field, values.get(field)]))
}

/** The rent before an increase by a few percent. */
const reduceRent = (random: Random, rent: string): string =>
  rent.replace(/[\d,]+(?=\.)/, (amount) =>
    Math.round((Number(amount.replaceAll(',', '')) * (93 + random.int(0, 4))) / 100).toLocaleString('en-US'),
  )

const KINDS: readonly Kind[] = [
  ofSite(ACTORS.directory, (random, row, { place }) => ({
    phone: row.phone === null || random.chance(0.85) ? getPhone(random, place) : null,
  })),
  ofSite(ACTORS.directory, (random, row, { place }) => ({
    fax: random.chance(0.5) || row.fax === null ? getSiteFax(random, place) : null,
  })),
  ofSite(ACTORS.founder, (random, row) =>
    row.start_time === null
      ? null
      : { start_time: random.pick(['7:30AM', '8:00AM', '9:30AM']), end_time: random.pick(['3:00PM', '4:30PM', '6:30PM']) },
  ),
  ofSite(ACTORS.directory, (_, row) => (row.description === null ? null : { description: null })),
  ofSite(ACTORS.facilities, (_, row) => (row.closures === null ? null : { closures: null })),
  ofSite(ACTORS.facilities, (_, row) => (row.finance_id === null ? null : { finance_id: null })),
  ofSite(ACTORS.facilities, (_, row) => (row.address_2 === null ? null : { address_2: 'Suite A' })),
  ofPart('facility', ACTORS.facilities, toFacilityRow, (random, row) =>
    row.base_rent === null ? null : { base_rent: reduceRent(random, row.base_rent) },
  ),
  ofPart('facility', ACTORS.facilities, toFacilityRow, (_, row) =>
    row.fac_notes === null ? null : { fac_notes: row.fac_notes.split('\n').slice(1).join('\n') || null },
  ),
  ofPart('facility', ACTORS.facilities, toFacilityRow, (random, row, { day }) =>
    row.lease_end === null ? null : { lease_end: toIsoDay(day, random.int(20, 300)), leaseTerm: '3 years', option_renew: null },
  ),
  ofPart('enrollment', ACTORS.enrollment, toEnrollmentRow, (_, row) => (row.about === null ? null : { about: null })),
  ofPart('enrollment', ACTORS.enrollment, toEnrollmentRow, (_, row) => (row.blackout_dates.length === 0 ? null : { blackout_dates: [] })),
  ofPart('enrollment', ACTORS.enrollment, toEnrollmentRow, (_, row) => (row.selected_dates.length === 0 ? null : { selected_dates: [] })),
  ofPart('enrollment', ACTORS.enrollment, toEnrollmentRow, (_, row) =>
    row.registrationEmail.length < 2 ? null : { registrationEmail: row.registrationEmail.slice(0, 1) },
  ),
  (random, plan, site) => {
    const sis = toSisRows(plan, site).find(({ status }) => !status)
    return sis === undefined || random.chance(0.3)
      ? null
      : {
          by: ACTORS.sis,
          table: 'sis_site',
          key: { _id: sis._id },
          was: { status: true, activeSite: true, inactiveDate: null },
          becomes: sameFields({ status: true, activeSite: true, inactiveDate: null }, sis),
        }
  },
]

/** The days on which the whole directory was reviewed; most changes are close to one of them. */
const WAVES = [1010, 930, 845, 760, 690, 612, 548, 452, 371, 362, 290, 236, 181, 128, 92, 61, 33, 18, 11]
/** The share of sites changed in the last days; well under half. */
const RECENT = 0.09

const days = (random: Random, entered: number): number[] => {
  const wanted = random.pick([0, 0, 0, 1, 1, 1, 2, 2, 3, 4])
  const waves = Array.from({ length: wanted }, () => random.pick(WAVES) + random.int(-3, 3))
  return [...waves, ...(random.chance(RECENT) ? [random.int(0, 4)] : [])].filter((daysAgo) => daysAgo <= entered - 4)
}

/** The earlier status of a site: a closed one was open, some open ones were announced. */
const statusChange = (random: Random, { day }: Plan, site: PlannedSite): SampleChange | null => {
  const { status, entered } = site
  const change = (was: string, daysAgo: number, by: string): SampleChange | null =>
    daysAgo > entered - 4 ? null : { daysAgo, by, table: 'site', key: { _id: site._id }, was: { status: was }, becomes: { status } }
  if (status.startsWith('CLOSED')) {
    const daysAgo = random.int(9, 650)
    return change('ACTIVE', isOfClosedBrand(site.charter) ? getClosingOfBrand(day) : daysAgo, ACTORS.founder)
  }
  if (status === 'ACTIVE - TEMPORARY') return change('ACTIVE', random.int(9, 300), ACTORS.facilities)
  const opened = Math.max(Math.floor(entered / 2), entered - random.int(35, 170))
  return status === 'ACTIVE' && entered < site.charter.founded ? change('PENDING', opened, ACTORS.facilities) : null
}

const phoneChange = (random: Random, plan: Plan, site: PlannedSite): SampleChange | null => {
  if (site.local.length < 2 || !random.chance(0.15)) return null
  const daysAgo = random.int(8, 500)
  if (daysAgo > site.entered - 4) return null
  const key = { _id: getPersonId(plan.seed, site.firstEmployee + 1) }
  return {
    daysAgo,
    by: ACTORS.directory,
    table: 'person',
    key,
    was: { phone: getPhone(random, site.place) },
    becomes: { phone: getPhone(random, site.place) },
  }
}

/** A lease that was renewed when it ended: with other dates, and a lower rent until then. */
const renewal = (random: Random, plan: Plan, site: PlannedSite, edits: readonly SampleChange[]): SampleChange | null => {
  const { lease_start, lease_end, base_rent } = toFacilityRow(plan, site)
  if (lease_start === null || !random.chance(0.6)) return null
  if (edits.some(({ was }) => 'lease_end' in was || 'base_rent' in was)) return null
  const started = Math.round((plan.day.getTime() - Date.parse(lease_start)) / DAY)
  const daysAgo = started + random.int(20, 90)
  if (daysAgo > site.entered - 10) return null
  const was = {
    lease_start: toIsoDay(plan.day, -started - random.pick([1095, 1095, 1826])),
    lease_end: toIsoDay(plan.day, -started - 1),
    lease_end_open: false,
    base_rent: base_rent === null ? null : reduceRent(random, base_rent),
  }
  const becomes = { lease_start, lease_end, lease_end_open: toFacilityRow(plan, site).lease_end_open, base_rent }
  return { daysAgo, by: ACTORS.facilities, table: 'facility', key: { site: site._id }, was, becomes }
}

/** All later changes of a site, its parts and its people, ending with the present values. */
export const listSiteChanges = (plan: Plan, site: PlannedSite): SampleChange[] => {
  const random = createRandom(plan.seed, 'changes', site.index)
  const when = days(random, site.entered)
  const edits: SampleChange[] = []
  for (const kind of when.length === 0 ? [] : random.shuffled(KINDS)) {
    const daysAgo = when[edits.length]
    if (daysAgo === undefined) break
    const edit = kind(random, plan, site)
    if (edit !== null) edits.push({ ...edit, daysAgo })
  }
  const others = [
    statusChange(random, plan, site),
    phoneChange(random, plan, site),
    renewal(createRandom(plan.seed, 'lease', site.index), plan, site, edits),
  ]
  return others.filter((change) => change !== null).concat(edits)
}

/** A record as it was first entered: the present one with later changes reverted, the last of them first. */
export const toFirstVersion = <R extends object>(row: R, key: keyof R, changes: readonly SampleChange[], table: SampleTable): R => {
  const own = changes.filter((change) => change.table === table && Object.values(change.key)[0] === row[key])
  return own.toSorted((a, b) => a.daysAgo - b.daysAgo).reduce((entered, { was }) => ({ ...entered, ...was }), row)
}
