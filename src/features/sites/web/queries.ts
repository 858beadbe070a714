import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../platform/web/queries.ts'
import { listSiteSummaries, readSite } from '../contract.ts'

export const siteSummariesQuery = reading(listSiteSummaries)
export const siteQuery = (slug: string) => reading(readSite, { params: { slug } })

/** All sites as lists and cards show them. */
export const useSiteSummaries = () => useQuery(siteSummariesQuery)
/** One site with everything its pages show, by slug or `_id`. */
export const useSite = (slug: string) => useQuery(siteQuery(slug))
