import { z } from 'zod'

import { call, type RateLimit } from '../../../contract/call.ts'
import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import { id, moment, text } from '../../../contract/fields.ts'
import { requiredLine } from '../../../contract/text-schemas.ts'

/** Of each request to `/scim/v2`, per network address: a directory sends at most a few dozen per second. */
export const SCIM_RATE_LIMIT: RateLimit = { perMinute: 60_000 }

export const MAX_MAPPINGS = 200
export const MAX_GROUP_LENGTH = 300
export const MAX_LISTED_GROUPS = 1000

const LEVEL_RANGE = `Enter a level from 1 to ${BROWSE_LEVEL}`

/** The level that all members of a group get. */
export const LevelMapping = z.strictObject({
  /** The name or id of a directory group, or a role in ID tokens; case-insensitive. */
  group: requiredLine(MAX_GROUP_LENGTH),
  level: z.int('Enter a level').min(1, LEVEL_RANGE).max(BROWSE_LEVEL, LEVEL_RANGE),
})
export type LevelMapping = z.infer<typeof LevelMapping>

/** A group that can be mapped. */
export const DirectoryGroup = z.strictObject({
  name: z.string(),
  /** Whether the directory provisions it (SCIM); otherwise ID tokens contain it. */
  provisioned: z.boolean(),
  people: z.int(),
})
export type DirectoryGroup = z.infer<typeof DirectoryGroup>

export const listLevelMappings = call('GET', '/api/level-mappings', {
  capability: 'connect the directory',
  summary: 'Which groups of the directory give which level.',
  response: z.array(LevelMapping),
})

export const saveLevelMappings = call('PUT', '/api/level-mappings', {
  capability: 'connect the directory',
  summary:
    'Replaces the list of groups that give a level. Someone in several groups, or with a permission record, has the one of their levels with the most access. A change applies to each person’s next request.',
  body: z.array(LevelMapping).max(MAX_MAPPINGS, `At most ${MAX_MAPPINGS} groups`),
  response: z.array(LevelMapping),
})

export const listDirectoryGroups = call('GET', '/api/level-mappings/groups', {
  capability: 'connect the directory',
  summary: `The groups that can be mapped: those that the directory provisions, then those that ID tokens name. At most ${MAX_LISTED_GROUPS}.`,
  response: z.array(DirectoryGroup),
})

export const MAX_SCIM_TOKEN_NAME_LENGTH = 100
/** Two, so that a token can be replaced while the other one is in use. */
export const MAX_SCIM_TOKENS = 2

/** A token with which a directory provisions accounts (SCIM), without its secret. */
export const ScimToken = z.strictObject({
  _id: id,
  name: z.string(),
  createdAt: moment,
  createdBy: text,
  usedAt: moment.nullable(),
})
export type ScimToken = z.infer<typeof ScimToken>

const tokenAccess = { capability: 'connect the directory', sessionOnly: true } as const

export const listScimTokens = call('GET', '/api/scim-tokens', {
  ...tokenAccess,
  summary: 'The tokens with which a directory provisions accounts at `/scim/v2`. The secrets are never included.',
  response: z.array(ScimToken),
})

export const createScimToken = call('POST', '/api/scim-tokens', {
  ...tokenAccess,
  summary: `Creates a token for \`/scim/v2\`. The token is in this response and is never shown again. At most ${MAX_SCIM_TOKENS} at the same time (409).`,
  body: z.strictObject({ name: requiredLine(MAX_SCIM_TOKEN_NAME_LENGTH) }),
  response: z.strictObject({ _id: id, token: z.string() }),
})

export const deleteScimToken = call('DELETE', '/api/scim-tokens/:id', {
  ...tokenAccess,
  summary: 'Removes a token. Its next request at `/scim/v2` is refused.',
  params: z.object({ id: z.uuid() }),
  response: 'nothing',
})
