import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { listHelp, readHelp } from '../contract.ts'

/** The guides change only with the program. */
const withProgram = { staleTime: Infinity }

export const useHelpContents = () => useQuery({ ...callQueryOptions(listHelp), ...withProgram })
export const useGuide = (guide: string) => useQuery({ ...callQueryOptions(readHelp, { params: { guide } }), ...withProgram })
