import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../platform/web/queries.ts'
import { listRegions, readRegion } from '../contract.ts'

export const regionsQuery = reading(listRegions)
export const regionQuery = (slug: string) => reading(readRegion, { params: { slug } })

export const useRegions = () => useQuery(regionsQuery)
/** One region with the cards of its sites, by slug or `_id`. */
export const useRegion = (slug: string) => useQuery(regionQuery(slug))
