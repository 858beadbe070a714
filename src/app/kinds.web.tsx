import type { ReactNode } from 'react'

import type { FieldGroup, LoadedFields, RecordKindsWeb } from '../platform/web/record-kinds.ts'
import { brandKind } from '../records/brands/kind.web.tsx'
import { boardMemberKind, charterAffairKind, districtKind } from '../records/charter-affairs/kind.web.tsx'
import { charterKind } from '../records/charters/kind.web.tsx'
import { personKind } from '../records/people/kind.web.tsx'
import { sisSiteKind } from '../records/sis-sites/kind.web.tsx'
import { siteKind } from '../records/sites/kind.web.tsx'

/** The kinds of records, as features show their fields. */
export const recordKinds: RecordKindsWeb = {
  site: siteKind,
  person: personKind,
  charter: charterKind,
  brand: brandKind,
  charter_affair: charterAffairKind,
  sis_site: sisSiteKind,
  authorizer_board_member: boardMemberKind,
  center_district: districtKind,
}

type LoadedGroup = FieldGroup & LoadedFields
interface WithGroupsProps {
  readonly groups: readonly FieldGroup[]
  readonly loaded?: readonly LoadedGroup[]
  readonly children: (groups: readonly LoadedGroup[]) => ReactNode
}

/** Loads the fields of several groups, one after the other. */
export const WithGroups = ({ groups: [first, ...others], loaded = [], children }: WithGroupsProps): ReactNode => {
  if (!first) return children(loaded)
  const { WithFields } = first
  return (
    <WithFields>
      {(fields) => (
        <WithGroups groups={others} loaded={[...loaded, { ...first, ...fields }]}>
          {children}
        </WithGroups>
      )}
    </WithFields>
  )
}
