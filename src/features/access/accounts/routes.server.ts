import type { FastifyRequest } from 'fastify'

import { invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { type NewAuditEvent, recordAudit } from '../../../platform/server/audit.ts'
import { CLEAR_CACHE } from '../../../platform/server/errors.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent, type SecurityEvent } from '../../../platform/server/security-log.ts'
import { readPersonAccess } from '../levels/contract.ts'
import { endSessionsOfAccount, insertApiToken } from '../session/mutations.server.ts'
import {
  endOwnSession,
  endSession,
  listAccounts,
  listOwnSessions,
  listOwnTokens,
  listSessions,
  listTokens,
  createToken,
  readAccount,
  readOwnAccount,
  removeOwnToken,
  removeToken,
  signOutEverywhere,
  signOutAccount,
} from './contract.ts'
import { type EndedToken, endSessionOfAccount, endTokensOfAccount } from './mutations.server.ts'
import { findPersonAccess } from './person-access.server.ts'
import { findAccount, findOwnPerson, searchAccounts, listSessionsOfAccount, listTokensOfAccount } from './queries.server.ts'

/** An action on the sessions and tokens of `account`. */
interface AccountAction {
  readonly context: AppContext
  readonly request: FastifyRequest
  readonly account: string
  /** The caller's account, stored with what it ends. */
  readonly by: string
}

const logAction = ({ context, request, account }: AccountAction, event: SecurityEvent, details: Record<string, string | number>): void =>
  logSecurityEvent(context.log, request, event, { of: account, ...details })

const findAccountOrFail = async ({ db, configuration }: AppContext, _id: string) => {
  const account = await findAccount(db, configuration, _id)
  if (!account) throw notFound('This account')
  return account
}

interface AccountCall {
  readonly context: AppContext
  readonly request: FastifyRequest
  readonly user: SignedIn
}

const onOwnAccount = ({ context, request, user: { account } }: AccountCall): AccountAction => ({ context, request, account, by: account })

/** Throws 404 for an account of another tenant. */
const onAnyAccount = async ({
  context,
  request,
  user,
  params,
}: AccountCall & { readonly params: { readonly id: string } }): Promise<AccountAction> => {
  await findAccountOrFail(context, params.id)
  return { context, request, account: params.id, by: user.account }
}

const toTokenRemoval = (account: string, { _id, name, accessLevel }: EndedToken): NewAuditEvent => ({
  kind: 'api_token.removed',
  record: _id,
  before: { account, name, accessLevel },
})

/** Clears the caches before the response is sent, so that the next request of the session is refused. */
const endOneSession = async (action: AccountAction, session: string): Promise<void> => {
  const { context, request, account, by } = action
  await context.db.transaction().execute(async (tx) => {
    if (!(await endSessionOfAccount(tx, account, session, by))) throw notFound('This session')
    await recordAudit(tx, request, { kind: 'session.ended', record: session, after: { account, reason: 'ended from a list' } })
  })
  await context.lists.invalidate(['session'])
  logAction(action, 'session_ended', { session })
}

const removeOneToken = async (action: AccountAction, token: string): Promise<void> => {
  const { context, request, account, by } = action
  await context.db.transaction().execute(async (tx) => {
    const removed = await endTokensOfAccount(tx, account, by, token)
    if (removed.length === 0) throw notFound('This API token')
    await recordAudit(tx, request, ...removed.map((one) => toTokenRemoval(account, one)))
  })
  await context.lists.invalidate(['api_token'])
  logAction(action, 'api_token_removed', { token })
}

const endAllSessions = async (action: AccountAction, withTokens: boolean): Promise<{ sessions: number; tokens: number }> => {
  const { context, request, account, by } = action
  const ended = await context.db.transaction().execute(async (tx) => {
    const live = await listSessionsOfAccount(tx, context.configuration, account, null)
    const sessions = live.filter(({ endedAt }) => endedAt === null).length
    await endSessionsOfAccount(tx, account, by)
    const tokens = withTokens ? await endTokensOfAccount(tx, account, by) : []
    const after = { reason: 'signed out everywhere', sessions }
    await recordAudit(tx, request, { kind: 'session.ended', record: account, after }, ...tokens.map((one) => toTokenRemoval(account, one)))
    return { sessions, tokens: tokens.length }
  })
  await context.lists.invalidate(['session', 'api_token'])
  logAction(action, 'signed_out_everywhere', ended)
  return ended
}

const MAX_TOKENS = 50

export const accountRoutes: Route[] = [
  handle(readOwnAccount, async ({ user, context }) => ({
    ...(await findAccountOrFail(context, user.account)),
    person: await findOwnPerson(context.db, user.azureID),
  })),
  handle(listOwnSessions, async ({ user, context }) =>
    listSessionsOfAccount(context.db, context.configuration, user.account, user.session),
  ),
  handle(endOwnSession, async ({ reply, ...callContext }) => {
    await endOneSession(onOwnAccount(callContext), callContext.params.id)
    if (callContext.params.id === callContext.user.session) void reply.header('clear-site-data', CLEAR_CACHE)
  }),
  handle(signOutEverywhere, async ({ reply, ...callContext }) => {
    void reply.header('clear-site-data', CLEAR_CACHE)
    return endAllSessions(onOwnAccount(callContext), callContext.body.tokens)
  }),

  handle(listOwnTokens, async ({ user, context }) => listTokensOfAccount(context.db, user.account)),
  handle(createToken, async ({ body, ...callContext }) => {
    const { account, accessLevel } = callContext.user
    const { db } = callContext.context
    const level = body.accessLevel ?? accessLevel
    if (level < accessLevel)
      throw invalidFields([{ path: 'accessLevel', message: `Your level is ${accessLevel}. A token can’t have more access than you` }])
    if ((await listTokensOfAccount(db, account)).filter(({ endedAt }) => endedAt === null).length >= MAX_TOKENS)
      throw new Problem(409, `You can have at most ${MAX_TOKENS} API tokens`, { detail: 'Remove one first.' })
    const name = body.name.trim()
    const { _id, token } = await db.transaction().execute(async (tx) => {
      const inserted = await insertApiToken(tx, { account, name, accessLevel: level, days: body.days })
      const after = { account, name, accessLevel: level, days: body.days }
      await recordAudit(tx, callContext.request, { kind: 'api_token.created', record: inserted._id, after })
      return inserted
    })
    const [made] = await listTokensOfAccount(db, account, _id)
    if (!made) throw notFound('This API token')
    logAction(onOwnAccount(callContext), 'api_token_made', { token: _id, level, days: body.days })
    return { token, made }
  }),
  handle(removeOwnToken, async (callContext) => removeOneToken(onOwnAccount(callContext), callContext.params.id)),

  handle(listAccounts, async ({ query, context }) => searchAccounts(context.db, context.configuration, query.q)),
  handle(readPersonAccess, async ({ params, context: { db, configuration } }) => {
    const access = await findPersonAccess(db, configuration, params.id)
    if (!access) throw notFound('This person')
    return access
  }),
  handle(readAccount, async ({ params, context }) => findAccountOrFail(context, params.id)),
  handle(listSessions, async (callContext) => {
    const { context, account } = await onAnyAccount(callContext)
    return listSessionsOfAccount(context.db, context.configuration, account, callContext.user.session)
  }),
  handle(endSession, async (callContext) => endOneSession(await onAnyAccount(callContext), callContext.params.session)),
  handle(listTokens, async (callContext) => listTokensOfAccount(callContext.context.db, (await onAnyAccount(callContext)).account)),
  handle(removeToken, async (callContext) => removeOneToken(await onAnyAccount(callContext), callContext.params.token)),
  handle(signOutAccount, async (callContext) => endAllSessions(await onAnyAccount(callContext), callContext.body.tokens)),
]
