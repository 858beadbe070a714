import type { FastifyRequest } from 'fastify'

import { badFields, notFound, Problem } from '../../../platform/contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { CLEAR_CACHE } from '../../../platform/server/errors.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent, type SecurityEvent } from '../../../platform/server/security-log.ts'
import { endSessionsOfAccount, insertApiToken } from '../../access/session/queries.server.ts'
import {
  endOwnSession,
  endSession,
  listAccounts,
  listOwnSessions,
  listOwnTokens,
  listSessions,
  listTokens,
  makeToken,
  readAccount,
  readOwnAccount,
  removeOwnToken,
  removeToken,
  signOutEverywhere,
  signOutSomebody,
} from './contract.ts'
import { accountBy, accountsFor, endSessionOf, removeTokensOf, sessionsOf, tokensOf } from './queries.server.ts'

/** Whose sessions and tokens a call is about, and who asks. */
interface About {
  readonly context: AppContext
  readonly request: FastifyRequest
  readonly account: string
  /** The account of whoever ends something; kept beside what was ended. */
  readonly by: string
}

const tell = ({ context, request, account }: About, event: SecurityEvent, details: Record<string, string | number>): void =>
  logSecurityEvent(context.log, request, event, { of: account, ...details })

const accountOr404 = async ({ db, configuration }: AppContext, _id: string) => {
  const account = await accountBy(db, configuration, _id)
  if (!account) throw notFound('This account')
  return account
}

interface Asked {
  readonly context: AppContext
  readonly request: FastifyRequest
  readonly user: SignedIn
}

/** One's own. */
const own = ({ context, request, user: { account } }: Asked): About => ({ context, request, account, by: account })

/** Somebody of our tenant, for level 1. */
const anyone = async ({ context, request, user, params }: Asked & { readonly params: { readonly id: string } }): Promise<About> => {
  await accountOr404(context, params.id)
  return { context, request, account: params.id, by: user.account }
}

/** Told before the answer leaves, so that the next request of what has ended is refused. */
const end = async (about: About, session: string): Promise<void> => {
  const { context, account, by } = about
  if (!(await endSessionOf(context.db, account, session, by))) throw notFound('This session')
  context.lists.invalidate(['session'])
  tell(about, 'session_ended', { session })
}

const remove = async (about: About, token: string): Promise<void> => {
  const { context, account, by } = about
  if ((await removeTokensOf(context.db, account, by, token)) === 0) throw notFound('This API token')
  context.lists.invalidate(['api_token'])
  tell(about, 'api_token_removed', { token })
}

const signOut = async (about: About, withTokens: boolean): Promise<{ sessions: number; tokens: number }> => {
  const { context, account, by } = about
  const ended = await context.db.transaction().execute(async (tx) => {
    const live = await sessionsOf(tx, context.configuration, account, null)
    await endSessionsOfAccount(tx, account, by)
    return {
      sessions: live.filter(({ endedAt }) => endedAt === null).length,
      tokens: withTokens ? await removeTokensOf(tx, account, by) : 0,
    }
  })
  context.lists.invalidate(['session', 'api_token'])
  tell(about, 'signed_out_everywhere', ended)
  return ended
}

/** Nobody needs more at once, and a list of hundreds is none that anybody looks through. */
const MOST_TOKENS = 50

export const accountRoutes: Route[] = [
  handle(readOwnAccount, async ({ user, context }) => accountOr404(context, user.account)),
  handle(listOwnSessions, async ({ user, context }) => sessionsOf(context.db, context.configuration, user.account, user.session)),
  handle(endOwnSession, async ({ reply, ...asked }) => {
    await end(own(asked), asked.params.id)
    if (asked.params.id === asked.user.session) void reply.header('clear-site-data', CLEAR_CACHE)
  }),
  handle(signOutEverywhere, async ({ reply, ...asked }) => {
    void reply.header('clear-site-data', CLEAR_CACHE)
    return signOut(own(asked), asked.body.tokens)
  }),

  handle(listOwnTokens, async ({ user, context }) => tokensOf(context.db, user.account)),
  handle(makeToken, async ({ body, ...asked }) => {
    const { account, accessLevel } = asked.user
    const { db } = asked.context
    const level = body.accessLevel ?? accessLevel
    if (level < accessLevel)
      throw badFields([{ path: 'accessLevel', message: `Your level is ${accessLevel}. A token can’t have more access than you` }])
    if ((await tokensOf(db, account)).filter(({ endedAt }) => endedAt === null).length >= MOST_TOKENS)
      throw new Problem(409, `You can have at most ${MOST_TOKENS} API tokens`, { detail: 'Remove one first.' })
    const { _id, token } = await insertApiToken(db, { account, name: body.name.trim(), accessLevel: level, days: body.days })
    const [made] = await tokensOf(db, account, _id)
    if (!made) throw notFound('This API token')
    tell(own(asked), 'api_token_made', { token: _id, level, days: body.days })
    return { token, made }
  }),
  handle(removeOwnToken, async (asked) => remove(own(asked), asked.params.id)),

  handle(listAccounts, async ({ query, context }) => accountsFor(context.db, context.configuration, query.q)),
  handle(readAccount, async ({ params, context }) => accountOr404(context, params.id)),
  handle(listSessions, async (asked) => {
    const { context, account } = await anyone(asked)
    return sessionsOf(context.db, context.configuration, account, asked.user.session)
  }),
  handle(endSession, async (asked) => end(await anyone(asked), asked.params.session)),
  handle(listTokens, async (asked) => tokensOf(asked.context.db, (await anyone(asked)).account)),
  handle(removeToken, async (asked) => remove(await anyone(asked), asked.params.token)),
  handle(signOutSomebody, async (asked) => signOut(await anyone(asked), asked.body.tokens)),
]
