import { formatDay } from '../../../contract/dates.ts'
import { isRoleOf, type RoleOfSites } from '../../../contract/roles.ts'
import type { CoveredSite } from '../contract.ts'
import { listHolders, sortRoles } from '../rules.ts'
import type { Holder, Position } from './reorganize.ts'

/** Someone gets a position and gives up another. */
export interface Move {
  readonly person: Holder
  /** Null if they keep all their positions. */
  readonly from: Pick<Position, 'site' | 'role'> | null
  readonly to: Pick<Position, 'site' | 'role'>
  /** The `_id`s of the people who lose the new position. */
  readonly replaced: ReadonlySet<string>
  /** Who takes over the old position; null leaves it to its other holders, or vacant. */
  readonly successor: Holder | null
}

/** The positions of a person, by site and role. */
export const listPositionsOf = (sites: readonly CoveredSite[], person: string): Pick<Position, 'site' | 'role'>[] =>
  sites.flatMap((site) => site.people.filter((held) => held.person._id === person).map(({ role }) => ({ site, role })))

/** The roles that can be given at a site, in the order of the board; all until it is known. */
export const listRolesOf = <Role extends RoleOfSites>(roles: readonly Role[], site: CoveredSite | null): Role[] =>
  sortRoles(roles.filter((role) => site === null || isRoleOf(site.category, role)))

/** The other people in a position. */
export const listOthers = ({ site, role }: Move['to'], person: Holder): Holder[] =>
  listHolders(site, role).filter(({ _id }) => _id !== person._id)

/** Why a move makes no sense; null if it does. */
export const findMoveProblem = ({ person, from, to }: Move): string | null => {
  if (from?.site._id === to.site._id && from.role === to.role) return 'Choose another site or role.'
  const isHeld = to.site.people.some((held) => held.role === to.role && held.person._id === person._id)
  return isHeld ? `${person.name} is already ${to.role} of ${to.site.displayName}.` : null
}

/** The people in both positions afterward, in the format of a bulk change of sites. */
export const toMoveChanges = (
  { person, from, to, replaced, successor }: Move,
  roleIds: ReadonlyMap<string, string>,
): Record<string, Record<string, string[]>> => {
  const own: Record<string, Record<string, string[]>> = {}
  const set = ({ site, role }: Move['to'], people: readonly Holder[]) => {
    const ids = [...new Set(people.map(({ _id }) => _id))].toSorted()
    own[site._id] = { ...own[site._id], [`roles.${roleIds.get(role)}`]: ids }
  }
  set(to, [...listOthers(to, person).filter(({ _id }) => !replaced.has(_id)), person])
  if (from) set(from, [...listOthers(from, person), ...(successor ? [successor] : [])])
  return own
}

/** 'principal', 'regional SRM': a role within a sentence that names no one. */
const toNoun = (role: string): string => role.replaceAll(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase())

const joinNames = (people: readonly Holder[]): string =>
  new Intl.ListFormat('en-US', { type: 'conjunction' }).format(people.map(({ name }) => name))

/** Who has a position after someone gave it up to no one: 'Lodi has no principal from then on.' */
export const describeVacated = ({ site, role }: Move['to'], others: readonly Holder[], isLater: boolean): string => {
  const since = isLater ? 'from then on' : 'from today on'
  return others.length > 0
    ? `${site.displayName} has only ${joinNames(others)} as ${role} ${since}.`
    : `${site.displayName} has no ${toNoun(role)} ${since}.`
}

/** What a move does, in a sentence for each position. `day` is null for today. */
export const describeMove = ({ person, from, to, replaced, successor }: Move, day: string | null): string[] => {
  const [leaving, staying] = [true, false].map((isReplaced) => listOthers(to, person).filter(({ _id }) => replaced.has(_id) === isReplaced))
  const beside = staying?.length ? `, with ${joinNames(staying)}` : ''
  const instead = leaving?.length ? `, and replaces ${joinNames(leaving)}` : ''
  const when = day === null ? 'today' : `on ${formatDay(day)}`
  const since = day === null ? 'from today on' : 'from then on'
  const first = `${person.name} becomes ${to.role} of ${to.site.displayName} ${when}${beside}${instead}.`
  if (from === null) return [first]
  if (successor) return [first, `${successor.name} becomes ${from.role} of ${from.site.displayName} ${since}.`]
  return [first, describeVacated(from, listOthers(from, person), day !== null)]
}
