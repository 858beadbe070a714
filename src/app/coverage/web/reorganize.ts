import type { RoleOfSites } from '../../../contract/roles.ts'
import { isClosed } from '../../../contract/status.ts'
import type { CoveredSite } from '../contract.ts'
import { listHolders, listVacantRoles, sortBySiteName } from '../rules.ts'

/** Someone who has a role, or will have it. */
export interface Holder {
  readonly _id: string
  readonly slug: string
  readonly name: string
}

export const REORGANIZE_MODES = ['give', 'fill', 'swap', 'sites'] as const
/** The kinds of reorganization: one person's sites go to others, vacant positions are filled, two people swap, or selected sites get someone. */
export type ReorganizeMode = (typeof REORGANIZE_MODES)[number]

/** A role at a site that may get a new holder. */
export interface Position {
  readonly key: string
  readonly site: CoveredSite
  readonly role: string
  readonly holders: readonly Holder[]
  /** The person who is replaced; null if all holders are, or the position is vacant. */
  readonly leaver: Holder | null
  /** The successor unless someone else is selected. */
  readonly successor: Holder | null
}

interface Question {
  readonly mode: ReorganizeMode
  readonly from: Holder | null
  readonly to: Holder | null
  readonly roles: readonly string[]
  /** All roles, with the facility types that do not have them. */
  readonly known: readonly RoleOfSites[]
  /** The slug of the region whose vacant positions are filled. */
  readonly region: string | undefined
  readonly sites: ReadonlySet<string>
}

const toPosition = (site: CoveredSite, role: string, leaver: Holder | null, successor: Holder | null): Position => ({
  key: `${site._id} ${role}`,
  site,
  role,
  holders: listHolders(site, role),
  leaver,
  successor,
})

const holds = (site: CoveredSite, role: string, person: Holder | null): boolean =>
  person !== null && site.people.some((one) => one.role === role && one.person._id === person._id)

/** The affected positions, by site. */
export const listPositions = (all: readonly CoveredSite[], { mode, from, to, roles, known, region, sites }: Question): Position[] =>
  sortBySiteName(all).flatMap((site) =>
    roles.flatMap((role) => {
      if (mode === 'give') return holds(site, role, from) ? [toPosition(site, role, from, to)] : []
      if (mode === 'swap') {
        // Someone who shares a position with the other person keeps it.
        if (holds(site, role, from) === holds(site, role, to)) return []
        return [holds(site, role, from) ? toPosition(site, role, from, to) : toPosition(site, role, to, from)]
      }
      if (mode === 'sites') return sites.has(site._id) ? [toPosition(site, role, null, to)] : []
      const isVacant = !isClosed(site.status) && listVacantRoles(site, known).includes(role)
      return isVacant && (region === undefined || site.region?.slug === region) ? [toPosition(site, role, null, to)] : []
    }),
  )

/** Who gets a position; `vacant` if its holder gives it up to no one. */
export type Successor = Holder | 'vacant'

/** The user's decisions: who gets a position, or that it stays unchanged. */
export interface Decisions {
  readonly others: ReadonlyMap<string, Successor>
  readonly stays: ReadonlySet<string>
}

/** The successor in a position; null if it stays unchanged. */
export const getSuccessor = ({ key, successor }: Position, { others, stays }: Decisions): Successor | null =>
  stays.has(key) ? null : (others.get(key) ?? successor)

/** The holders of a position afterward. */
export const getHoldersAfter = (position: Position, decisions: Decisions): readonly Holder[] => {
  const successor = getSuccessor(position, decisions)
  const { holders, leaver } = position
  if (successor === null) return holders
  const staying = leaver === null ? [] : holders.filter(({ _id }) => _id !== leaver._id)
  return successor === 'vacant' ? staying : [...staying.filter(({ _id }) => _id !== successor._id), successor]
}

/** The number of sites of a person in some roles, now and afterward. */
export const countSites = (
  all: readonly CoveredSite[],
  roles: readonly string[],
  positions: readonly Position[],
  decisions: Decisions,
  person: Holder,
): { now: number; after: number } => {
  const after = new Map(positions.map((position) => [position.key, getHoldersAfter(position, decisions)]))
  const isIn = (holders: readonly { _id: string }[]) => holders.some(({ _id }) => _id === person._id)
  const count = (getHolders: (site: CoveredSite, role: string) => readonly { _id: string }[]) =>
    all.filter((site) => roles.some((role) => isIn(getHolders(site, role)))).length
  return { now: count(listHolders), after: count((site, role) => after.get(`${site._id} ${role}`) ?? listHolders(site, role)) }
}

/** The changes by site and field, in the format of a bulk change. */
export const toOwnChanges = (
  positions: readonly Position[],
  decisions: Decisions,
  roleIds: ReadonlyMap<string, string>,
): Record<string, Record<string, string[]>> => {
  const own: Record<string, Record<string, string[]>> = {}
  for (const position of positions) {
    const role = roleIds.get(position.role)
    if (role === undefined || getSuccessor(position, decisions) === null) continue
    const people = getHoldersAfter(position, decisions).map(({ _id }) => _id)
    own[position.site._id] = { ...own[position.site._id], [`roles.${role}`]: people.toSorted() }
  }
  return own
}

/** More sites than this for one person are asked about. */
export const MAX_SITES_UNASKED = 5

/** The person who would get the most of these positions, and at how many sites. */
export const findMostGiven = (positions: readonly Position[], decisions: Decisions): { person: Holder; sites: number } | null => {
  const sites = new Map<string, { person: Holder; sites: Set<string> }>()
  for (const position of positions) {
    const person = getSuccessor(position, decisions)
    if (person === null || person === 'vacant') continue
    const given = sites.get(person._id) ?? { person, sites: new Set<string>() }
    given.sites.add(position.site._id)
    sites.set(person._id, given)
  }
  const [most] = [...sites.values()].toSorted((a, b) => b.sites.size - a.sites.size)
  return most ? { person: most.person, sites: most.sites.size } : null
}

/** '6 to Irene Barragán, 2 to Noelle Cates, 1 left vacant, 1 stays' */
export const summarizeDecisions = (positions: readonly Position[], decisions: Decisions): string => {
  const counts = new Map<string, { name: string; count: number }>()
  let vacant = 0
  let staying = 0
  for (const position of positions) {
    const successor = getSuccessor(position, decisions)
    if (successor === null) staying++
    else if (successor === 'vacant') vacant++
    else counts.set(successor._id, { name: successor.name, count: (counts.get(successor._id)?.count ?? 0) + 1 })
  }
  const given = [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ name, count }) => `${count} to ${name}`)
  return [
    ...given,
    ...(vacant > 0 ? [`${vacant} left vacant`] : []),
    ...(staying > 0 ? [staying === 1 ? '1 stays' : `${staying} stay`] : []),
  ].join(', ')
}
