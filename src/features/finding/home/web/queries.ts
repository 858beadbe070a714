import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { readCounts } from '../contract.ts'

export const countsQuery_ = callQueryOptions(readCounts)
export const useCounts = () => useQuery(countsQuery_)
