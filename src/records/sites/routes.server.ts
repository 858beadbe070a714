import { defineEdit, findByIdOrSlug, handleEdit } from '../../platform/server/edit-handler.ts'
import { handle, handleList, handleRecord, type Route } from '../../platform/server/handler.ts'
import { readRecord } from '../../platform/server/read-model/read-record.ts'
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
  handle(createSite, async ({ body, edit, context }) => {
    const _id = await edit((tx) => insertSite(tx, body))
    return readRecord(context.readModel, 'site', _id, toSite)
  }),
  handleEdit(siteEdit),
  handleRecord(readSite, 'site', 'slug', toSite),
]
