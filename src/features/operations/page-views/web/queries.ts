import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { readUsage } from '../contract.ts'

/** Views of the last days; the previous period stays while another one loads. */
export const useUsage = (days: number) =>
  useQuery({ ...callQueryOptions(readUsage, { query: { days } }), placeholderData: keepPreviousData })
