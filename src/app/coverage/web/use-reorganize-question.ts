import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { readTicks } from '../../../platform/web/list/use-selection.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import type { Role } from '../../../records/people/contract.ts'
import { personQueryOptions, useRoles } from '../../../records/people/web/queries.ts'
import type { CoveredSite } from '../contract.ts'
import { sortRoles } from '../rules.ts'
import { type Holder, listPositions, REORGANIZE_MODES } from './reorganize.ts'

const NO_ROLES: readonly Role[] = []

/** The roles that someone has at some site, in the order of the board. */
const listHeldRoles = (sites: readonly CoveredSite[], people: readonly (Holder | null)[]): string[] => {
  const ids = new Set(people.flatMap((person) => person?._id ?? []))
  const held = new Set(sites.flatMap((site) => site.people.filter(({ person }) => ids.has(person._id)).map(({ role }) => role)))
  return sortRoles([...held].map((name) => ({ name }))).map(({ name }) => name)
}

/** The selected mode, role and region from the URL, with the selected people and day. */
export const useReorganizeQuestion = (sites: readonly CoveredSite[]) => {
  const [address, change] = useSearchParams()
  const mode = REORGANIZE_MODES.find((one) => one === address['mode']) ?? 'give'
  const fromQuery = useQuery({ ...personQueryOptions(address['from'] ?? ''), enabled: Boolean(address['from']) })
  const toQuery = useQuery({ ...personQueryOptions(address['to'] ?? ''), enabled: Boolean(address['to']) })
  const from = (mode === 'give' || mode === 'swap') && address['from'] ? (fromQuery.data ?? null) : null
  const to = address['to'] ? (toQuery.data ?? null) : null
  const { data: known = NO_ROLES } = useRoles()
  const roleIds = useMemo(() => new Map(sortRoles(known).map(({ _id, name }) => [name, _id])), [known])
  const offered = useMemo(
    () => (mode === 'give' || mode === 'swap' ? listHeldRoles(sites, mode === 'swap' ? [from, to] : [from]) : [...roleIds.keys()]),
    [mode, sites, from, to, roleIds],
  )
  const chosen = offered.find((role) => role === address['role'])
  const isWhole = (mode === 'give' || mode === 'swap') && chosen === undefined
  const roles = useMemo(() => (isWhole ? offered : [chosen ?? offered[0] ?? ''].filter(Boolean)), [isWhole, chosen, offered])
  const [ticked] = useState<ReadonlySet<string>>(() => (address['sites'] ? new Set(address['sites'].split(',')) : readTicks('sites')))
  const region = mode === 'fill' ? address['region'] : undefined
  const positions = useMemo(
    () => listPositions(sites, { mode, from, to, roles, known, region, sites: ticked }),
    [sites, mode, from, to, roles, known, region, ticked],
  )
  return { mode, from, to, roles, role: isWhole ? '' : (roles[0] ?? ''), offered, roleIds, region, positions, ticked, address, change }
}
export type ReorganizeQuestion = ReturnType<typeof useReorganizeQuestion>
