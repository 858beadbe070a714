import { invalidFields, notFound } from '../../../contract/problem.ts'
import { recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { deletePermission, lockPermissions } from '../levels/mutations.server.ts'
import { listMappedAccounts } from '../levels/queries.server.ts'
import { getTenant } from '../session/queries.server.ts'
import { searchCandidates } from './candidates.server.ts'
import {
  findCandidates,
  grantPermission,
  listGroupAdministrators,
  listPermissions,
  MAX_GROUP_ADMINISTRATORS,
  type Permission,
  removePermission,
} from './contract.ts'
import { toInvitation } from './invitation.server.ts'
import { insertPermission } from './mutations.server.ts'
import { listPermissionRecords } from './queries.server.ts'

const toAuditValues = ({ personID: { name, azureID }, accessLevel }: Permission): object => ({ name, azureID, accessLevel })

export const permissionRoutes: Route[] = [
  handle(listPermissions, async ({ params: { appId }, context: { db, configuration } }) => {
    const records = await listPermissionRecords(db, appId)
    if (records.length === 0 && appId !== configuration.appId) throw notFound('Application')
    return records
  }),
  handle(listGroupAdministrators, async ({ context: { db, configuration } }) => {
    const found = await listMappedAccounts(db, getTenant(configuration), MAX_GROUP_ADMINISTRATORS)
    return found.map(({ level, ...account }) => ({ ...account, accessLevel: level }))
  }),
  handle(findCandidates, async ({ query, user, context }) => searchCandidates(context, user, query.q)),
  handle(grantPermission, async ({ body: { applicationID, userInfo, invite = false }, user, context, edit, request }) => {
    const { configuration, log, mail, organization } = context
    if (applicationID !== configuration.appId)
      throw invalidFields([{ path: 'applicationID', message: `This application is ${configuration.appId}` }])
    const made = await edit(async (tx) => {
      const { _id, before } = await insertPermission(tx, configuration, user, userInfo)
      const [record] = await listPermissionRecords(tx, applicationID, _id)
      if (!record) throw notFound('Administrator')
      await recordAudit(tx, request, { kind: 'permission.granted', record: _id, before, after: toAuditValues(record) })
      if (invite) {
        const { publicUrl } = configuration
        await mail.enqueue(tx, toInvitation(record, { inviter: user, organization: organization.facts.name, publicUrl }))
      }
      return record
    })
    if (invite) mail.wake()
    logSecurityEvent(log, request, 'permission_granted', { permission: made._id, person: made.personID._id, level: made.accessLevel })
    return made
  }),
  handle(removePermission, async ({ params: { id }, user, context: { configuration, log }, edit, request }) => {
    const level = await edit(async (tx, ifMatchVersion) => {
      const actingLevel = await lockPermissions(tx, configuration, user)
      const [record] = await listPermissionRecords(tx, configuration.appId, id)
      const removed = await deletePermission(tx, configuration, actingLevel, id, ifMatchVersion)
      await recordAudit(tx, request, { kind: 'permission.removed', record: id, before: record && toAuditValues(record) })
      return removed
    })
    logSecurityEvent(log, request, 'permission_removed', { permission: id, level })
  }),
]
