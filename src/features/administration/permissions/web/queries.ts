import { useQuery } from '@tanstack/react-query'

import { useAsYouType } from '../../../../platform/web/asYouType.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { reading } from '../../../../platform/web/queries.ts'
import { findCandidates, MIN_QUERY_LENGTH, listPermissions } from '../contract.ts'

export const usePermissions = () => useQuery(reading(listPermissions, { params: { appId: configuration.appId } }))

export const useCandidates = (text: string) =>
  useAsYouType(text, { call: findCandidates, least: MIN_QUERY_LENGTH, asked: (q) => ({ query: { q } }) })
