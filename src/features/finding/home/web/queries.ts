import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { readCounts } from '../contract.ts'

export const countsQuery = reading(readCounts)
export const useCounts = () => useQuery(countsQuery)
