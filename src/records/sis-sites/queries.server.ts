import { notFound } from '../../contract/problem.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { findModelId } from '../../platform/server/read-model/read-record.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import { toSisSite, toSisSites } from '../sites/queries.server.ts'
import type { SisSite } from './contract.ts'

/** The SIS sites of one location, or all; throws 404 for an unknown location. */
export const listSisSitesOfSite = async (model: ReadModel, site: string | undefined): Promise<SisSite[]> => {
  await model.ready()
  if (site === undefined) return toSisSites(model, model.table('sis_site').all())
  const _id = await findModelId(model, 'site', site)
  return toSisSites(model, model.table('sis_site').where('site', _id))
}

/** One SIS site; throws 404. */
export const getSisSite = async (model: ReadModel, _id: string): Promise<SisSite> => {
  await model.ready()
  const found = model.table('sis_site').get(_id)
  if (!found) throw notFound('SIS site')
  return toSisSite(model, found)
}

/** The record with the values of an edit. */
export const toSisSiteInput = (row: ModelRow<'sis_site'>): object => row
