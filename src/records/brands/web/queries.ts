import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../platform/web/queries.ts'
import { listBrands, readBrand, viewBrand } from '../contract.ts'

export const brandsQueryOptions = callQueryOptions(listBrands)
export const brandQueryOptions = (id: string) => callQueryOptions(readBrand, { params: { id } })
export const brandViewQueryOptions = (id: string) => callQueryOptions(viewBrand, { params: { id } })

export const useBrands = () => useQuery(brandsQueryOptions)
/** One brand with its charters, by `_id` or slug. */
export const useBrand = (id: string) => useQuery(brandQueryOptions(id))
/** One brand for its view page. */
export const useBrandView = (id: string) => useQuery(brandViewQueryOptions(id))
