import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { readCounts } from '../contract.ts'

export const countsQuery = callQueryOptions(readCounts)
export const useCounts = () => useQuery(countsQuery)
