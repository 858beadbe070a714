import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, text } from '../../../contract/fields.ts'

/** All sources of a level, including those that do not give the most access. */
export const LevelOrigin = z.strictObject({
  /** When and by whom the level was granted; null if no permission record grants it. */
  grantedAt: moment.nullable(),
  grantedBy: text,
  /** The directory groups that grant a level, most access first. */
  groups: z.array(z.strictObject({ group: z.string(), level: z.int() })),
  /** Whether SUPER_ADMINS grants level 1. */
  isSuperAdmin: z.boolean(),
})
export type LevelOrigin = z.infer<typeof LevelOrigin>

const PersonAccess = LevelOrigin.extend({
  /** Their account; null for someone who has not signed in. */
  account: id.nullable(),
  accessLevel: z.int(),
})
export type PersonAccess = z.infer<typeof PersonAccess>

export const readPersonAccess = call('GET', '/api/people/:id/access', {
  capability: 'manage administrators',
  summary: 'The level of a person of the directory and what gives it: a permission record, groups of the directory, SUPER_ADMINS.',
  params: z.object({ id: z.uuid() }),
  response: PersonAccess,
})
