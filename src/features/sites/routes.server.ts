import { jsonListText } from '../../database/json.server.ts'
import { on, onList, type Route } from '../../platform/server/handler.ts'
import { listSites, listSiteSummaries, readSite } from './contract.ts'
import { siteBy, siteList, siteSummaryList } from './queries.server.ts'

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
    build: (db) => jsonListText(db, siteList(db)),
  }),
  onList(listSiteSummaries, {
    // A change of a site's parts changes its `updatedAt`; the change trigger then names `site` as well.
    reads: ['site', 'charter', 'brand', 'region', 'site_person', 'person', 'role'],
    build: (db) => jsonListText(db, siteSummaryList(db)),
  }),
  on(readSite, async ({ params, house }) => siteBy(house.db, params.slug)),
]
