import { jsonListBytes } from '../../database/json.server.ts'
import { JsonText, on, onList, type Route } from '../../platform/server/handler.ts'
import { listSites, listSiteSummaries, readSite } from './contract.ts'
import { siteList, siteSummaryList, siteText } from './queries.server.ts'

export const siteRoutes: Route[] = [
  onList(listSites, {
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
    build: ({ db, pool }) => jsonListBytes(pool, siteList(db)),
  }),
  onList(listSiteSummaries, {
    // A change of a site's parts changes its `updatedAt`; the change trigger then names `site` as well.
    reads: ['site', 'charter', 'brand', 'region', 'site_person', 'person', 'role'],
    build: ({ db, pool }) => jsonListBytes(pool, siteSummaryList(db)),
  }),
  on(readSite, async ({ params, house }) => new JsonText(await siteText(house.pool, params.slug))),
]
