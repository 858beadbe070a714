import { z } from 'zod'

import { call } from '../../../contract/call.ts'

/** The rows of a table, as the server's read model has them. */
const Rows = z.array(z.record(z.string(), z.unknown()))

/** What has changed since a token, or everything. */
export const OfflineChanges = z.strictObject({
  /** What the next call sends as `since`. */
  token: z.string(),
  /** Whether these are all rows, which replace those on the device. */
  isWhole: z.boolean(),
  /** The caller's level: a copy ends when it changes. */
  accessLevel: z.int(),
  /** How many days a device keeps its copy without reaching the server. */
  days: z.int(),
  /** The changed rows by table. */
  rows: z.record(z.string(), Rows),
  /** The keys of removed rows by table. */
  removed: z.record(z.string(), z.array(z.string())),
})
export type OfflineChanges = z.infer<typeof OfflineChanges>

export const readOffline = call('GET', '/api/offline', {
  capability: 'browse the directory',
  rateLimit: { perMinute: 60 },
  summary:
    'What everyone signed in may read, for a device that keeps it: only what changed since `since`, a `token` of an earlier answer. Everything without one, or with one that is unknown or too old. The session counts as a device that holds the directory. 403 if OFFLINE_DAYS is 0.',
  query: z.strictObject({ since: z.string().max(200).optional() }),
  response: OfflineChanges,
})

export const deleteCopy = call('DELETE', '/api/account/offline', {
  capability: 'browse the directory',
  summary: 'Says that the browser of this session no longer keeps the directory on its device.',
  response: 'nothing',
  sessionOnly: true,
})
