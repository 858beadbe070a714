import { notFound } from '../../../contract/problem.ts'
import { isId } from '../../../contract/slugs.ts'
import type { Queryable } from '../../../database/connection.server.ts'
import { readJsonRow, readJsonRows } from '../../../database/json.server.ts'
import { findRecordId } from '../../../database/record-lookup.server.ts'
import { selectSisSites } from '../sites/queries.server.ts'
import type { SisSite } from './contract.ts'

/** The SIS sites of one location, or all; throws 404 for no such location. */
export const listSisSitesOfSite = async (db: Queryable, site: string | undefined): Promise<SisSite[]> =>
  readJsonRows(
    db,
    site === undefined ? selectSisSites(db) : selectSisSites(db).where('sis.site', '=', await findRecordId(db, 'site', site)),
  )

/** One SIS site; throws 404. */
export const getSisSite = async (db: Queryable, _id: string): Promise<SisSite> => {
  const found = isId(_id) ? await readJsonRow(db, selectSisSites(db).where('sis._id', '=', _id)) : undefined
  if (!found) throw notFound('SIS site')
  return found
}

/** The record with the field names and values of an edit. */
export const toSisSiteInput = (found: SisSite) => ({ ...found, site: found.site._id })
