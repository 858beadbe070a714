import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { readSisSite } from '../contract.ts'

/** One SIS site. A location includes its own SIS sites. */
export const useSisSite = (id: string) => useQuery(callQueryOptions(readSisSite, { params: { id } }))
