import type { Tx } from '../../database/connection.server.ts'
import { findRecordId } from '../../database/record-lookup.server.ts'
import type { AppContext, RunEdit } from '../../platform/server/app-context.ts'
import { handle, type Route } from '../../platform/server/handler.ts'
import { toSiteStaff } from '../sites/queries.server.ts'
import { addSiteStaff, removeSiteStaff } from './contract.ts'
import { insertSiteStaff, deleteSiteStaff } from './mutations.server.ts'

/** Changes the staff of a site and responds with all of it. */
const editSiteStaff = async (
  { edit, context: { readModel } }: { readonly edit: RunEdit; readonly context: AppContext },
  idOrSlug: string,
  change: (tx: Tx, site: string) => Promise<void>,
) => {
  const _id = await edit(async (tx) => {
    const site = await findRecordId(tx, 'site', idOrSlug)
    await change(tx, site)
    return site
  })
  await readModel.ready()
  return { _id, people: toSiteStaff(readModel, _id) }
}

export const siteStaffRoutes: Route[] = [
  handle(addSiteStaff, async ({ params, body, ...input }) =>
    editSiteStaff(input, params.id, (tx, site) => insertSiteStaff(tx, site, body)),
  ),
  handle(removeSiteStaff, async ({ params, body, ...input }) =>
    editSiteStaff(input, params.id, (tx, site) => deleteSiteStaff(tx, site, body)),
  ),
]
