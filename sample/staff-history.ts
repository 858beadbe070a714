import { memoize } from '../src/contract/memoize.ts'
import { toSlug } from '../src/contract/slugs.ts'
import { DAY, toWeek } from './calendar.ts'
import { type Employee, getEmployeeName, getPersonId, getPhone, planCheckOfPerson } from './people.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { createRandom, type Random } from './random.ts'
import type { Row } from './rows.ts'
import { listSiteChanges } from './site-changes.ts'
import { toSiteRow } from './site-rows.ts'
import { getPredecessor } from './staff-rows.ts'

/** Someone who does not work at a site any more. Days are counted back from the present. */
export interface FormerEmployee {
  readonly employee: Employee
  readonly roles: readonly string[]
  readonly from: number
  readonly until: number
  /** They work nowhere in the network of today. */
  readonly hasLeft: boolean
}

/** An employee of today who worked at another site of the charter before. */
interface Transfer {
  readonly turn: number
  readonly site: PlannedSite
  readonly from: number
  readonly until: number
}

/** How the staff of a site became that of today. */
export interface StaffHistory {
  /** Since when those work here who came after the site was added, by their place in the list of its employees. */
  readonly starts: ReadonlyMap<number, number>
  readonly former: readonly FormerEmployee[]
  readonly transfers: readonly Transfer[]
}

/** Everyone has worked here for this long: what people did in the last weeks refers to them. */
const LATEST_START = 80
const FORMER_NUMBERS = 1_000_000

/** Days since a day of the last whole autumn but at least four months ago. */
const countDaysSinceAutumn = ({ day }: Plan, month: number, date: number): number => {
  const year = day.getUTCFullYear() - (day.getUTCMonth() < 3 ? 2 : 1)
  return Math.round((day.getTime() - Date.UTC(year, month - 1, date)) / DAY)
}

/** The days on which each principal before the present one left, and the next one started; the last change first. */
const planPrincipals = (plan: Plan, site: PlannedSite, random: Random): { readonly left: number; readonly start: number }[] => {
  const isOpen = site.status.startsWith('ACTIVE') && site.predecessor === null
  if (!isOpen || !(site.local[0] ?? []).includes('Principal')) return []
  const { checkedAt } = toSiteRow(plan, site, [])
  // The present principal made the last check.
  const latest = Math.max(LATEST_START, checkedAt === null ? 0 : Math.ceil((plan.day.getTime() - checkedAt.getTime()) / DAY) + 8)
  const isPossible = ({ left, start }: { left: number; start: number }): boolean => start >= latest && left < site.entered - 12
  const change = (left: number, vacant: number) => ({ left, start: left - vacant })
  const drawn = random.next()
  if (drawn < 0.34) {
    const left = random.int(countDaysSinceAutumn(plan, 11, 24), countDaysSinceAutumn(plan, 9, 8))
    return [change(left, random.int(21, 190))].filter(isPossible)
  }
  if (drawn < 0.44) {
    const last = change(random.int(150, 190), random.int(14, 40))
    const changes = [last, change(last.left + random.int(70, 120), random.int(7, 28))]
    return changes.every(isPossible) ? changes : []
  }
  return drawn < 0.62 && site.entered > 500 ? [change(random.int(430, site.entered - 40), random.int(7, 50))].filter(isPossible) : []
}

const TEACHING = ['Resource Center', 'Partnership', 'Online']

/** Who led a site that is closed now; they left when it closed. */
const listLeadersOfClosed = (plan: Plan, site: PlannedSite): { readonly roles: readonly string[]; readonly until: number }[] => {
  const closing = listSiteChanges(plan, site).find(({ becomes }) => String(becomes['status']).startsWith('CLOSED'))
  if (closing === undefined || !TEACHING.includes(site.category)) return []
  const present = site.local.flat()
  return ['Principal', 'Student Relations Manager', 'Registrar', 'Counselor'].flatMap((role) =>
    present.includes(role) ? [] : [{ roles: [role], until: closing.daysAgo }],
  )
}

const createStaffHistory = (plan: Plan, site: PlannedSite): StaffHistory => {
  const random = createRandom(plan.seed, 'staff history', site.index)
  const starts = new Map<number, number>()
  const former: FormerEmployee[] = []
  const transfers: Transfer[] = []
  const { entered, place } = site
  const addFormer = (roles: readonly string[], from: number, until: number): void => {
    const number = FORMER_NUMBERS + site.index * 100 + former.length
    former.push({ employee: { number, place, domain: site.charter.brand.domain }, roles, from, until: toWeek(until), hasLeft: true })
  }
  for (const { roles, until } of listLeadersOfClosed(plan, site)) addFormer(roles, entered, until)
  const predecessor = getPredecessor(site)
  const replaced = Math.min(toWeek(createRandom(plan.seed, 'leaves', site.index).int(7, 640)), entered - 3)
  if (predecessor !== null && replaced > 2) {
    starts.set(0, replaced)
    former.push({ employee: predecessor, roles: site.local[0] ?? [], from: entered, until: replaced, hasLeft: false })
  }
  const principals = planPrincipals(plan, site, random)
  for (const [at, { left, start }] of principals.entries()) {
    if (at === 0) starts.set(0, toWeek(start))
    addFormer(site.local[0] ?? [], toWeek(principals[at + 1]?.start ?? entered), left)
  }
  const hasOldPhone = listSiteChanges(plan, site).some(({ table }) => table === 'person')
  for (const [turn, roles] of site.local.entries()) {
    const isChecked = planCheckOfPerson(plan, { number: site.firstEmployee + turn }).checkedAt !== null
    const latest = isChecked ? 185 : LATEST_START
    if (turn === 0 || (turn === 1 && hasOldPhone) || entered < latest + 30 || !random.chance(0.35)) continue
    const start = random.int(latest, entered - 20)
    starts.set(turn, toWeek(start))
    if (random.chance(0.5)) addFormer(roles, entered, Math.min(start + random.int(0, 60), entered - 12))
    else if (random.chance(0.4)) {
      const other = random.pick(site.charter.sites)
      if (other !== site && other.status.startsWith('ACTIVE') && other.entered > start + 60)
        transfers.push({ turn, site: other, from: toWeek(random.int(start + 30, other.entered - 12)), until: toWeek(start) })
    }
  }
  // Whoever was there from the beginning was added with the site, not in the week after.
  return { starts, former: former.map((one) => (one.from === toWeek(entered) ? { ...one, from: entered } : one)), transfers }
}

const getHistories = memoize((plan: Plan) => memoize((site: PlannedSite) => createStaffHistory(plan, site)))
export const planStaffHistory = (plan: Plan, site: PlannedSite): StaffHistory => getHistories(plan)(site)

/** A person who has left: with an address of their own that does not depend on who else has the name. */
export const toFormerPersonRow = (plan: Plan, { number, place, domain }: Employee): Row<'person'> => {
  const name = getEmployeeName(plan.seed, number)
  const address = `${toSlug(name).replaceAll('-', '.')}.${number - FORMER_NUMBERS}`
  return {
    _id: getPersonId(plan.seed, number),
    slug: address.replaceAll('.', '-'),
    name,
    phone: getPhone(createRandom(plan.seed, 'former phone', number), place),
    email: `${address}@${domain}`,
    fax: null,
    leftAt: null,
    sql_person_id: null,
    checkedAt: null,
    checkedBy: null,
  }
}
