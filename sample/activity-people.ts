import { toObjectId } from '../src/features/access/session/local-accounts.server.ts'
import { LOCAL_TENANT } from '../src/features/access/session/provider-settings.server.ts'
import { NEWS } from '../src/features/operations/news/rules.ts'
import { type ACTORS, chooseSiteAdministrators, getOfficeId, getPermissionId, OFFICE } from './accounts.ts'
import { DAY, pickOfficeHour } from './calendar.ts'
import { getEmployeeName, getPersonId, toPersonRow } from './people.ts'
import type { PlannedSite, Plan } from './plan.ts'
import { createRandom, generateId } from './random.ts'
import { insertActivity, type Step, update, type Write } from './rows.ts'
import { listLocalEmployees } from './staff-rows.ts'

/** Somebody who has signed in: in the head office, or the principal of a site. */
export interface Member {
  readonly account: string
  readonly person: string
  readonly name: string
  /** The work address; of people at sites it is known once they are in the directory. */
  readonly getAddress: () => string
}

/** Active sites with staff and a principal who has a work address, all there for a quarter at least; any sites in a tiny network. */
export const listBusySites = (plan: Plan): readonly PlannedSite[] => {
  const busy = plan.sites.filter(
    (site) => site.status === 'ACTIVE' && site.entered > 90 && site.predecessor === null && site.local.length > 3 && hasAddress(plan, site),
  )
  return busy.length > 0 ? busy : plan.sites
}

const hasAddress = (plan: Plan, site: PlannedSite): boolean =>
  listLocalEmployees(site)
    .slice(0, 1)
    .some((employee) => toPersonRow(plan.seed, employee, { slugs: new Set(), addresses: new Set() }).email !== null)

/** Accounts of the sample: each belongs to the person who signs in with that address. */
export class Members {
  readonly #plan: Plan
  readonly #members = new Map<string, Member>()
  /** The ids of people at sites who have a permission. */
  readonly #administrators: readonly string[]

  constructor(plan: Plan) {
    this.#plan = plan
    this.#administrators = [...chooseSiteAdministrators(plan)].map((employee) => getPersonId(plan.seed, employee))
    for (const [turn, { name, address }] of OFFICE.entries())
      this.#members.set(name, {
        account: generateId(plan.seed, 'account', address),
        person: getOfficeId(plan, turn),
        name,
        getAddress: () => address,
      })
  }

  office(name: (typeof ACTORS)[keyof typeof ACTORS] | 'Marisol Vance'): Member {
    const member = this.#members.get(name)
    if (member === undefined) throw new Error(`${name} is not in the head office`)
    return member
  }

  /** The principal of a site; someone from the head office if they have no work address. */
  principal(site: PlannedSite, addressOf: (person: string) => string | null | undefined): Member {
    const { seed } = this.#plan
    if (!hasAddress(this.#plan, site)) return this.office('Marisol Vance')
    const person = getPersonId(seed, site.firstEmployee)
    const known = this.#members.get(person)
    const member = known ?? {
      account: generateId(seed, 'account', person),
      person,
      name: getEmployeeName(seed, site.firstEmployee),
      getAddress: () => addressOf(person) ?? '',
    }
    this.#members.set(person, member)
    return member
  }

  /** The accounts, from their first sign-in on, and the permissions that belong to them. */
  write(): Write[] {
    const { day } = this.#plan
    const members = [...this.#members.values()]
    const accounts = insertActivity(
      'account',
      members.map(({ account, name, getAddress }, turn) => ({
        _id: account,
        newsSeen: NEWS.version,
        tenant: LOCAL_TENANT,
        objectId: toObjectId(getAddress()),
        azureID: getAddress(),
        name,
        createdAt: new Date(day.getTime() - (400 - turn * 9) * DAY),
        signedInAt: new Date(day.getTime() - ((turn % 6) + 1) * (DAY / 3)),
      })),
    )
    const permitted = new Set([...OFFICE.flatMap(({ name, permission }) => (permission ? [name] : [])), ...this.#administrators])
    const bound = members.filter(({ person, name }) => permitted.has(person) || permitted.has(name))
    return [
      accounts,
      update(
        'permission',
        bound.map(({ account, person, getAddress }) => ({
          _id: getPermissionId(this.#plan, permitted.has(person) ? person : getAddress()),
          account,
        })),
      ),
    ]
  }
}

/** What the steps need to know of the people of the network. */
export interface ActivityContext {
  readonly plan: Plan
  readonly members: Members
  /** The work address of someone in the directory. */
  readonly addressOf: (person: string) => string | null | undefined
}

/** One step of a member, a number of days ago, in office hours. */
export const toStep = (
  { plan }: ActivityContext,
  member: Member,
  daysAgo: number,
  salt: string,
  writes: (at: Date) => readonly Write[],
  origin: Pick<Step, 'changeset' | 'suggestedBy'> = {},
): Step => {
  const at = pickOfficeHour(createRandom(plan.seed, 'activity', salt), plan.day, daysAgo)
  return { at, by: member.name, account: member.account, sites: 0, writes: () => writes(at), ...origin }
}
