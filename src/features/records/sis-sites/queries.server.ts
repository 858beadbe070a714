import type { Queryable } from '../../../database/connection.server.ts'
import { jsonRow, jsonRows } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { notFound } from '../../../platform/contract/problem.ts'
import { isId } from '../../../platform/contract/slugs.ts'
import { selectSisSites } from '../sites/queries.server.ts'
import type { SisSite } from './contract.ts'

/** The SIS sites of one location, or all; throws 404 for no such location. */
export const listSisSitesOfSite = async (db: Queryable, site: string | undefined): Promise<SisSite[]> =>
  jsonRows(db, site === undefined ? selectSisSites(db) : selectSisSites(db).where('sis.site', '=', await idOf(db, 'site', site)))

/** One SIS site; throws 404. */
export const getSisSite = async (db: Queryable, _id: string): Promise<SisSite> => {
  const found = isId(_id) ? await jsonRow(db, selectSisSites(db).where('sis._id', '=', _id)) : undefined
  if (!found) throw notFound('SIS site')
  return found
}

/** A record under the names and values it is written by: what an edit is compared with. */
export const toSisSiteInput = (found: SisSite) => ({ ...found, site: found.site._id })
