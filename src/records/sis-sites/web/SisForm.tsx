import { useMemo } from 'react'

import { send } from '../../../platform/web/client.ts'
import { EditForm } from '../../../platform/web/form/EditForm.tsx'
import { NewRecordForm } from '../../../platform/web/form/NewRecordForm.tsx'
import { showSaved } from '../../../platform/web/form/show-saved.ts'
import { getQueryKey, queryClient } from '../../../platform/web/queries.ts'
import type { SiteFormProps } from '../../sites/web/public/use-site-form.ts'
import { useSiteSummaries } from '../../sites/web/queries.ts'
import { createSisSite, readSisSite, updateSisSite } from '../contract.ts'
import type { SisSite } from '../contract.ts'
import { NEW_SIS_SECTIONS, buildNewSisValues, SIS_SECTIONS, buildSisFields, toSisValues } from './sis-fields.ts'

const useFields = () => {
  const { data: sites } = useSiteSummaries()
  return useMemo(() => buildSisFields((site) => sites?.find(({ _id }) => _id === site)?.displayName ?? 'another site'), [sites])
}

/** The Add SIS Site form of a location's SIS page. */
export const NewSisForm = ({ record: site, draftKey, onClose }: SiteFormProps) => (
  <NewRecordForm
    call={createSisSite}
    draftKey={draftKey}
    title={`Add SIS Site: ${site.displayName}`}
    back="SIS sites"
    saveLabel="Add SIS Site"
    fields={useFields()}
    sections={NEW_SIS_SECTIONS}
    initialValues={useMemo(() => buildNewSisValues(site._id), [site._id])}
    onSaved={({ name }) => {
      onClose()
      showSaved({ text: `${name} was added.` })
    }}
    onCancel={onClose}
  />
)

interface SisFormProps {
  sis: SisSite
  draftKey: string
  onSaved: (sis: SisSite) => void
  onClose: () => void
}

/** The edit form of a SIS site, which can move it to another location. */
export const SisForm = ({ sis, draftKey, onSaved, onClose }: SisFormProps) => (
  <EditForm
    call={updateSisSite}
    params={{ id: sis._id }}
    name={sis.name}
    draftKey={draftKey}
    fields={useFields()}
    sections={SIS_SECTIONS}
    record={sis}
    toValues={toSisValues}
    read={() => send(readSisSite, { params: { id: sis._id } })}
    onSaved={(saved) => {
      queryClient.setQueryData(getQueryKey(readSisSite, { params: { id: sis._id } }), saved)
      onSaved(saved)
    }}
    onCancel={onClose}
  />
)
