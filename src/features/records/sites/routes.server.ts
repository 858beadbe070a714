import { idOf } from '../../../database/lookup.server.ts'
import { recordText } from '../../../database/record-by-address.server.ts'
import { claim } from '../../../database/saving.server.ts'
import { JsonText, on, onList, type Route } from '../../../platform/server/handler.ts'
import { createSite, listSites, listSiteSummaries, readSite, updateSite } from './contract.ts'
import { SITE, siteList, siteSummaryList, TOUCHED_SITES } from './queries.server.ts'
import { addSite, saveSite, storedSite } from './saving.server.ts'

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
    build: { of: 'site', rows: siteList, placedBy: ['site'], touched: TOUCHED_SITES },
  }),
  onList(listSiteSummaries, {
    // A change of a site's parts changes its `updatedAt`; the change trigger then names `site` as well.
    reads: ['site', 'charter', 'brand', 'region', 'site_person', 'person', 'role'],
    build: { of: 'site', rows: siteSummaryList, placedBy: ['site'], touched: TOUCHED_SITES },
  }),
  on(createSite, async ({ body, edit, house }) => {
    const _id = await edit((tx) => addSite(tx, body))
    return new JsonText(await recordText(house.pool, SITE, _id))
  }),
  on(updateSite, async ({ params, settled, edit, house }) => {
    const _id = await edit(async (tx, seen) => {
      const found = await idOf(tx, 'site', params.id)
      await claim(tx, 'site', found, seen)
      const stored = await storedSite(tx, found)
      await saveSite(tx, found, stored, settled(stored))
      return found
    })
    return new JsonText(await recordText(house.pool, SITE, _id))
  }),
  on(readSite, async ({ params, house }) => new JsonText(await recordText(house.pool, SITE, params.slug))),
]
