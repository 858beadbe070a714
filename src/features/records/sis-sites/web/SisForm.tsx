import { useMemo } from 'react'

import type { BodyOf } from '../../../../platform/contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { tellMerged } from '../../../../platform/web/form/tellMerged.ts'
import { newRecord } from '../../../../platform/web/form/useEditForm.ts'
import { keyOf, queryClient } from '../../../../platform/web/queries.ts'
import { useSiteSummaries } from '../../sites/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/SiteHeadCard.tsx'
import { createSisSite, readSisSite, updateSisSite } from '../contract.ts'
import type { SisSite } from '../contract.ts'
import { NEW_SIS_SECTIONS, newSisValues, SIS_SECTIONS, sisFormFields, sisValues } from './sisForm.ts'

const useFields = () => {
  const { data: sites } = useSiteSummaries()
  return useMemo(() => sisFormFields((site) => sites?.find(({ _id }) => _id === site)?.displayName ?? 'another site'), [sites])
}

/** The Add Site form of a location's SIS page (section 2). */
export const NewSisForm = ({ site, keptAs, onClose }: SiteFormProps) => {
  const fields = useFields()
  const record = useMemo(() => newRecord(newSisValues(site._id)), [site._id])
  return (
    <EditForm
      name={keptAs}
      call={createSisSite}
      title={`Add SIS Site: ${site.displayName}`}
      back="SIS sites"
      saveLabel="Add Site"
      cancelLabel="Cancel"
      fields={fields}
      sections={NEW_SIS_SECTIONS}
      record={record}
      send={({ body }) => send(createSisSite, { body: body as BodyOf<typeof createSisSite> })}
      onSaved={() => {
        void queryClient.invalidateQueries()
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

const snapshot = (sis: SisSite) => ({
  values: sisValues(sis),
  version: sis.version,
  updatedBy: sis.updatedBy,
  updatedAt: sis.updatedAt,
})

interface SisFormProps {
  sis: SisSite
  keptAs: string
  onSaved: (sis: SisSite) => void
  onClose: () => void
}

/** The edit form of a SIS site; it can be moved to another location (section 2). */
export const SisForm = ({ sis, keptAs, onSaved, onClose }: SisFormProps) => {
  const fields = useFields()
  const record = useMemo(() => snapshot(sis), [sis])
  return (
    <EditForm
      name={keptAs}
      call={updateSisSite}
      title={`Edit ${sis.name}`}
      back={sis.name}
      fields={fields}
      sections={SIS_SECTIONS}
      record={record}
      send={(edit) => send(updateSisSite, { params: { id: sis._id }, ...edit })}
      reread={async () => snapshot(await send(readSisSite, { params: { id: sis._id } }))}
      onSaved={(answer, mergedWith) => {
        const saved = answer as SisSite
        queryClient.setQueryData(keyOf(readSisSite, { params: { id: sis._id } }), saved)
        void queryClient.invalidateQueries()
        tellMerged(saved.name, mergedWith)
        onSaved(saved)
      }}
      onCancel={onClose}
    />
  )
}
