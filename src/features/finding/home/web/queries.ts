import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { readCounts } from '../contract.ts'

export const countsQuery_ = reading(readCounts)
export const useCounts = () => useQuery(countsQuery_)
