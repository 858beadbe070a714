import { z } from 'zod'

import { call } from '../../../contract/call.ts'
import { BROWSE_LEVEL } from '../../../contract/capabilities.ts'
import { id, moment, text, byUuid } from '../../../contract/fields.ts'
import { requiredLine } from '../../../contract/text-schemas.ts'
import { LevelOrigin } from '../levels/contract.ts'
import { MAX_TOKEN_NAME_LENGTH, MAX_TOKEN_DAYS } from './rules.ts'

/** Someone who has signed in. */
export const Account = z.strictObject({
  _id: id,
  name: z.string(),
  /** The work email address. */
  azureID: z.string(),
  accessLevel: z.int(),
  /** Counts of active sessions and API tokens. */
  sessions: z.int(),
  tokens: z.int(),
  /** How many of their browsers keep the directory on their device. */
  copies: z.int(),
  /** The last use of a session or token, or the last sign-in. */
  usedAt: moment,
})
export type Account = z.infer<typeof Account>

export const AccountDetail = Account.extend(LevelOrigin.shape)
export type AccountDetail = z.infer<typeof AccountDetail>

/** The caller’s own account; `person` is the slug of their record in the directory. */
const OwnAccount = AccountDetail.extend({ person: text })
export type OwnAccount = z.infer<typeof OwnAccount>

/** Null while a session or token is active. */
const endFields = { endedAt: moment.nullable(), endedBy: text }

/** An active session, an expired one whose browser keeps the directory on its device, or one ended from a list of sessions in the last 30 days. */
export const AccountSession = z.strictObject({
  _id: id,
  /** 'Edge on Windows'. */
  browser: z.string(),
  /** The network address of its last use. */
  address: text,
  signedInAt: moment,
  usedAt: moment,
  /** Whether it is the caller's session. */
  isThis: z.boolean(),
  /** Whether it belongs to the caller's browser: two windows that signed in at the same time have one session each. */
  isThisBrowser: z.boolean(),
  /** When its browser last brought its copy of the directory up to date; null if it keeps none. */
  copiedAt: moment.nullable(),
  ...endFields,
})
export type AccountSession = z.infer<typeof AccountSession>

/** An API token without its secret: active, or expired or removed in the last 30 days. */
export const ApiToken = z.strictObject({
  _id: id,
  name: z.string(),
  /** Its own level; it acts at its owner's if that has less access. */
  accessLevel: z.int(),
  madeAt: moment,
  expiresAt: moment,
  usedAt: moment.nullable(),
  ...endFields,
  /** How it ended; null while it is active. */
  end: z.enum(['expired', 'removed', 'disabled in the directory']).nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

const SignOutEverywhereBody = z.strictObject({
  /** Whether to remove API tokens too. */
  tokens: z.boolean().default(false),
})
const EndedCounts = z.strictObject({ sessions: z.int(), tokens: z.int() })

const sessionParams = z.object({ id: z.uuid(), session: z.uuid() })
const tokenParams = z.object({ id: z.uuid(), token: z.uuid() })

const ownAccountAccess = { capability: 'browse the directory', sessionOnly: true } as const
const anyAccountAccess = { capability: 'end anyone’s sessions', sessionOnly: true } as const

export const readOwnAccount = call('GET', '/api/account', {
  ...ownAccountAccess,
  summary: 'The caller, with their level, when it was granted and who granted it.',
  response: OwnAccount,
})

export const listOwnSessions = call('GET', '/api/account/sessions', {
  ...ownAccountAccess,
  summary: 'The sessions of the caller: active ones first, then those ended from a list of sessions in the last 30 days.',
  response: z.array(AccountSession),
})

export const endOwnSession = call('DELETE', '/api/account/sessions/:id', {
  ...ownAccountAccess,
  summary: 'Ends one session of the caller. Its next request is refused.',
  params: byUuid,
  response: 'nothing',
})

export const signOutEverywhere = call('POST', '/api/account/sign-out-everywhere', {
  ...ownAccountAccess,
  summary: 'Ends all sessions of the caller, including this one, and removes the caller’s API tokens if requested. Answers with how many.',
  body: SignOutEverywhereBody,
  response: EndedCounts,
})

export const listOwnTokens = call('GET', '/api/account/tokens', {
  ...ownAccountAccess,
  summary:
    'The API tokens of the caller: active ones first, then those that expired or were removed in the last 30 days. The secrets are never included.',
  response: z.array(ApiToken),
})

export const createToken = call('POST', '/api/account/tokens', {
  ...ownAccountAccess,
  summary: 'Creates an API token for a program. The token is in this response and is never shown again.',
  body: z.strictObject({
    name: requiredLine(MAX_TOKEN_NAME_LENGTH),
    days: z.int('Enter a number of days').min(1, 'At least one day').max(MAX_TOKEN_DAYS, 'At most one year'),
    /** The caller's own level by default, and never one with more access. */
    accessLevel: z.int('Enter a level').min(1, 'Enter a level from 1 to 10').max(BROWSE_LEVEL, 'Enter a level from 1 to 10').optional(),
  }),
  response: z.strictObject({ token: z.string(), made: ApiToken }),
})

export const removeOwnToken = call('DELETE', '/api/account/tokens/:id', {
  ...ownAccountAccess,
  summary: 'Removes an API token of the caller. Its next request is refused.',
  params: byUuid,
  response: 'nothing',
})

export const MAX_ACCOUNTS = 50

export const listAccounts = call('GET', '/api/accounts', {
  ...anyAccountAccess,
  summary: `People who have signed in, most recently active first: at most ${MAX_ACCOUNTS}, and the total. Searched by name and email.`,
  query: z.strictObject({ q: z.string().trim().max(200).default('') }),
  response: z.strictObject({ total: z.int(), accounts: z.array(Account) }),
})

export const readAccount = call('GET', '/api/accounts/:id', {
  ...anyAccountAccess,
  summary: 'A person who has signed in, with their level, when it was granted and who granted it.',
  params: byUuid,
  response: AccountDetail,
})

export const listSessions = call('GET', '/api/accounts/:id/sessions', {
  ...anyAccountAccess,
  summary: 'A person’s sessions, active and recently ended.',
  params: byUuid,
  response: z.array(AccountSession),
})

export const endSession = call('DELETE', '/api/accounts/:id/sessions/:session', {
  ...anyAccountAccess,
  summary: 'Ends a person’s session. Its next request is refused.',
  params: sessionParams,
  response: 'nothing',
})

export const listTokens = call('GET', '/api/accounts/:id/tokens', {
  ...anyAccountAccess,
  summary: 'A person’s API tokens, active and recently ended. The secrets are never included.',
  params: byUuid,
  response: z.array(ApiToken),
})

export const removeToken = call('DELETE', '/api/accounts/:id/tokens/:token', {
  ...anyAccountAccess,
  summary: 'Removes a person’s API token. Its next request is refused.',
  params: tokenParams,
  response: 'nothing',
})

export const signOutAccount = call('POST', '/api/accounts/:id/sign-out-everywhere', {
  ...anyAccountAccess,
  summary: 'Ends all sessions of a person, and removes their API tokens if requested. Answers with how many.',
  params: byUuid,
  body: SignOutEverywhereBody,
  response: EndedCounts,
})
