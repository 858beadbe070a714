import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { readCharterAffair } from '../contract.ts'

/** Nothing of it is remembered once its page is left: leaving the page clears the stored record. */
export const charterAffairQueryOptions = (id: string) => ({ ...reading(readCharterAffair, { params: { id } }), gcTime: 0 })

/** A charter with its affair: one record in a list, or an empty list. */
export const useCharterAffair = (id: string) => useQuery(charterAffairQueryOptions(id))
