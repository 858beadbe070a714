import { useQuery } from '@tanstack/react-query'

import { useUser } from '../../../../platform/web/caller.ts'
import { callQueryOptions, getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { listAssistants, readAssistantSettings, readConsentRequest } from '../contract.ts'

/** The assistants that the user let in; those of another account for level 1. */
export const useAssistants = (account: string | null) => {
  const user = useUser()
  return useQuery({
    ...callQueryOptions(listAssistants),
    // An assistant may ask at any time.
    staleTime: 0,
    select: (assistants) => assistants.filter(({ owner }) => owner._id === (account ?? user?._id)),
  })
}
export const reloadAssistants = (): void => void queryClient.invalidateQueries({ queryKey: getQueryKey(listAssistants) })

export const useAssistantSettings = () => useQuery(callQueryOptions(readAssistantSettings))
export const reloadAssistantSettings = (): void => void queryClient.invalidateQueries({ queryKey: getQueryKey(readAssistantSettings) })

/** A request that waits for an answer. It is not read again: once answered it is gone. */
export const useConsentRequest = (id: string) =>
  useQuery({ ...callQueryOptions(readConsentRequest, { params: { id } }), staleTime: Infinity, refetchOnMount: false, gcTime: 0 })
