import { useMemo } from 'react'

import type { BodyOf } from '../../../../contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { showMergedNotice } from '../../../../platform/web/form/show-merged-notice.ts'
import { newRecord } from '../../../../platform/web/form/use-edit-form.ts'
import { getQueryKey, queryClient } from '../../../../platform/web/queries.ts'
import { useSiteSummaries } from '../../sites/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/SiteHeadCard.tsx'
import { createSisSite, readSisSite, updateSisSite } from '../contract.ts'
import type { SisSite } from '../contract.ts'
import { NEW_SIS_SECTIONS, buildNewSisValues, SIS_SECTIONS, buildSisFields, toSisValues } from './sis-fields.ts'

const useFields = () => {
  const { data: sites } = useSiteSummaries()
  return useMemo(() => buildSisFields((site) => sites?.find(({ _id }) => _id === site)?.displayName ?? 'another site'), [sites])
}

/** The Add Site form of a location's SIS page. */
export const NewSisForm = ({ site, draftKey, onClose }: SiteFormProps) => {
  const fields = useFields()
  const record = useMemo(() => newRecord(buildNewSisValues(site._id)), [site._id])
  return (
    <EditForm
      name={draftKey}
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

const toSnapshot = (sis: SisSite) => ({
  values: toSisValues(sis),
  version: sis.version,
  updatedBy: sis.updatedBy,
  updatedAt: sis.updatedAt,
})

interface SisFormProps {
  sis: SisSite
  draftKey: string
  onSaved: (sis: SisSite) => void
  onClose: () => void
}

/** The edit form of a SIS site, which can move it to another location. */
export const SisForm = ({ sis, draftKey, onSaved, onClose }: SisFormProps) => {
  const fields = useFields()
  const record = useMemo(() => toSnapshot(sis), [sis])
  return (
    <EditForm
      name={draftKey}
      call={updateSisSite}
      title={`Edit ${sis.name}`}
      back={sis.name}
      fields={fields}
      sections={SIS_SECTIONS}
      record={record}
      send={(edit) => send(updateSisSite, { params: { id: sis._id }, ...edit })}
      reload={async () => toSnapshot(await send(readSisSite, { params: { id: sis._id } }))}
      onSaved={(answer, mergedWith) => {
        const saved = answer as SisSite
        queryClient.setQueryData(getQueryKey(readSisSite, { params: { id: sis._id } }), saved)
        void queryClient.invalidateQueries()
        showMergedNotice(saved.name, mergedWith)
        onSaved(saved)
      }}
      onCancel={onClose}
    />
  )
}
