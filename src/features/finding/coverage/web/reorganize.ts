import { isClosed } from '../../../../contract/status.ts'
import type { CoveredSite } from '../contract.ts'
import { listHolders, sortBySiteName } from '../rules.ts'

/** Someone who has a role, or is to have it. */
export interface Holder {
  readonly _id: string
  readonly slug: string
  readonly name: string
}

export const REORGANIZE_MODES = ['give', 'fill', 'swap', 'sites'] as const
/** What is done: one's sites go to others, vacant positions are filled, two people change places, or ticked sites get someone. */
export type ReorganizeMode = (typeof REORGANIZE_MODES)[number]

/** One role at one site that may get someone else. */
export interface Position {
  readonly key: string
  readonly site: CoveredSite
  readonly role: string
  readonly holders: readonly Holder[]
  /** The one who is replaced; null where all holders are, or the position is vacant. */
  readonly leaver: Holder | null
  /** Who takes the place where no one else is chosen. */
  readonly successor: Holder | null
}

interface Question {
  readonly mode: ReorganizeMode
  readonly from: Holder | null
  readonly to: Holder | null
  readonly roles: readonly string[]
  /** The slug of a region, whose vacant positions are filled. */
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

/** The positions that are asked for, by site. */
export const listPositions = (all: readonly CoveredSite[], { mode, from, to, roles, region, sites }: Question): Position[] =>
  sortBySiteName(all).flatMap((site) =>
    roles.flatMap((role) => {
      if (mode === 'give') return holds(site, role, from) ? [toPosition(site, role, from, to)] : []
      if (mode === 'swap') {
        // Someone who shares a position with the other keeps it.
        if (holds(site, role, from) === holds(site, role, to)) return []
        return [holds(site, role, from) ? toPosition(site, role, from, to) : toPosition(site, role, to, from)]
      }
      if (mode === 'sites') return sites.has(site._id) ? [toPosition(site, role, null, to)] : []
      const isVacant = !isClosed(site.status) && !site.people.some((one) => one.role === role)
      return isVacant && (region === undefined || site.region?.slug === region) ? [toPosition(site, role, null, to)] : []
    }),
  )

/** What the reader decided: who takes a position, or that it stays as it is. */
export interface Decisions {
  readonly others: ReadonlyMap<string, Holder>
  readonly stays: ReadonlySet<string>
}

/** Who takes a position; null where it stays. */
export const getSuccessor = ({ key, successor }: Position, { others, stays }: Decisions): Holder | null =>
  stays.has(key) ? null : (others.get(key) ?? successor)

/** Who holds a position afterward. */
export const getHoldersAfter = (position: Position, decisions: Decisions): readonly Holder[] => {
  const successor = getSuccessor(position, decisions)
  const { holders, leaver } = position
  if (successor === null) return holders
  const staying = leaver === null ? [] : holders.filter(({ _id }) => _id !== leaver._id && _id !== successor._id)
  return [...staying, successor]
}

/** The sites of a person in some roles, now and afterward. */
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

/** What changes, by site and field, in the shape of a bulk change. */
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

/** '6 to Irene Barragán, 2 to Noelle Cates, 1 stays' */
export const summarizeDecisions = (positions: readonly Position[], decisions: Decisions): string => {
  const counts = new Map<string, { name: string; count: number }>()
  let staying = 0
  for (const position of positions) {
    const successor = getSuccessor(position, decisions)
    if (successor === null) staying++
    else counts.set(successor._id, { name: successor.name, count: (counts.get(successor._id)?.count ?? 0) + 1 })
  }
  const given = [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ name, count }) => `${count} to ${name}`)
  return [...given, ...(staying > 0 ? [staying === 1 ? '1 stays' : `${staying} stay`] : [])].join(', ')
}
