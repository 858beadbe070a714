import { type ReactNode, useMemo } from 'react'

import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import type { Brand } from '../../brands/contract.ts'
import { useBrands } from '../../brands/web/queries.ts'
import type { Charter } from '../contract.ts'
import { buildCharterFields } from './charter-fields.ts'
import { useCharters } from './queries.ts'

export interface CharterLists {
  readonly brands: readonly Brand[]
  readonly charters: readonly Charter[]
}

/** Loads the brands to choose from and the charters whose names are taken. */
export const WithCharterLists = ({ children }: { children: (lists: CharterLists) => ReactNode }) => {
  const brands = useBrands()
  const charters = useCharters()
  const skeleton = <DetailSkeleton beside="picture" />
  return (
    <LoadedRecord query={brands} what="list of brands" skeleton={skeleton}>
      {(knownBrands) => (
        <LoadedRecord query={charters} what="list of charters" skeleton={skeleton}>
          {(knownCharters) => children({ brands: knownBrands, charters: knownCharters })}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}

/** The fields of the form with the brands to choose from. */
export const useCharterFields = (brands: readonly Brand[], isNew: boolean) =>
  useMemo(
    () =>
      buildCharterFields(
        brands.map(({ _id, brandName }) => ({ value: _id, label: brandName })),
        isNew,
      ),
    [brands, isNew],
  )
