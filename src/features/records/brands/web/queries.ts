import { useQuery } from '@tanstack/react-query'

import { reading } from '../../../../platform/web/queries.ts'
import { listBrands, readBrand, viewBrand } from '../contract.ts'

export const brandsQuery = reading(listBrands)
export const brandQuery = (id: string) => reading(readBrand, { params: { id } })
export const brandViewQuery = (id: string) => reading(viewBrand, { params: { id } })

export const useBrands = () => useQuery(brandsQuery)
/** One brand with its charters, by `_id` or slug. */
export const useBrand = (id: string) => useQuery(brandQuery(id))
/** One brand as its view page shows it. */
export const useBrandView = (id: string) => useQuery(brandViewQuery(id))
