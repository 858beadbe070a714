import { useQuery } from '@tanstack/react-query'

import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { listDirectoryGroups, listLevelMappings, listScimTokens } from '../contract.ts'

/** The directory may use tokens and change groups at any time. */
const alwaysFresh = { staleTime: 0 }

export const useScimTokens = () => useQuery({ ...callQueryOptions(listScimTokens), ...alwaysFresh })
export const useLevelMappings = () => useQuery({ ...callQueryOptions(listLevelMappings), ...alwaysFresh })
export const useDirectoryGroups = () => useQuery({ ...callQueryOptions(listDirectoryGroups), ...alwaysFresh })

export const reloadScimTokens = (): void => void queryClient.invalidateQueries({ queryKey: getQueryKey(listScimTokens) })
export const reloadLevelMappings = (): void => void queryClient.invalidateQueries({ queryKey: getQueryKey(listLevelMappings) })
