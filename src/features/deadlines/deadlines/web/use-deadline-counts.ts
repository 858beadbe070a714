import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { countDeadlines, type DeadlineSearch } from '../list.ts'

export const useDeadlineCounts = (query: DeadlineSearch = {}) =>
  useQuery({ ...callQueryOptions(countDeadlines, { query }), placeholderData: keepPreviousData })
