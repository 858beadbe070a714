import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../platform/web/queries.ts'
import { listProgramTypes } from '../contract.ts'

export const programTypesQuery = reading(listProgramTypes)
export const useProgramTypes = () => useQuery(programTypesQuery)
