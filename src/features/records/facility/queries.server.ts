import { sql } from 'kysely'

import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { jsonRow } from '../../../database/json.server.ts'
import { write } from '../../../database/saving.server.ts'
import { badFields, notFound } from '../../../platform/contract/problem.ts'
import { selectFacilities } from '../sites/queries.server.ts'
import type { FacilityChange, FacilityInfo } from './contract.ts'

/** The facility record of a site. */
export const getFacility = async (db: Queryable, site: string): Promise<FacilityInfo> => {
  const found = await jsonRow(db, selectFacilities(db).where(sql<boolean>`facility.site = ${site}`))
  if (!found) throw notFound('Site')
  return found
}

/** Writes what was changed. An open-ended lease has no end date: ticking Open Ended clears it, and none can be set while it is ticked. */
export const saveFacility = async (tx: Tx, site: string, stored: FacilityInfo, changed: FacilityChange): Promise<void> => {
  const isOpen = changed.lease_end_open ?? stored.lease_end_open
  if (isOpen && changed.lease_end && changed.lease_end_open === undefined)
    throw badFields([{ path: 'lease_end', message: 'An open-ended lease has no end date' }])
  await write(tx, 'facility', site, isOpen ? { ...changed, lease_end: null } : changed)
}
