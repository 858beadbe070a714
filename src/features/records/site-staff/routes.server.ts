import { findRecordId } from '../../../database/record-lookup.server.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { addSiteStaff, removeSiteStaff } from './contract.ts'
import { insertSiteStaff, deleteSiteStaff } from './mutations.server.ts'
import { getSiteStaff } from './queries.server.ts'

export const siteStaffRoutes: Route[] = [
  handle(addSiteStaff, async ({ params, body, edit }) =>
    edit(async (tx) => {
      const site = await findRecordId(tx, 'site', params.id)
      await insertSiteStaff(tx, site, body)
      return getSiteStaff(tx, site)
    }),
  ),
  handle(removeSiteStaff, async ({ params, body, edit }) =>
    edit(async (tx) => {
      const site = await findRecordId(tx, 'site', params.id)
      await deleteSiteStaff(tx, site, body)
      return getSiteStaff(tx, site)
    }),
  ),
]
