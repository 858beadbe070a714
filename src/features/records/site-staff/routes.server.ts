import { idOf } from '../../../database/lookup.server.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import { addSiteStaff, removeSiteStaff } from './contract.ts'
import { addStaff, removeStaff, staffOf } from './queries.server.ts'

export const siteStaffRoutes: Route[] = [
  on(addSiteStaff, async ({ params, body, edit }) =>
    edit(async (tx) => {
      const site = await idOf(tx, 'site', params.id)
      await addStaff(tx, site, body)
      return staffOf(tx, site)
    }),
  ),
  on(removeSiteStaff, async ({ params, body, edit }) =>
    edit(async (tx) => {
      const site = await idOf(tx, 'site', params.id)
      await removeStaff(tx, site, body)
      return staffOf(tx, site)
    }),
  ),
]
