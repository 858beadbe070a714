import type { FastifyRequest } from 'fastify'

import { noSession } from '../../../platform/contract/problem.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { CLEAR_CACHE } from '../../../platform/server/errors.ts'
import { getToken } from '../../../platform/server/guard.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { admitArrival } from './accounts.server.ts'
import { AUTH_FAILED, AUTH_PARAMETER, finishSignIn, readUser, refreshSession, signOut, startSignIn, type User } from './contract.ts'
import { browserOf, clearCookies, companionIn, setBrowser, setCompanion } from './cookies.server.ts'
import { SignInRefused } from './identity.server.ts'
import { failureOf, finishAtProvider, logoutAddress, reasonOf, startAtProvider } from './provider.server.ts'
import {
  type EndedSession,
  endSessions,
  findSignedIn,
  keepSignIn,
  markUsed,
  openSession,
  takeSignIn,
  takeTicket,
} from './queries.server.ts'
import { isTicket, randomSecret, unseal } from './secrets.server.ts'

const login = (value: string): string => `/login?${AUTH_PARAMETER}=${value}`

const asUser = ({ account, name, azureID, accessLevel }: SignedIn): User => ({ _id: account, name, azureID, accessLevel })

/**
 * Whether a navigation came from a page of ours, or was typed. Another site's link must not sign people out: without this, it could
 * send them through the provider's logout even though the companion cookie stays behind.
 */
const isOurs = (headers: { 'sec-fetch-site'?: unknown }): boolean =>
  headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] === 'same-origin' || headers['sec-fetch-site'] === 'none'

export const sessionRoutes: Route[] = [
  handle(startSignIn, async ({ context, request, reply }) => {
    const { db, configuration, log } = context
    try {
      const { address, state, nonce, verifier } = await startAtProvider(configuration)
      const browser = browserOf(request, configuration) ?? randomSecret()
      await keepSignIn(db, browser, state, { nonce, verifier })
      setBrowser(reply, configuration, browser)
      return reply.redirect(address.href)
    } catch (error) {
      logSecurityEvent(log, request, 'sign_in_failed', failureOf(error))
      return reply.redirect(login(AUTH_FAILED))
    }
  }),

  handle(finishSignIn, async ({ context, request, reply }) => {
    const { db, configuration, log } = context
    try {
      const query = new URL(request.url, configuration.publicUrl).searchParams
      const state = query.get('state')
      const browser = browserOf(request, configuration)
      if (state === null || browser === undefined) throw new SignInRefused('the browser did not start it', 'not_started_here')
      const started = await takeSignIn(db, browser, state)
      if (!started) throw new SignInRefused('it was not started by this browser, is over, or took too long', 'not_started_here')
      const arrival = await finishAtProvider(configuration, query, { state, ...started })
      if (arrival.identity.isGuest === null) warnOfUnknownGuests(context)
      return reply.redirect(login(await admitArrival(context, { ...arrival, browser, request: request.id })))
    } catch (error) {
      logSecurityEvent(log, request, 'sign_in_failed', failureOf(error))
      return reply.redirect(login(AUTH_FAILED))
    }
  }),

  handle(readUser, async ({ user }) => asUser(user)),

  /**
   * A renewal keeps the token and moves the idle time only. A new token each time would sign people out at random: other tabs still hold
   * the old one, and an answer that is lost on the way takes the new one with it. A copied token is worth nothing without its cookie.
   */
  handle(refreshSession, async ({ context, user, request, reply }) => {
    const token = getToken(request)
    if (token === undefined) throw noSession()
    if (isTicket(token)) {
      const browser = browserOf(request, context.configuration)
      const opened = browser === undefined ? undefined : await trade(context, browser, token, request)
      if (!opened || browser === undefined) {
        logSecurityEvent(context.log, request, 'sign_in_failed', { kind: 'ticket', reason: 'the ticket is used, old or another browser’s' })
        throw noSession('This sign-in link was already used, has expired or belongs to another browser. Sign in again.')
      }
      const { account, accessLevel: level } = opened.user
      logSecurityEvent(context.log, request, 'signed_in', { account, level })
      setBrowser(reply, context.configuration, browser)
      setCompanion(reply, context.configuration, opened.companion)
      return { user: asUser(opened.user), token: opened.token }
    }
    if (!user || user.session === null) throw noSession()
    await markUsed(context.db, user.session, request.ip)
    return { user: asUser(user), token }
  }),

  handle(signOut, async ({ context, request, reply }) => {
    if (!isOurs(request.headers)) return reply.redirect('/login')
    // Our own page has wiped what it kept, but for how lists look on this device; whoever comes by the address had no page to do so.
    void reply.header('clear-site-data', request.headers['sec-fetch-site'] === 'same-origin' ? CLEAR_CACHE : `${CLEAR_CACHE}, "storage"`)
    const { db, configuration, log } = context
    const secrets = { token: getToken(request), companion: companionIn(request, configuration) }
    clearCookies(reply, configuration)
    try {
      const ended = await endSessions(db, secrets)
      context.lists.invalidate(['session'])
      logSecurityEvent(log, request, 'signed_out', { accounts: ended.map(({ account }) => account) })
      const address = await logoutAddress(configuration, idTokenOf(context, ended))
      return reply.redirect(address?.href ?? '/login')
    } catch (error) {
      // The cookies are gone from this browser, and without them its token is worth nothing.
      log.warn({ reason: reasonOf(error) }, 'A sign-out could not be finished at the provider')
      return reply.redirect('/login')
    }
  }),
]

const warned = new WeakSet<AppContext['configuration']>()

/** Once: guests were to be refused, and the provider's tokens do not tell them from members. */
const warnOfUnknownGuests = ({ configuration, log }: AppContext): void => {
  if (configuration.oidc === undefined || configuration.oidc.allowGuests || warned.has(configuration)) return
  warned.add(configuration)
  log.warn('ID tokens carry neither acct nor idp, so guests cannot be refused; add the optional claim acct, or set OIDC_ALLOW_GUESTS=true')
}

/** A ticket for a session, all in one: a trade that fails halfway does not spend the ticket. */
const trade = ({ db, configuration }: AppContext, browser: string, ticket: string, { headers, ip }: FastifyRequest) =>
  db.transaction().execute(async (tx) => {
    const taken = await takeTicket(tx, browser, ticket)
    if (!taken) return undefined
    const session = await openSession(tx, { ...taken, browser, userAgent: headers['user-agent']?.slice(0, 300) ?? null, address: ip })
    const user = await findSignedIn(tx, configuration, session)
    return user && { user, ...session }
  })

/** What the provider's logout is told so that it need not ask who is leaving. */
const idTokenOf = ({ configuration: { secretKey } }: AppContext, ended: EndedSession[]): string | null => {
  const session = ended.find(({ idToken }) => idToken !== null)
  return secretKey === undefined || !session?.idToken ? null : unseal(secretKey, session.account, session.idToken)
}
