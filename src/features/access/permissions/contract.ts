import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { id, moment, recordFields, text } from '../../../contract/fields.ts'
import { optionalLine, requiredEmail, requiredLine } from '../../../contract/text-schemas.ts'
import { ADMIN_LEVELS } from './rules.ts'

/** Grants a level in this application to an email address, an account or a person. */
export const Permission = z.strictObject({
  _id: id,
  applicationID: z.string(),
  personID: z.strictObject({
    /** The person in the directory; null if no one has the address. */
    _id: id.nullable(),
    name: z.string(),
    azureID: z.string(),
  }),
  superAdmin: z.boolean(),
  accessLevel: z.int(),
  accessName: z.string(),
  /** When and by whom this level was granted. A later sign-in changes the record, but not these. */
  grantedAt: moment,
  grantedBy: text,
  ...recordFields,
})
export type Permission = z.infer<typeof Permission>

export const Candidate = z.strictObject({
  /** The work email; null for someone in the directory without one, who cannot become an administrator. */
  azureID: text,
  name: z.string(),
  /** 'Principal · Lodi Resource Center'. */
  detail: text,
  /** Their `_id` in the directory. */
  personDbID: id.nullable(),
  /** The level they already hold; null if none was granted. */
  accessLevel: z.int().nullable(),
})
export type Candidate = z.infer<typeof Candidate>

/** Someone who has a level through a directory group. */
export const GroupAdministrator = z.strictObject({
  /** Of the account. */
  _id: id,
  name: z.string(),
  azureID: z.string(),
  group: z.string(),
  accessLevel: z.int(),
})
export type GroupAdministrator = z.infer<typeof GroupAdministrator>

export const MAX_GROUP_ADMINISTRATORS = 1000

export const MIN_QUERY_LENGTH = 2
export const MAX_CANDIDATES = 10

export const listPermissions = call('GET', '/api/permissions/app_permissions/:appId', {
  shows: ['permission'],
  capability: 'manage administrators',
  summary: 'The permission records of an application (ours is APP_ID). An application without records that is not ours is a 404.',
  params: z.object({ appId: z.string().min(1).max(100) }),
  response: z.array(Permission),
})

export const listGroupAdministrators = call('GET', '/api/permissions/groups', {
  capability: 'manage administrators',
  summary: `People who have a level because of a group of the directory, one entry for each of their groups, most access first: at most ${MAX_GROUP_ADMINISTRATORS}. Groups are mapped in \`/api/level-mappings\`.`,
  response: z.array(GroupAdministrator),
})

export const findCandidates = call('GET', '/api/permissions/candidates', {
  capability: 'manage administrators',
  // Each call queries the HR source, which is another system.
  rateLimit: { perMinute: 6000 },
  summary:
    'People who can be made administrators, by name or email: from the directory, from the HR source, from sign-ins, or a complete email address that is not on file.',
  query: z.strictObject({
    q: z.string().trim().min(MIN_QUERY_LENGTH, `At least ${MIN_QUERY_LENGTH} letters`).max(200),
  }),
  response: z.array(Candidate),
})

export const grantPermission = call('POST', '/api/permissions/new_app_permission', {
  capability: 'manage administrators',
  summary: `Makes a person an administrator: at level ${ADMIN_LEVELS.join(' or ')} as given in \`accessLevel\` (default ${ADMIN_LEVELS[0]}), or at the caller’s own level if that number is higher. The answer says which. Someone who is already an administrator is a 409.`,
  body: z.strictObject({
    applicationID: requiredLine(100),
    userInfo: z.strictObject({
      azureID: requiredEmail(),
      name: requiredLine(),
      /** The `_id` or HR number of the person; null or empty to look the person up by the address. */
      personDbID: z.string().max(200).nullable().optional(),
      accessLevel: z.literal(ADMIN_LEVELS, `The level of an administrator: ${ADMIN_LEVELS.join(' or ')}`).optional(),
      /** Accepted for compatibility, and ignored. */
      superAdmin: z.boolean().optional(),
      accessName: optionalLine(100).optional(),
    }),
    /** Sends them an email with the address of the program and their level. */
    invite: z.boolean().optional(),
  }),
  response: Permission,
})

export const removePermission = call('DELETE', '/api/permissions/remove/:id', {
  capability: 'manage administrators',
  summary:
    'Removes a permission record, effective right away on every device. You cannot remove someone with more access than you (403) or the last administrator at level 5 or lower (409).',
  params: z.object({ id: z.string().min(1).max(200) }),
  response: 'nothing',
})
