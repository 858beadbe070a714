import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import { handleCreate, handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { toSiteSummary } from '../../platform/server/read-model/references.ts'
import { createSite, listSites, listSiteSummaries, readSite, updateSite } from './contract.ts'
import { insertSite, SITE_REFERENCES, toStoredSite, validateSite } from './mutations.server.ts'
import { listSitesAs, toSite } from './queries.server.ts'

export const siteEdit = defineEdit({
  call: updateSite,
  table: 'site',
  findKey: findByIdOrSlug('site'),
  toInput: toStoredSite,
  validate: validateSite,
  toColumns: ({ address, ...own }) => ({ ...own, ...address }),
  references: SITE_REFERENCES,
  dependentFields: Object.keys(SITE_REFERENCES),
  respond: toSite,
})

export const siteRoutes: Route[] = [
  handleList(listSites, listSitesAs(toSite)),
  handleList(
    listSiteSummaries,
    listSitesAs((model, site) => toSiteSummary(model, site)),
  ),
  handleCreate(createSite, 'site', insertSite, toSite),
  handleEdit(siteEdit),
  handleRecord(readSite, 'site', 'slug', toSite),
]
