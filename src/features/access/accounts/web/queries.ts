import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { queryClient, callQueryOptions } from '../../../../platform/web/queries.ts'
import { listAccounts, listOwnSessions, listOwnTokens, listSessions, listTokens, readAccount, readOwnAccount } from '../contract.ts'

/** The id of an account; null for the user's own. */
export type AccountScope = string | null

/** Sessions and tokens can end elsewhere at any time, so they are requested on every visit. */
const alwaysFresh = { staleTime: 0 }

export const useOwnAccount = () => useQuery({ ...callQueryOptions(readOwnAccount), ...alwaysFresh })
export const useAccount = (id: string) => useQuery({ ...callQueryOptions(readAccount, { params: { id } }), ...alwaysFresh })
export const useSessions = (scope: AccountScope) =>
  useQuery({
    ...(scope === null ? callQueryOptions(listOwnSessions) : callQueryOptions(listSessions, { params: { id: scope } })),
    ...alwaysFresh,
  })
export const useTokens = (scope: AccountScope) =>
  useQuery({
    ...(scope === null ? callQueryOptions(listOwnTokens) : callQueryOptions(listTokens, { params: { id: scope } })),
    ...alwaysFresh,
  })

/** Keeps showing the previous results while a new search loads. */
export const useAccounts = (q: string) =>
  useQuery({ ...callQueryOptions(listAccounts, { query: { q } }), ...alwaysFresh, placeholderData: keepPreviousData })

export const invalidateAccounts = (): void =>
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [call] }) => typeof call === 'string' && call.includes('/api/account'),
  })
