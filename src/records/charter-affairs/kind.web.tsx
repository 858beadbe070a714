import { useMemo } from 'react'

import { toChoices } from '../../platform/web/form/choices.ts'
import { LoadedRecord } from '../../platform/web/kit/LoadedRecord.tsx'
import { RowSkeleton } from '../../platform/web/list/ListSkeleton.tsx'
import { type FieldGroup, type RecordKindWeb, type RenderFields, withFields } from '../../platform/web/record-kinds.ts'
import type { Charter } from '../charters/contract.ts'
import { useCharters } from '../charters/web/queries.ts'
import { DistrictInput, MemberInput, saveCharterAffair } from './contract.ts'

/** All fields of an affair are text. */
export const charterAffairKind: RecordKindWeb = {
  groups: [{ title: 'Charter affair', sheet: 'charter_affairs', schema: saveCharterAffair.body, WithFields: withFields({}) }],
}

const Fields = ({ charters, children }: { charters: readonly Charter[]; children: RenderFields }) =>
  children({
    fields: useMemo(() => ({ charter: { kind: 'search', label: 'Charter', choices: toChoices(charters) } }), [charters]),
  })

/** The rows of an affair are text, and refer to their charter. */
const WithCharter: FieldGroup['WithFields'] = ({ children }) => (
  <LoadedRecord query={useCharters()} what="list of charters" skeleton={<RowSkeleton />}>
    {(charters) => <Fields charters={charters}>{children}</Fields>}
  </LoadedRecord>
)

export const boardMemberKind: RecordKindWeb = {
  groups: [{ title: 'Board member', sheet: 'board_members', schema: MemberInput, WithFields: WithCharter }],
}
export const districtKind: RecordKindWeb = {
  groups: [{ title: 'District', sheet: 'districts', schema: DistrictInput, WithFields: WithCharter }],
}
