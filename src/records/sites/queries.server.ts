import type { RowListSource } from '../../platform/server/list-cache.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import { toSiteSummary } from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
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
})

/** The sites affected by a change; a role or program type may affect any site. */
export const findAffectedSites: RowListSource['findAffected'] = (model, { table, key, before, after }) => {
  const named = (column: 'site'): string[] =>
    [before, after].flatMap((row) => (row && column in row ? [(row as unknown as { site: string }).site] : []))
  const keysWhere = (column: 'charter' | 'region', _id: string): string[] =>
    model
      .table('site')
      .where(column, _id)
      .map((site) => site._id)
  switch (table) {
    case 'site':
    case 'facility':
    case 'enrollment':
      return [key]
    case 'site_program_type':
    case 'site_person':
    case 'sis_site':
      return named('site')
    case 'person':
      return model
        .table('site_person')
        .where('person', key)
        .map(({ site }) => site)
    case 'charter':
      return keysWhere('charter', key)
    case 'brand':
      return model
        .table('charter')
        .where('brand', key)
        .flatMap(({ _id }) => keysWhere('charter', _id))
    case 'region':
      return keysWhere('region', key)
    case 'charter_affair':
      return []
    case 'role':
    case 'program_type':
      return 'all'
  }
}

/** A list of all sites by name, each in the given shape. */
export const listSitesAs = (toRow: (model: ReadModel, site: ModelRow<'site'>) => object): RowListSource => ({
  getIds: (model) => model.getKeysInOrder('site'),
  toRow: (model, _id) => {
    const site = model.table('site').get(_id)
    return site && toRow(model, site)
  },
  findAffected: findAffectedSites,
})
