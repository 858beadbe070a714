import type { RecordKinds } from '../platform/server/record-editor.ts'
import { brandKind } from '../records/brands/kind.server.ts'
import { boardMemberKind, charterAffairKind, districtKind } from '../records/charter-affairs/kind.server.ts'
import { charterKind } from '../records/charters/kind.server.ts'
import { personKind } from '../records/people/kind.server.ts'
import { sisSiteKind } from '../records/sis-sites/kind.server.ts'
import { siteKind } from '../records/sites/kind.server.ts'

/** The kinds of records, as features edit them. */
export const recordKinds: RecordKinds = {
  site: siteKind,
  person: personKind,
  charter: charterKind,
  brand: brandKind,
  charter_affair: charterAffairKind,
  sis_site: sisSiteKind,
  authorizer_board_member: boardMemberKind,
  center_district: districtKind,
}
