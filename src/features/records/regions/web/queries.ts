import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

import { useAddress } from '../../../../platform/web/address.ts'
import type { Phrase } from '../../../../platform/web/list/plainWords.ts'
import { reading } from '../../../../platform/web/queries.ts'
import { listRegions, readRegion } from '../contract.ts'
import type { Region } from '../contract.ts'
import { namesOfRegion } from '../rules.ts'

export const regionsQuery = reading(listRegions)
export const regionQuery = (slug: string) => reading(readRegion, { params: { slug } })

export const useRegions = () => useQuery(regionsQuery)
/** One region with the cards of its sites, by slug or `_id`. */
export const useRegion = (slug: string) => useQuery(regionQuery(slug))

const none: readonly Region[] = []

/** The region a list is filtered by, as `?region=ohio` says. */
export interface RegionFilter {
  /** Undefined where there is no such filter. */
  slug: string | undefined
  /** What the empty list calls it: the region's name, as soon as it is known. */
  name: string | undefined
  regions: readonly Region[]
  /** What a search field understands in plain words: names and codes of states. */
  phrases: readonly Phrase[]
  /** Whether a site lies in it; null where there is no such filter. */
  has: ((siteId: string) => boolean) | null
  choose: (slug: string | undefined) => void
  /** The regions are still to come, and with them what lies in the chosen one. */
  awaits: UseQueryResult | null
}

export const useRegionFilter = (): RegionFilter => {
  const query = useRegions()
  const { data: regions = none } = query
  const [{ region }, change] = useAddress()
  const slug = region || undefined
  const chosen = regions.find((one) => one.slug === slug)
  const phrases = useMemo(() => regions.map(({ slug: value, name }) => ({ filter: 'region', value, said: namesOfRegion(name) })), [regions])
  const has = useMemo(() => {
    if (slug === undefined) return null
    const sites = new Set(chosen?.sites.map(({ _id }) => _id))
    return (siteId: string) => sites.has(siteId)
  }, [slug, chosen])
  return {
    slug,
    name: slug && (chosen?.name ?? slug),
    regions,
    phrases,
    has,
    choose: (next) => change({ region: next }),
    awaits: slug !== undefined && query.data === undefined ? query : null,
  }
}
