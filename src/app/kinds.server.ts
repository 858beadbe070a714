import type { SheetRecordKind } from '../contract/records.ts'
import type { AppContext } from '../platform/server/app-context.ts'
import type { RecordKindServer } from '../platform/server/handler.ts'
import { brandKind } from '../records/brands/kind.server.ts'
import { boardMemberKind, charterAffairKind, districtKind } from '../records/charter-affairs/kind.server.ts'
import { charterKind } from '../records/charters/kind.server.ts'
import { personKind } from '../records/people/kind.server.ts'
import { sisSiteKind } from '../records/sis-sites/kind.server.ts'
import { siteKind } from '../records/sites/kind.server.ts'
import { findLeavingAt, leavingPlans } from './departures/part.server.ts'

/** The kinds of records: how features edit them, and their calls. */
export const recordKinds: Readonly<Record<SheetRecordKind, RecordKindServer>> = {
  brand: brandKind,
  charter: charterKind,
  charter_affair: charterAffairKind,
  site: siteKind,
  sis_site: sisSiteKind,
  person: personKind,
  authorizer_board_member: boardMemberKind,
  center_district: districtKind,
}

/** Someone who leaves is a planned change of the person, and of the sites where they have roles. */
export const kindPlans: AppContext['plans'] = { person: leavingPlans, site: { findElsewhere: findLeavingAt } }
