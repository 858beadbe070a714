import { defineRowList, type RowListSource } from '../../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { toArchived, toSiteSummary } from '../../platform/server/read-model/references.ts'
import { getReferenced } from '../../platform/server/read-model/table-rows.ts'
import type { ModelRow, ModelTable } from '../../platform/server/read-model/tables.ts'
import { Address, type Site } from './contract.ts'
import { toEnrollment, toFacility, toSisSites, toSiteStaff } from './parts.server.ts'

export { toEnrollment, toFacility, toSisSite, toSisSites, toSiteStaff } from './parts.server.ts'

const ADDRESS_FIELDS = Address.keyof().options
const toAddress = (site: ModelRow<'site'>): Site['address'] =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, site[field]])) as Site['address']

/** A site with everything its pages show. */
export const toSite = (model: ReadModel, site: ModelRow<'site'>): Site => ({
  ...toSiteSummary(model, site, toAddress),
  latitude: site.latitude,
  longitude: site.longitude,
  directory_id: site.directory_id,
  people: toSiteStaff(model, site._id),
  facility_info: toFacility(model.table('facility').need(site._id)),
  enrollment_info: toEnrollment(model, model.table('enrollment').need(site._id)),
  sis_sites: toSisSites(model, model.table('sis_site').where('site', site._id)),
  updatedBy: site.updatedBy,
  checkedBy: site.checkedBy,
  ...toArchived(site),
})

type FindAffected = RowListSource['findAffected']

const keysWhere = (model: ReadModel, column: 'charter' | 'region', _id: string): string[] =>
  model
    .table('site')
    .where(column, _id)
    .map((site) => site._id)

const ofOwn: FindAffected = (_model, { key }) => [key]
const ofRow: FindAffected = (_model, change) => getReferenced(change, 'site')
/** A role or program type may affect any site. */
const ofAll: FindAffected = () => 'all'

/** The sites affected by a change of each other table; tables that are not here affect none. */
const AFFECTED: Readonly<Partial<Record<ModelTable, FindAffected>>> = {
  facility: ofOwn,
  enrollment: ofOwn,
  site_program_type: ofRow,
  site_person: ofRow,
  sis_site: ofRow,
  person: (model, { key }) =>
    model
      .table('site_person')
      .where('person', key)
      .map(({ site }) => site),
  charter: (model, { key }) => keysWhere(model, 'charter', key),
  brand: (model, { key }) =>
    model
      .table('charter')
      .where('brand', key)
      .flatMap(({ _id }) => keysWhere(model, 'charter', _id)),
  region: (model, { key }) => keysWhere(model, 'region', key),
  role: ofAll,
  program_type: ofAll,
}
const findAffectedSites: FindAffected = (model, change) => AFFECTED[change.table]?.(model, change) ?? []

/** A list of all sites by name, each in the given shape. */
export const listSitesAs = (toRow: (model: ReadModel, site: ModelRow<'site'>) => object): RowListSource =>
  defineRowList('site', (model) => model.getKeysInOrder('site'), toRow, findAffectedSites)
