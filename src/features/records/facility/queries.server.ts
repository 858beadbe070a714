import { sql } from 'kysely'

import { notFound } from '../../../contract/problem.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow } from '../../../database/json.server.ts'
import { selectFacilities } from '../sites/queries.server.ts'
import type { FacilityInfo } from './contract.ts'

/** The facility record of a site. */
export const getFacility = async (db: Queryable, site: string): Promise<FacilityInfo> => {
  const found = await readJsonRow(db, selectFacilities(db).where(sql<boolean>`facility.site = ${site}`))
  if (!found) throw notFound('Site')
  return found
}
