import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { listProgramTypes } from '../contract.ts'

/** All program types a site can offer. */
export const useProgramTypes = () => useQuery(callQueryOptions(listProgramTypes))
