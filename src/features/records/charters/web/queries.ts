import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { listCharters, readCharter, readStudentTotal, viewCharter } from '../contract.ts'

export const chartersQuery = reading(listCharters)
export const studentTotalQuery = reading(readStudentTotal)
export const charterQuery = (slug: string) => reading(readCharter, { params: { slug } })
export const charterViewQuery = (id: string) => reading(viewCharter, { params: { id } })

export const useCharters = () => useQuery(chartersQuery)
export const useStudentTotal = () => useQuery(studentTotalQuery)
/** One charter with the cards of its sites, by slug or `_id`. */
export const useCharter = (slug: string) => useQuery(charterQuery(slug))
/** One charter as its view page shows it. */
export const useCharterView = (id: string) => useQuery(charterViewQuery(id))
