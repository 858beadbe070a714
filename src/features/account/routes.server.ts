import { badFields, notFound, Problem } from '../../platform/contract/problem.ts'
import { on, type Route } from '../../platform/server/handler.ts'
import type { House } from '../../platform/server/house.ts'
import { endSessionsOf, openApiToken } from '../session/queries.server.ts'
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
  readonly account: string
  /** The account of whoever ends something; kept beside what was ended. */
  readonly by: string
}

const accountOr404 = async ({ db, configuration }: House, _id: string) => {
  const account = await accountBy(db, configuration, _id)
  if (!account) throw notFound('This account')
  return account
}

/** Somebody of our tenant, for level 1. */
const about = async (house: House, account: string, by: string): Promise<About> => {
  await accountOr404(house, account)
  return { house, account, by }
}

/** Told before the answer leaves, so that the next request of what has ended is refused. */
const end = async ({ house, account, by }: About, session: string): Promise<void> => {
  if (!(await endSessionOf(house.db, account, session, by))) throw notFound('This session')
  house.lists.drop(['session'])
}

const remove = async ({ house, account, by }: About, token: string): Promise<void> => {
  if ((await removeTokensOf(house.db, account, by, token)) === 0) throw notFound('This API token')
  house.lists.drop(['api_token'])
}

const signOut = async ({ house, account, by }: About, withTokens: boolean): Promise<{ sessions: number; tokens: number }> => {
  const ended = await house.db.transaction().execute(async (tx) => {
    const live = await sessionsOf(tx, house.configuration, account, null)
    await endSessionsOf(tx, account, by)
    return {
      sessions: live.filter(({ endedAt }) => endedAt === null).length,
      tokens: withTokens ? await removeTokensOf(tx, account, by) : 0,
    }
  })
  house.lists.drop(['session', 'api_token'])
  return ended
}

/** Nobody needs more at once, and a list of hundreds is none that anybody looks through. */
const MOST_TOKENS = 50

export const accountRoutes: Route[] = [
  on(readOwnAccount, async ({ user, house }) => accountOr404(house, user.account)),
  on(listOwnSessions, async ({ user, house }) => sessionsOf(house.db, house.configuration, user.account, user.session)),
  on(endOwnSession, async ({ params, user, house }) => end({ house, account: user.account, by: user.account }, params.id)),
  on(signOutEverywhere, async ({ body, user, house }) => signOut({ house, account: user.account, by: user.account }, body.tokens)),

  on(listOwnTokens, async ({ user, house }) => tokensOf(house.db, user.account)),
  on(makeToken, async ({ body, user: { account, accessLevel }, house: { db } }) => {
    const level = body.accessLevel ?? accessLevel
    if (level < accessLevel)
      throw badFields([{ path: 'accessLevel', message: `Your own level is ${accessLevel}, and a token has no more` }])
    if ((await tokensOf(db, account)).filter(({ endedAt }) => endedAt === null).length >= MOST_TOKENS)
      throw new Problem(409, `Nobody has more than ${MOST_TOKENS} API tokens`, { detail: 'Remove one first.' })
    const { _id, token } = await openApiToken(db, { account, name: body.name.trim(), accessLevel: level, days: body.days })
    const [made] = await tokensOf(db, account, _id)
    if (!made) throw notFound('This API token')
    return { token, made }
  }),
  on(removeOwnToken, async ({ params, user, house }) => remove({ house, account: user.account, by: user.account }, params.id)),

  on(listAccounts, async ({ query, house }) => accountsFor(house.db, house.configuration, query.q)),
  on(readAccount, async ({ params, house }) => accountOr404(house, params.id)),
  on(listSessions, async ({ params, user, house }) => {
    const { account } = await about(house, params.id, user.account)
    return sessionsOf(house.db, house.configuration, account, user.session)
  }),
  on(endSession, async ({ params, user, house }) => end(await about(house, params.id, user.account), params.session)),
  on(listTokens, async ({ params, user, house }) => tokensOf(house.db, (await about(house, params.id, user.account)).account)),
  on(removeToken, async ({ params, user, house }) => remove(await about(house, params.id, user.account), params.token)),
  on(signOutSomebody, async ({ params, body, user, house }) => signOut(await about(house, params.id, user.account), body.tokens)),
]
