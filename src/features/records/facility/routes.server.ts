import { idOf } from '../../../database/lookup.server.ts'
import { lockForUpdate } from '../../../database/saving.server.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { updateFacility } from './contract.ts'
import { saveFacility } from './mutations.server.ts'
import { getFacility } from './queries.server.ts'

export const facilityRoutes: Route[] = [
  handle(updateFacility, async ({ params, validateChanges: settled, edit }) =>
    edit(async (tx, seen) => {
      const site = await idOf(tx, 'site', params.id)
      await lockForUpdate(tx, 'facility', site, seen)
      const stored = await getFacility(tx, site)
      const { facility_info, ...own } = settled({ ...stored, facility_info: stored })
      await saveFacility(tx, site, stored, { ...own, ...facility_info })
      return getFacility(tx, site)
    }),
  ),
]
