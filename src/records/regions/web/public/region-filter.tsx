import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

import { FilterChoice } from '../../../../platform/web/list/Filters.tsx'
import type { ListFilter } from '../../../../platform/web/list/list-filter.ts'
import type { Phrase } from '../../../../platform/web/list/plain-words.ts'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { Region } from '../../contract.ts'
import { getRegionNames } from '../../rules.ts'
import { useRegions } from '../queries.ts'

const NO_REGIONS: readonly Region[] = []

/** The region filter of a list (`?region=ohio`, or the name of the region); its value is a slug. */
interface RegionFilter extends ListFilter {
  /** Names and codes of states. */
  readonly phrases: readonly Phrase[]
  /** The region's name; its slug until it is loaded. */
  readonly name: string | undefined
  /** Whether a site is in the region; null without a filter. */
  readonly includesSite: ((siteId: string) => boolean) | null
  /** The query of regions while a filter waits for it. */
  readonly pendingQuery: UseQueryResult | null
}

export const useRegionFilter = (): RegionFilter => {
  const query = useRegions()
  const { data: regions = NO_REGIONS } = query
  const [{ region }, change] = useSearchParams()
  const wanted = region?.toLowerCase() || undefined
  const chosen = regions.find(({ slug, name: own }) => slug === wanted || own.toLowerCase() === wanted)
  const value = chosen?.slug ?? wanted
  const name = value && (chosen?.name ?? value)
  const phrases = useMemo(
    () => regions.map((one) => ({ filter: 'region', value: one.slug, synonyms: getRegionNames(one.name) })),
    [regions],
  )
  const includesSite = useMemo(() => {
    if (value === undefined) return null
    const sites = new Set(chosen?.sites.map(({ _id }) => _id))
    return (siteId: string) => sites.has(siteId)
  }, [value, chosen])
  return {
    value,
    control: (
      <FilterChoice
        label="Region"
        all="All regions"
        choices={regions.map((one) => one.name).toSorted()}
        chosen={name}
        onChoose={(next) => change({ region: regions.find((one) => one.name === next)?.slug })}
        remove={`Remove region ${name}`}
      />
    ),
    phrases,
    condition: name && `in ${name}`,
    name,
    includesSite,
    pendingQuery: value !== undefined && query.data === undefined ? query : null,
  }
}
