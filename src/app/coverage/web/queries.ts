import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { listCoverage, listCoverageOfRegion } from '../contract.ts'

const coverageQuery = callQueryOptions(listCoverage)
const coverageOfRegionQuery = (region: string) => callQueryOptions(listCoverageOfRegion, { params: { region } })

/** All sites with the people in their roles. */
export const useCoverage = () => useQuery(coverageQuery)
/** The sites of one region, by slug or `_id`. */
export const useCoverageOfRegion = (region: string) => useQuery(coverageOfRegionQuery(region))
