import { useQuery } from '@tanstack/react-query'

import { useAsYouType } from '../../../../platform/web/asYouType.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { reading } from '../../../../platform/web/queries.ts'
import { findCandidates, LEAST_LETTERS, listPermissions } from '../contract.ts'

/** Who holds what in this application. */
export const usePermissions = () => useQuery(reading(listPermissions, { params: { appId: configuration.appId } }))

/** Who could be made an administrator. */
export const useCandidates = (text: string) =>
  useAsYouType(text, { call: findCandidates, least: LEAST_LETTERS, asked: (q) => ({ query: { q } }) })
