import { type ReactNode, useMemo } from 'react'

import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import type { Brand } from '../../brands/contract.ts'
import { useBrands } from '../../brands/web/queries.ts'
import type { Charter } from '../contract.ts'
import { buildCharterFields } from './charter-fields.ts'
import { useCharters } from './queries.ts'

type Children = (fields: ReturnType<typeof buildCharterFields>, charters: readonly Charter[]) => ReactNode
interface CharterFieldsProps {
  readonly brands: readonly Brand[]
  readonly charters: readonly Charter[]
  readonly children: Children
}

const CharterFields = ({ brands, charters, children }: CharterFieldsProps) => {
  const fields = useMemo(() => buildCharterFields(brands.map(({ _id, brandName }) => ({ value: _id, label: brandName }))), [brands])
  return <>{children(fields, charters)}</>
}

/** Loads the brands to choose from and the charters whose names are taken, then renders the form. */
export const WithCharterLists = ({ children }: { children: Children }) => {
  const charters = useCharters()
  const skeleton = <DetailSkeleton beside="picture" />
  return (
    <LoadedRecord query={useBrands()} what="list of brands" skeleton={skeleton}>
      {(brands) => (
        <LoadedRecord query={charters} what="list of charters" skeleton={skeleton}>
          {(known) => (
            <CharterFields brands={brands} charters={known}>
              {children}
            </CharterFields>
          )}
        </LoadedRecord>
      )}
    </LoadedRecord>
  )
}
