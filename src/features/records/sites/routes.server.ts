import { readRecordJson } from '../../../database/record-statement.server.ts'
import { findByIdOrSlug, handleEdit } from '../../../platform/server/edit-handler.ts'
import { JsonText, handle, handleList, type Route } from '../../../platform/server/handler.ts'
import { createSite, listSites, listSiteSummaries, readSite, updateSite } from './contract.ts'
import { insertSite, saveSite, getStoredSite } from './mutations.server.ts'
import { SITE_STATEMENT, selectSiteList, selectSiteSummaryList, AFFECTED_SITES } from './queries.server.ts'

export const siteRoutes: Route[] = [
  handleList(listSites, {
    reads: [
      'site',
      'charter',
      'brand',
      'region',
      'site_person',
      'person',
      'role',
      'facility',
      'enrollment',
      'site_program_type',
      'program_type',
      'sis_site',
    ],
    build: { table: 'site', rows: selectSiteList, orderedBy: ['site'], findAffected: AFFECTED_SITES },
  }),
  handleList(listSiteSummaries, {
    // A change of a site's parts changes its `updatedAt`; the change trigger then names `site` as well.
    reads: ['site', 'charter', 'brand', 'region', 'site_person', 'person', 'role'],
    build: { table: 'site', rows: selectSiteSummaryList, orderedBy: ['site'], findAffected: AFFECTED_SITES },
  }),
  handle(createSite, async ({ body, edit, context }) => {
    const _id = await edit((tx) => insertSite(tx, body))
    return new JsonText(await readRecordJson(context.pool, SITE_STATEMENT, _id))
  }),
  handleEdit(updateSite, {
    table: 'site',
    findKey: findByIdOrSlug('site'),
    getStored: getStoredSite,
    save: saveSite,
    read: { afterCommit: async ({ pool }, _id) => new JsonText(await readRecordJson(pool, SITE_STATEMENT, _id)) },
  }),
  handle(readSite, async ({ params, context }) => new JsonText(await readRecordJson(context.pool, SITE_STATEMENT, params.slug))),
]
