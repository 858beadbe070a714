import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { jsonRow, jsonRows } from '../../../database/json.server.ts'
import { idOf } from '../../../database/lookup.server.ts'
import { write } from '../../../database/saving.server.ts'
import { badFields, notFound, Problem } from '../../../platform/contract/problem.ts'
import { isId } from '../../../platform/contract/slugs.ts'
import { selectSisSites } from '../sites/queries.server.ts'
import type { SisSite, SisSiteChange } from './contract.ts'

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

const getSiteId = async (tx: Tx, site: string): Promise<string> =>
  idOf(tx, 'site', site).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? badFields([{ path: 'site', message: 'This site does not exist' }]) : error
  })

/** Adds a SIS site; gives its `_id`. */
export const insertSisSite = async (tx: Tx, { site, name, ...given }: SisSiteChange & { site: string; name: string }): Promise<string> => {
  const blank = { sislc_id: null, charterId: null, charterName: null, activeDate: null, inactiveDate: null, siteId: null, homeSiteId: null }
  const values = { ...blank, ...given, name, site: await getSiteId(tx, site) }
  const { _id } = await tx.insertInto('sis_site').values(values).returning('_id').executeTakeFirstOrThrow()
  return _id
}

/** Writes what was changed of a claimed SIS site. */
export const saveSisSite = async (tx: Tx, _id: string, { site, ...changed }: SisSiteChange): Promise<void> =>
  write(tx, 'sis_site', _id, site === undefined ? changed : { ...changed, site: await getSiteId(tx, site) })
