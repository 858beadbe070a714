import type { RowListSource } from '../../platform/server/read-model/list-source.ts'
import type { ReadModel } from '../../platform/server/read-model/read-model.ts'
import {
  getSiteStaff,
  getVacantRoles,
  toMoment,
  toPersonReference,
  toRegionReference,
} from '../../platform/server/read-model/references.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import { listSitesAs } from '../../records/sites/queries.server.ts'
import type { CoveredSite } from './contract.ts'

const toCoveredSite = (model: ReadModel, site: ModelRow<'site'>): CoveredSite => {
  const region = model.table('region').get(site.region)
  const charter = model.table('charter').get(site.charter)
  return {
    _id: site._id,
    slug: site.slug,
    displayName: site.displayName,
    category: site.category,
    status: site.status,
    city: site.city,
    state: site.state,
    phone: site.phone,
    region: region ? toRegionReference(region) : null,
    charter: charter ? { _id: charter._id, slug: charter.slug, name: charter.name } : null,
    vacant: getVacantRoles(model, site),
    checkedAt: toMoment(site.checkedAt),
    version: site.version,
    people: getSiteStaff(model, site._id).map(({ role, person }) => ({ role: role.name, person: toPersonReference(person) })),
  }
}

/** Sites by name with the people in their roles. */
export const COVERAGE = listSitesAs(toCoveredSite)

/** The same for one region. */
export const listCoverageOf = (region: string): RowListSource => ({
  ...COVERAGE,
  getIds: (model) => model.getKeysInOrder('site').filter((_id) => model.table('site').get(_id)?.region === region),
})
