import { useQuery } from '@tanstack/react-query'

import { configuration } from '../../../../platform/web/configuration.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { useSearchAsYouType } from '../../../../platform/web/use-search-as-you-type.ts'
import { findCandidates, listGroupAdministrators, MIN_QUERY_LENGTH, listPermissions } from '../contract.ts'

export const usePermissions = () => useQuery(callQueryOptions(listPermissions, { params: { appId: configuration.appId } }))

export const useGroupAdministrators = () => useQuery(callQueryOptions(listGroupAdministrators))

export const useCandidates = (text: string) =>
  useSearchAsYouType(text, { call: findCandidates, minLength: MIN_QUERY_LENGTH, toRequest: (q) => ({ query: { q } }) })
