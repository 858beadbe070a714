import type { FastifyRequest } from 'fastify'

import { badFields, notFound, Problem } from '../../../platform/contract/problem.ts'
import { CLEAR_CACHE } from '../../../platform/server/errors.ts'
import { on, type Route } from '../../../platform/server/handler.ts'
import type { House, SignedIn } from '../../../platform/server/house.ts'
import { logSecurityEvent, type SecurityEvent } from '../../../platform/server/security-log.ts'
import { endSessionsOf, openApiToken } from '../../access/session/queries.server.ts'
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
  readonly house: House
  readonly request: FastifyRequest
  readonly account: string
  /** The account of whoever ends something; kept beside what was ended. */
  readonly by: string
}

const tell = ({ house, request, account }: About, event: SecurityEvent, details: Record<string, string | number>): void =>
  logSecurityEvent(house.log, request, event, { of: account, ...details })

const accountOr404 = async ({ db, configuration }: House, _id: string) => {
  const account = await accountBy(db, configuration, _id)
  if (!account) throw notFound('This account')
  return account
}

interface Asked {
  readonly house: House
  readonly request: FastifyRequest
  readonly user: SignedIn
}

/** One's own. */
const own = ({ house, request, user: { account } }: Asked): About => ({ house, request, account, by: account })

/** Somebody of our tenant, for level 1. */
const anyone = async ({ house, request, user, params }: Asked & { readonly params: { readonly id: string } }): Promise<About> => {
  await accountOr404(house, params.id)
  return { house, request, account: params.id, by: user.account }
}

/** Told before the answer leaves, so that the next request of what has ended is refused. */
const end = async (about: About, session: string): Promise<void> => {
  const { house, account, by } = about
  if (!(await endSessionOf(house.db, account, session, by))) throw notFound('This session')
  house.lists.drop(['session'])
  tell(about, 'session_ended', { session })
}

const remove = async (about: About, token: string): Promise<void> => {
  const { house, account, by } = about
  if ((await removeTokensOf(house.db, account, by, token)) === 0) throw notFound('This API token')
  house.lists.drop(['api_token'])
  tell(about, 'api_token_removed', { token })
}

const signOut = async (about: About, withTokens: boolean): Promise<{ sessions: number; tokens: number }> => {
  const { house, account, by } = about
  const ended = await house.db.transaction().execute(async (tx) => {
    const live = await sessionsOf(tx, house.configuration, account, null)
    await endSessionsOf(tx, account, by)
    return {
      sessions: live.filter(({ endedAt }) => endedAt === null).length,
      tokens: withTokens ? await removeTokensOf(tx, account, by) : 0,
    }
  })
  house.lists.drop(['session', 'api_token'])
  tell(about, 'signed_out_everywhere', ended)
  return ended
}

/** Nobody needs more at once, and a list of hundreds is none that anybody looks through. */
const MOST_TOKENS = 50

export const accountRoutes: Route[] = [
  on(readOwnAccount, async ({ user, house }) => accountOr404(house, user.account)),
  on(listOwnSessions, async ({ user, house }) => sessionsOf(house.db, house.configuration, user.account, user.session)),
  on(endOwnSession, async ({ reply, ...asked }) => {
    await end(own(asked), asked.params.id)
    if (asked.params.id === asked.user.session) void reply.header('clear-site-data', CLEAR_CACHE)
  }),
  on(signOutEverywhere, async ({ reply, ...asked }) => {
    void reply.header('clear-site-data', CLEAR_CACHE)
    return signOut(own(asked), asked.body.tokens)
  }),

  on(listOwnTokens, async ({ user, house }) => tokensOf(house.db, user.account)),
  on(makeToken, async ({ body, ...asked }) => {
    const { account, accessLevel } = asked.user
    const { db } = asked.house
    const level = body.accessLevel ?? accessLevel
    if (level < accessLevel)
      throw badFields([{ path: 'accessLevel', message: `Your level is ${accessLevel}. A token can’t have more access than you` }])
    if ((await tokensOf(db, account)).filter(({ endedAt }) => endedAt === null).length >= MOST_TOKENS)
      throw new Problem(409, `You can have at most ${MOST_TOKENS} API tokens`, { detail: 'Remove one first.' })
    const { _id, token } = await openApiToken(db, { account, name: body.name.trim(), accessLevel: level, days: body.days })
    const [made] = await tokensOf(db, account, _id)
    if (!made) throw notFound('This API token')
    tell(own(asked), 'api_token_made', { token: _id, level, days: body.days })
    return { token, made }
  }),
  on(removeOwnToken, async (asked) => remove(own(asked), asked.params.id)),

  on(listAccounts, async ({ query, house }) => accountsFor(house.db, house.configuration, query.q)),
  on(readAccount, async ({ params, house }) => accountOr404(house, params.id)),
  on(listSessions, async (asked) => {
    const { house, account } = await anyone(asked)
    return sessionsOf(house.db, house.configuration, account, asked.user.session)
  }),
  on(endSession, async (asked) => end(await anyone(asked), asked.params.session)),
  on(listTokens, async (asked) => tokensOf(asked.house.db, (await anyone(asked)).account)),
  on(removeToken, async (asked) => remove(await anyone(asked), asked.params.token)),
  on(signOutSomebody, async (asked) => signOut(await anyone(asked), asked.body.tokens)),
]
