import { invalidFields, notFound } from '../../../contract/problem.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { deletePermission, lockPermissions } from '../../access/levels/queries.server.ts'
import { searchCandidates } from './candidates.server.ts'
import { findCandidates, grantPermission, listPermissions, removePermission } from './contract.ts'
import { insertPermission } from './mutations.server.ts'
import { listPermissionRecords } from './queries.server.ts'

export const permissionRoutes: Route[] = [
  handle(listPermissions, async ({ params: { appId }, context: { db, configuration } }) => {
    const records = await listPermissionRecords(db, appId)
    if (records.length === 0 && appId !== configuration.appId) throw notFound('Application')
    return records
  }),
  handle(findCandidates, async ({ query, user, context }) => searchCandidates(context, user, query.q)),
  handle(grantPermission, async ({ body: { applicationID, userInfo }, user, context: { configuration, log }, edit, request }) => {
    if (applicationID !== configuration.appId)
      throw invalidFields([{ path: 'applicationID', message: `This application is ${configuration.appId}` }])
    const made = await edit(async (tx) => {
      const _id = await insertPermission(tx, configuration, user, userInfo)
      const [record] = await listPermissionRecords(tx, applicationID, _id)
      if (!record) throw notFound('Administrator')
      return record
    })
    logSecurityEvent(log, request, 'permission_granted', { permission: made._id, person: made.personID._id, level: made.accessLevel })
    return made
  }),
  handle(removePermission, async ({ params: { id }, user, context: { configuration, log }, edit, request }) => {
    const level = await edit(async (tx, seen) =>
      deletePermission(tx, configuration, await lockPermissions(tx, configuration, user), id, seen),
    )
    logSecurityEvent(log, request, 'permission_removed', { permission: id, level })
  }),
]
