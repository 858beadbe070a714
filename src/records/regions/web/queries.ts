import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { listRegions, readRegion } from '../contract.ts'

export const regionsQueryOptions = callQueryOptions(listRegions)
export const regionQueryOptions = (slug: string) => callQueryOptions(readRegion, { params: { slug } })

export const useRegions = () => useQuery(regionsQueryOptions)
/** One region with the summaries of its sites, by slug or `_id`. */
export const useRegion = (slug: string) => useQuery(regionQueryOptions(slug))
