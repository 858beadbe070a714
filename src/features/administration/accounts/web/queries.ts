import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { queryClient, reading } from '../../../../platform/web/queries.ts'
import { listAccounts, listOwnSessions, listOwnTokens, listSessions, listTokens, readAccount, readOwnAccount } from '../contract.ts'

/** Whose sessions and tokens: an account's, for level 1; null is one's own. */
export type AccountScope = string | null

/** What can be ended from elsewhere at any time is asked for again whenever the page is opened. */
const alwaysFresh = { staleTime: 0 }

export const useOwnAccount = () => useQuery({ ...reading(readOwnAccount), ...alwaysFresh })
export const useAccount = (id: string) => useQuery({ ...reading(readAccount, { params: { id } }), ...alwaysFresh })
export const useSessions = (whose: AccountScope) =>
  useQuery({ ...(whose === null ? reading(listOwnSessions) : reading(listSessions, { params: { id: whose } })), ...alwaysFresh })
export const useTokens = (whose: AccountScope) =>
  useQuery({ ...(whose === null ? reading(listOwnTokens) : reading(listTokens, { params: { id: whose } })), ...alwaysFresh })

/** Who has signed in; until the answer to a new search is there, the one before it stays. */
export const useAccounts = (q: string) =>
  useQuery({ ...reading(listAccounts, { query: { q } }), ...alwaysFresh, placeholderData: keepPreviousData })

/** Something was made or ended: whatever is shown of sessions and tokens is asked for again. */
export const invalidateAccounts = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [call] }) => typeof call === 'string' && call.includes('/api/account') })
