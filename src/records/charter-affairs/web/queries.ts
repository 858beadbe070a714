import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { readCharterAffair } from '../contract.ts'

/** Not cached after its page is left. */
export const charterAffairQueryOptions = (id: string) => ({ ...callQueryOptions(readCharterAffair, { params: { id } }), gcTime: 0 })

/** A charter with its affair: a list with one record, or an empty list. */
export const useCharterAffair = (id: string) => useQuery(charterAffairQueryOptions(id))
