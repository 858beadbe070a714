import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { Phrase } from '../../../platform/web/list/plain-words.ts'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import { listRegions, readRegion } from '../contract.ts'
import type { Region } from '../contract.ts'
import { getRegionNames } from '../rules.ts'

export const regionsQueryOptions = callQueryOptions(listRegions)
export const regionQueryOptions = (slug: string) => callQueryOptions(readRegion, { params: { slug } })

export const useRegions = () => useQuery(regionsQueryOptions)
/** One region with the summaries of its sites, by slug or `_id`. */
export const useRegion = (slug: string) => useQuery(regionQueryOptions(slug))

const NO_REGIONS: readonly Region[] = []

/** The region filter of a list (`?region=ohio`). */
export interface RegionFilterState {
  /** Undefined without a filter. */
  slug: string | undefined
  /** The region's name; its slug until it is loaded. */
  name: string | undefined
  regions: readonly Region[]
  /** The phrases that a search field turns into this filter: names and codes of states. */
  phrases: readonly Phrase[]
  /** Whether a site is in the region; null without a filter. */
  includesSite: ((siteId: string) => boolean) | null
  onChange: (slug: string | undefined) => void
  /** The query of regions while a filter waits for it. */
  pendingQuery: UseQueryResult | null
}

export const useRegionFilter = (): RegionFilterState => {
  const query = useRegions()
  const { data: regions = NO_REGIONS } = query
  const [{ region }, change] = useSearchParams()
  const slug = region || undefined
  const chosen = regions.find((one) => one.slug === slug)
  const phrases = useMemo(
    () => regions.map(({ slug: value, name }) => ({ filter: 'region', value, synonyms: getRegionNames(name) })),
    [regions],
  )
  const includesSite = useMemo(() => {
    if (slug === undefined) return null
    const sites = new Set(chosen?.sites.map(({ _id }) => _id))
    return (siteId: string) => sites.has(siteId)
  }, [slug, chosen])
  return {
    slug,
    name: slug && (chosen?.name ?? slug),
    regions,
    phrases,
    includesSite,
    onChange: (next) => change({ region: next }),
    pendingQuery: slug !== undefined && query.data === undefined ? query : null,
  }
}
