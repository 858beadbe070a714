import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { readSisSite } from '../contract.ts'

/** One SIS site. Those of a location come with the location itself. */
export const useSisSite = (id: string) => useQuery(reading(readSisSite, { params: { id } }))
