import { useQuery } from '@tanstack/react-query'

import { usePollInterval } from '../../../platform/web/live.ts'
import { callQueryOptions } from '../../../platform/web/queries.ts'
import { countWaitingRequests, readCounts, readHome } from '../contract.ts'

export const useCounts = () => useQuery(callQueryOptions(readCounts))

export const useHome = () => useQuery({ ...callQueryOptions(readHome), staleTime: 0 })

const WAITING_EVERY_MS = 60_000
export const useWaiting = (isEnabled: boolean) =>
  useQuery({ ...callQueryOptions(countWaitingRequests), enabled: isEnabled, refetchInterval: usePollInterval(WAITING_EVERY_MS) })
