import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'
import { id, moment, recordFields, text } from '../../../platform/contract/fields.ts'
import { optionalLine, requiredEmail, requiredLine } from '../../../platform/contract/text-schemas.ts'
import { ADMIN_LEVELS } from './rules.ts'

/** A permission record (section 3): who holds which level in this application. */
export const Permission = z.strictObject({
  _id: id,
  applicationID: z.string(),
  personID: z.strictObject({
    /** The person in the directory, null where the grant went to an address that is none's (D10). */
    _id: id.nullable(),
    name: z.string(),
    azureID: z.string(),
  }),
  superAdmin: z.boolean(),
  accessLevel: z.int(),
  accessName: z.string(),
  /** When they got this level, and from whom. A later sign-in changes the record, but not these. */
  grantedAt: moment,
  grantedBy: text,
  ...recordFields,
})
export type Permission = z.infer<typeof Permission>

/** Somebody who may be made an administrator. */
export const Candidate = z.strictObject({
  /** The work address; null for somebody of the directory who has none on file, and so cannot be made one. */
  azureID: text,
  name: z.string(),
  /** What stands beside the name: 'Principal · Lodi Resource Center'. */
  detail: text,
  /** Who it is in the directory. */
  personDbID: id.nullable(),
  /** The level they hold already; null where nobody has granted them any. */
  accessLevel: z.int().nullable(),
})
export type Candidate = z.infer<typeof Candidate>

export const MIN_QUERY_LENGTH = 2
/** More than these are narrowed down by typing on. */
export const MAX_CANDIDATES = 10

export const listPermissions = call({
  method: 'GET',
  path: '/api/permissions/app_permissions/:appId',
  capability: 'manage administrators',
  summary: 'The permission records of an application (ours is APP_ID). An application without records that is not ours is a 404.',
  params: z.object({ appId: z.string().min(1).max(100) }),
  response: z.array(Permission),
})

export const findCandidates = call({
  method: 'GET',
  path: '/api/permissions/candidates',
  capability: 'manage administrators',
  // The directory service is another system.
  rateLimit: { perMinute: 6000 },
  summary:
    'People who can be made administrators, by name or email: from the directory, from the HR source, from sign-ins, or a complete email address that is not on file.',
  query: z.strictObject({
    q: z.string().trim().min(MIN_QUERY_LENGTH, `At least ${MIN_QUERY_LENGTH} letters`).max(200),
  }),
  response: z.array(Candidate),
})

export const grantPermission = call({
  method: 'POST',
  path: '/api/permissions/new_app_permission',
  capability: 'manage administrators',
  summary: `Makes a person an administrator: at level ${ADMIN_LEVELS.join(' or ')} as given in \`accessLevel\` (default ${ADMIN_LEVELS[0]}), or at the caller’s own level if that number is higher. The answer says which. Someone who is already an administrator is a 409.`,
  body: z.strictObject({
    applicationID: requiredLine(100),
    userInfo: z.strictObject({
      azureID: requiredEmail(),
      name: requiredLine(),
      /** The `_id` or the HR number of whoever has this address in the directory; null or empty for whoever that is, if anybody. */
      personDbID: z.string().max(200).nullable().optional(),
      accessLevel: z.literal(ADMIN_LEVELS, `The level of an administrator: ${ADMIN_LEVELS.join(' or ')}`).optional(),
      /** Taken for compatibility, and ignored. */
      superAdmin: z.boolean().optional(),
      accessName: optionalLine(100).optional(),
    }),
  }),
  response: Permission,
})

export const removePermission = call({
  method: 'DELETE',
  path: '/api/permissions/remove/:id',
  capability: 'manage administrators',
  summary:
    'Removes a permission record, effective right away on every device. You cannot remove someone with more access than you (403) or the last administrator at level 5 or lower (409).',
  params: z.object({ id: z.string().min(1).max(200) }),
  response: 'nothing',
})
