import { invalidFields, Problem } from '../../contract/problem.ts'
import type { Tx } from '../../database/connection.server.ts'
import { findRecordId } from '../../database/record-lookup.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import type { SisSiteChange } from './contract.ts'

const getSiteId = async (tx: Tx, site: string): Promise<string> =>
  findRecordId(tx, 'site', site).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? invalidFields([{ path: 'site', message: 'This site does not exist' }]) : error
  })

/** Inserts a SIS site; returns its `_id`. */
export const insertSisSite = async (tx: Tx, { site, name, ...given }: SisSiteChange & { site: string; name: string }): Promise<string> => {
  const blank = { sislc_id: null, charterId: null, charterName: null, activeDate: null, inactiveDate: null, siteId: null, homeSiteId: null }
  const values = { ...blank, ...given, name, site: await getSiteId(tx, site) }
  const { _id } = await tx.insertInto('sis_site').values(values).returning('_id').executeTakeFirstOrThrow()
  return _id
}

/** Updates a locked SIS site. */
export const saveSisSite = async (tx: Tx, _id: string, { site, ...changed }: SisSiteChange): Promise<void> =>
  updateRecord(tx, 'sis_site', _id, site === undefined ? changed : { ...changed, site: await getSiteId(tx, site) })

/** Deletes a locked SIS site. */
export const removeSisSite = async (tx: Tx, _id: string): Promise<void> => {
  await tx.deleteFrom('sis_site').where('_id', '=', _id).execute()
}
