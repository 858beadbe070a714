import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { byUuid, id, moment } from '../../../contract/fields.ts'
import { requiredLine } from '../../../contract/text-schemas.ts'
import { MAX_DEVICE_NAME_LENGTH } from './rules.ts'

/** A device whose contact program signs in with a password of its own. The password is never included. */
export const Device = z.strictObject({
  _id: id,
  name: z.string(),
  username: z.string(),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  /** The last program that used it, if known: 'iPhone'. */
  client: z.string().nullable(),
  owner: z.strictObject({ _id: id, name: z.string() }),
})
export type Device = z.infer<typeof Device>

const NewDevice = z.strictObject({ _id: id, username: z.string(), password: z.string() })
export type NewDevice = z.infer<typeof NewDevice>

const ownAccess = { capability: 'browse the directory', sessionOnly: true } as const

export const listDevices = call('GET', '/api/devices', {
  ...ownAccess,
  summary: 'The devices of the caller that have a password for the address books, oldest first; for level 1 everyone’s.',
  response: z.array(Device),
})

export const createDevice = call('POST', '/api/devices', {
  ...ownAccess,
  summary:
    'Creates a password for one device, with which its contact program reads the address books at `/dav/`. It is in this response and is never shown again.',
  body: z.strictObject({ name: requiredLine(MAX_DEVICE_NAME_LENGTH) }),
  response: NewDevice,
})

export const createDeviceProfile = call('POST', '/api/devices/:id/profile', {
  ...ownAccess,
  summary: 'The address of a configuration profile with which an iPhone, iPad or Mac sets itself up, valid for a few minutes.',
  params: byUuid,
  body: z.strictObject({ password: z.string().max(100) }),
  response: z.strictObject({ url: z.string(), expiresAt: moment }),
})

export const readDeviceProfile = call('GET', '/dav-profile/:ticket.mobileconfig', {
  capability: 'no session',
  rateLimit: { perMinute: 120 },
  summary: 'A configuration profile at its private address, for a phone that is not signed in.',
  params: z.object({ ticket: z.string().regex(/^[\w-]{40,400}$/) }),
  response: 'profile',
})

export const deleteDevice = call('DELETE', '/api/devices/:id', {
  ...ownAccess,
  summary: 'Ends the password of a device of the caller, for level 1 anyone’s. Its next request is refused.',
  params: byUuid,
  response: 'nothing',
})
