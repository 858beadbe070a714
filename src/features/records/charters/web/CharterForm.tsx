import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'

import type { BodyOf } from '../../../../platform/contract/call.ts'
import { send } from '../../../../platform/web/client.ts'
import { EditForm } from '../../../../platform/web/form/EditForm.tsx'
import { tellMerged } from '../../../../platform/web/form/tellMerged.ts'
import { newRecord } from '../../../../platform/web/form/useEditForm.ts'
import { useGoBack } from '../../../../platform/web/form/useGoBack.ts'
import { DetailSkeleton } from '../../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../../platform/web/kit/LoadedRecord.tsx'
import { showDone } from '../../../../platform/web/notice.ts'
import { keyOf, queryClient } from '../../../../platform/web/queries.ts'
import type { Brand } from '../../brands/contract.ts'
import { useBrands } from '../../brands/web/queries.ts'
import { createCharter, updateCharter, viewCharter } from '../contract.ts'
import type { Charter } from '../contract.ts'
import {
  CHARTER_SECTIONS,
  buildCharterFields,
  toCharterValues,
  NEW_CHARTER_SECTIONS,
  newCharterValues,
  buildDuplicateNameRule,
  suggestSlug,
} from './charter-fields.ts'
import { useCharters } from './queries.ts'

interface Lists {
  readonly brands: readonly Brand[]
  readonly charters: readonly Charter[]
}

/** Loads the brands to choose from and the charters whose names are taken. */
const WithLists = ({ children }: { children: (lists: Lists) => React.ReactNode }) => {
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

const useFields = (brands: readonly Brand[], isNew: boolean) =>
  useMemo(
    () =>
      buildCharterFields(
        brands.map(({ _id, brandName }) => ({ value: _id, label: brandName })),
        isNew,
      ),
    [brands, isNew],
  )

const NEW_CHARTER = newRecord(newCharterValues)

const NewCharterForm = ({ brands, charters }: Lists) => {
  const navigate = useNavigate()
  return (
    <EditForm
      name="new charter"
      call={createCharter}
      title="Add Charter"
      back="Back"
      saveLabel="Add Charter"
      cancelLabel="Cancel"
      fields={useFields(brands, true)}
      sections={NEW_CHARTER_SECTIONS}
      across={buildDuplicateNameRule(charters, null)}
      along={suggestSlug}
      record={NEW_CHARTER}
      send={({ body }) => send(createCharter, { body: body as BodyOf<typeof createCharter> })}
      onSaved={(answer) => {
        const { slug, name } = answer as Charter
        void queryClient.invalidateQueries()
        void navigate({ to: '/charters', ignoreBlocker: true }).then(() =>
          showDone({ text: `${name} was added.`, link: { to: `/charterview/${encodeURIComponent(slug)}`, label: 'Open' } }),
        )
      }}
      onCancel={useGoBack('/charters')}
    />
  )
}

/** `/addcharter`, behind the admin guard: creates a charter, then returns to the list. */
export const NewCharterPage = () => <WithLists>{(lists) => <NewCharterForm {...lists} />}</WithLists>

const toSnapshot = (charter: Charter) => ({
  values: toCharterValues(charter),
  version: charter.version,
  updatedBy: charter.updatedBy,
  updatedAt: charter.updatedAt,
})

interface CharterFormProps {
  charter: Charter
  draftKey: string
  onClose: () => void
}

const EditCharterForm = ({ charter, draftKey, onClose, brands, charters }: CharterFormProps & Lists) => {
  const record = useMemo(() => toSnapshot(charter), [charter])
  return (
    <EditForm
      name={draftKey}
      call={updateCharter}
      title={`Edit ${charter.name}`}
      back={charter.name}
      fields={useFields(brands, false)}
      sections={CHARTER_SECTIONS}
      across={buildDuplicateNameRule(charters, charter._id)}
      record={record}
      send={(edit) => send(updateCharter, { params: { id: charter._id }, ...edit })}
      reread={async () => toSnapshot(await send(viewCharter, { params: { id: charter._id } }))}
      onSaved={(answer, mergedWith) => {
        for (const id of [charter._id, charter.slug]) queryClient.setQueryData(keyOf(viewCharter, { params: { id } }), answer)
        void queryClient.invalidateQueries()
        tellMerged(charter.name, mergedWith)
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

/** The edit form of a charter. */
export const CharterForm = (props: CharterFormProps) => <WithLists>{(lists) => <EditCharterForm {...props} {...lists} />}</WithLists>
