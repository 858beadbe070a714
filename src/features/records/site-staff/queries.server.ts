import { sql } from 'kysely'

import type { Tx } from '../../../database/connection.server.ts'
import { readJsonRows } from '../../../database/json.server.ts'
import { selectSitePeople } from '../sites/queries.server.ts'
import type { SitePerson } from './contract.ts'

/** All of a site's staff. */
export const getSiteStaff = async (tx: Tx, site: string): Promise<{ _id: string; people: SitePerson[] }> => ({
  _id: site,
  people: await readJsonRows(tx, selectSitePeople(tx).where(sql<boolean>`site_person.site = ${site}`)),
})
