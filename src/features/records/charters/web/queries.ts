import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { listCharters, readCharter, readStudentTotal, viewCharter } from '../contract.ts'

export const chartersQueryOptions = reading(listCharters)
export const studentTotalQueryOptions = reading(readStudentTotal)
export const charterQueryOptions = (slug: string) => reading(readCharter, { params: { slug } })
export const charterViewQueryOptions = (id: string) => reading(viewCharter, { params: { id } })

export const useCharters = () => useQuery(chartersQueryOptions)
export const useStudentTotal = () => useQuery(studentTotalQueryOptions)
/** One charter with the summaries of its sites, by slug or `_id`. */
export const useCharter = (slug: string) => useQuery(charterQueryOptions(slug))
/** One charter for its view page. */
export const useCharterView = (id: string) => useQuery(charterViewQueryOptions(id))
