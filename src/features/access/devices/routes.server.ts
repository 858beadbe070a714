import { can } from '../../../contract/capabilities.ts'
import { MINUTE_MS } from '../../../contract/dates.ts'
import { invalidFields, notFound } from '../../../contract/problem.ts'
import { recordAudit } from '../../../platform/server/audit.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { createDevice, createDeviceProfile, deleteDevice, listDevices, readDeviceProfile } from './contract.ts'
import { insertDevice, removeDevice } from './mutations.server.ts'
import { writeProfile } from './profile.server.ts'
import { findDeviceByPassword, listDevicesOf } from './queries.server.ts'
import { readProfileTicket, writeProfileTicket } from './secrets.server.ts'

const MANAGE_ALL_DEVICES = 'end anyone’s sessions'
const PROFILE_MINUTES = 15

export const deviceRoutes: Route[] = [
  handle(listDevices, async ({ user, context: { db, configuration } }) =>
    listDevicesOf(db, configuration, can(user.accessLevel, MANAGE_ALL_DEVICES) ? null : user.account),
  ),
  handle(createDevice, async ({ body: { name }, user, context, request, edit }) => {
    const { account, azureID: username } = user
    const made = await edit(async (tx) => {
      const inserted = await insertDevice(tx, { account, username, name, createdAt: context.now() })
      await recordAudit(tx, request, { kind: 'device.created', record: inserted._id, after: { account, name } })
      return inserted
    })
    logSecurityEvent(context.log, request, 'device_made', { of: account, device: made._id })
    return { _id: made._id, username, password: made.password }
  }),
  handle(createDeviceProfile, async ({ params, body: { password }, user, context }) => {
    const { db, configuration } = context
    const device = await findDeviceByPassword(db, configuration, { _id: params.id, password, account: user.account })
    if (!device) throw invalidFields([{ path: 'password', message: 'This is not the password of this device' }])
    const expiresAt = context.now().getTime() + PROFILE_MINUTES * MINUTE_MS
    const ticket = writeProfileTicket(configuration, { device: device._id, password, expiresAt })
    return { url: `${configuration.publicUrl}/dav-profile/${ticket}.mobileconfig`, expiresAt: new Date(expiresAt).toISOString() }
  }),
  handle(readDeviceProfile, async ({ params, context, reply }) => {
    const { db, configuration } = context
    const ticket = readProfileTicket(configuration, params.ticket, context.now())
    const device =
      ticket && (await findDeviceByPassword(db, configuration, { _id: ticket.device, password: ticket.password, account: null }))
    if (!device) throw notFound('Profile')
    const profile = writeProfile({ publicUrl: configuration.publicUrl, ...device, password: ticket.password })
    return reply
      .type('application/x-apple-aspen-config')
      .header('content-disposition', 'attachment; filename="homeroom.mobileconfig"')
      .send(profile)
  }),
  handle(deleteDevice, async ({ params, user, context, request, edit }) => {
    const owned = can(user.accessLevel, MANAGE_ALL_DEVICES) ? null : user.account
    const of = await edit(async (tx) => {
      const { account, name } = await removeDevice(tx, params.id, owned)
      await recordAudit(tx, request, { kind: 'device.removed', record: params.id, before: { account, name } })
      return account
    })
    logSecurityEvent(context.log, request, 'device_removed', { of, device: params.id })
  }),
]
