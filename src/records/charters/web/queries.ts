import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { listCharters, readCharter, readStudentTotal, viewCharter } from '../contract.ts'

export const chartersQueryOptions = callQueryOptions(listCharters)
export const studentTotalQueryOptions = callQueryOptions(readStudentTotal)
export const charterQueryOptions = (slug: string) => callQueryOptions(readCharter, { params: { slug } })
export const charterViewQueryOptions = (id: string) => callQueryOptions(viewCharter, { params: { id } })

export const useCharters = () => useQuery(chartersQueryOptions)
export const useStudentTotal = () => useQuery(studentTotalQueryOptions)
/** One charter with the summaries of its sites, by slug or `_id`. */
export const useCharter = (slug: string) => useQuery(charterQueryOptions(slug))
/** One charter for its view page. */
export const useCharterView = (id: string) => useQuery(charterViewQueryOptions(id))
