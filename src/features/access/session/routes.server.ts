import type { FastifyRequest } from 'fastify'

import { notSignedIn } from '../../../contract/problem.ts'
import { type User } from '../../../contract/user.ts'
import type { AppContext, SignedIn } from '../../../platform/server/app-context.ts'
import { getAuditActor, recordAudit, recordFailure } from '../../../platform/server/audit.ts'
import { CLEAR_CACHE } from '../../../platform/server/errors.ts'
import { getToken } from '../../../platform/server/guard.ts'
import { handle, type Route } from '../../../platform/server/handler.ts'
import { logSecurityEvent } from '../../../platform/server/security-log.ts'
import { completeSignIn } from './complete-sign-in.server.ts'
import {
  AUTH_FAILED,
  AUTH_PARAMETER,
  finishSignIn,
  readCopyState,
  readUser,
  refreshSession,
  SIGN_IN_TEST_PAGE,
  signOut,
  startSignIn,
  startSignInTest,
} from './contract.ts'
import { getBrowserCookie, clearCookies, getCompanionCookie, setBrowserCookie, setCompanionCookie } from './cookies.server.ts'
import { type Identity, SignInRefused } from './identity.server.ts'
import {
  type EndedSession,
  endSessions,
  insertSignIn,
  insertTestResult,
  markSessionUsed,
  insertSession,
  consumeSignIn,
  consumeTicket,
} from './mutations.server.ts'
import { toFailureEvent, finishAuthorization, buildLogoutUrl, formatReason, startAuthorization } from './provider.server.ts'
import { selectUserBySession, getTenant, mayKeepCopy } from './queries.server.ts'
import { isTicket, createSecret, decryptWithAny } from './secrets.server.ts'
import { runSignInTest } from './sign-in-test.server.ts'

const getLoginPath = (value: string): string => `/login?${AUTH_PARAMETER}=${value}`

const toUser = ({ account, name, azureID, accessLevel }: SignedIn): User => ({ _id: account, name, azureID, accessLevel })

/**
 * True for navigation from our own pages and for typed URLs. A link on another site could otherwise send people through the provider's logout, even
 * without their companion cookie.
 */
const isSameOrigin = (headers: { 'sec-fetch-site'?: unknown }): boolean =>
  headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] === 'same-origin' || headers['sec-fetch-site'] === 'none'

export const sessionRoutes: Route[] = [
  handle(startSignIn, async ({ context, request, reply }) => {
    const { db, configuration } = context
    try {
      const { url, state, nonce, verifier } = await startAuthorization(configuration)
      const browser = getBrowserCookie(request, configuration) ?? createSecret()
      await insertSignIn(db, browser, state, { nonce, verifier })
      setBrowserCookie(reply, configuration, browser)
      return reply.redirect(url.href)
    } catch (error) {
      await reportFailure(context, request, toFailureEvent(error))
      return reply.redirect(getLoginPath(AUTH_FAILED))
    }
  }),

  handle(finishSignIn, async ({ context, request, reply }) => {
    const { db, configuration } = context
    let identity: Identity | undefined
    try {
      const query = new URL(request.url, configuration.publicUrl).searchParams
      const state = query.get('state')
      const browser = getBrowserCookie(request, configuration)
      if (state === null || browser === undefined) throw new SignInRefused('the browser did not start it', 'not_started_here')
      const started = await consumeSignIn(db, browser, state)
      if (!started) throw new SignInRefused('it was not started by this browser, is over, or took too long', 'not_started_here')
      if (started.testedBy) {
        await insertTestResult(db, state, started.testedBy, await runSignInTest(configuration, query, { state, ...started }))
        return reply.redirect(SIGN_IN_TEST_PAGE)
      }
      const signIn = await finishAuthorization(configuration, query, { state, ...started })
      identity = signIn.identity
      if (signIn.identity.isGuest === null) warnAboutGuests(context)
      return reply.redirect(getLoginPath(await completeSignIn(context, { ...signIn, browser, request: request.id })))
    } catch (error) {
      await reportFailure(context, request, toFailureEvent(error), identity)
      return reply.redirect(getLoginPath(AUTH_FAILED))
    }
  }),

  /** Neither ends the session nor begins another: the browser keeps its cookies, and the return only says what the provider answered. */
  handle(startSignInTest, async ({ context: { db, configuration }, user, request, reply }) => {
    try {
      const { url, state, nonce, verifier } = await startAuthorization(configuration, true)
      const browser = getBrowserCookie(request, configuration) ?? createSecret()
      await insertSignIn(db, browser, state, { nonce, verifier, testedBy: user.account })
      setBrowserCookie(reply, configuration, browser)
      return reply.redirect(url.href)
    } catch (error) {
      const result = { problem: formatReason(error), tenant: getTenant(configuration), claims: [] }
      await insertTestResult(db, createSecret(), user.account, result)
      return reply.redirect(SIGN_IN_TEST_PAGE)
    }
  }),

  handle(readUser, async ({ user }) => toUser(user)),

  /**
   * A renewal keeps the token and only extends the idle time. A new token each time would sign people out at random: other tabs still hold
   * the old one, and a lost response would lose the new one. A copied token is useless without its cookie.
   */
  handle(refreshSession, async ({ context, user, request, reply }) => {
    const token = getToken(request)
    if (token === undefined) throw notSignedIn()
    if (isTicket(token)) {
      const browser = getBrowserCookie(request, context.configuration)
      const session = browser === undefined ? undefined : await exchangeTicket(context, browser, token, request)
      if (!session || browser === undefined) {
        await reportFailure(context, request, { kind: 'ticket', reason: 'the ticket is used, old or another browser’s', account: null })
        throw notSignedIn('This sign-in link was already used, has expired or belongs to another browser. Sign in again.')
      }
      const { account, accessLevel: level } = session.user
      logSecurityEvent(context.log, request, 'signed_in', { account, level })
      setBrowserCookie(reply, context.configuration, browser)
      setCompanionCookie(reply, context.configuration, session.companion)
      return { user: toUser(session.user), token: session.token }
    }
    if (!user || user.session === null) throw notSignedIn()
    await markSessionUsed(context.db, user.session, request.ip)
    return { user: toUser(user), token }
  }),

  handle(readCopyState, async ({ context, request }) => {
    const token = getToken(request)
    return { mayKeep: token !== undefined && (await mayKeepCopy(context, token)) }
  }),

  handle(signOut, async ({ context, request, reply }) => {
    if (!isSameOrigin(request.headers)) return reply.redirect('/login')
    // Our own page has already cleared its storage, except the layout of lists on this device; a typed address had no page to do so.
    void reply.header('clear-site-data', request.headers['sec-fetch-site'] === 'same-origin' ? CLEAR_CACHE : `${CLEAR_CACHE}, "storage"`)
    const { db, configuration, log } = context
    const secrets = { token: getToken(request), companion: getCompanionCookie(request, configuration) }
    clearCookies(reply, configuration)
    try {
      const ended = await db.transaction().execute(async (tx) => {
        const sessions = await endSessions(tx, secrets)
        for (const { _id, account, azureID: actor, name } of sessions) {
          const event = { kind: 'session.ended', record: _id, after: { reason: 'signed out' } } as const
          await recordAudit(tx, getAuditActor(request, { account, actor, name }), event)
        }
        return sessions
      })
      await context.lists.invalidate(['session'])
      logSecurityEvent(log, request, 'signed_out', { accounts: ended.map(({ account }) => account) })
      const logoutUrl = await buildLogoutUrl(configuration, getIdToken(context, ended))
      return reply.redirect(logoutUrl?.href ?? '/login')
    } catch (error) {
      // This browser has lost its cookies, without which its token is useless.
      log.warn({ reason: formatReason(error) }, 'A sign-out could not be finished at the provider')
      return reply.redirect('/login')
    }
  }),
]

const warnedConfigurations = new WeakSet<AppContext['configuration']>()

/** Logs once that guests cannot be refused, because the provider's tokens do not distinguish them from members. */
const warnAboutGuests = ({ configuration, log }: AppContext): void => {
  if (configuration.oidc === undefined || configuration.oidc.allowGuests || warnedConfigurations.has(configuration)) return
  warnedConfigurations.add(configuration)
  log.warn('ID tokens carry neither acct nor idp, so guests cannot be refused; add the optional claim acct, or set OIDC_ALLOW_GUESTS=true')
}

/** Logs a failed sign-in and records it in the audit trail; with the account only if the provider has identified it. */
const reportFailure = async (
  context: AppContext,
  request: FastifyRequest,
  { kind, reason, account }: ReturnType<typeof toFailureEvent>,
  identity?: Identity,
): Promise<void> => {
  logSecurityEvent(context.log, request, 'sign_in_failed', { kind, reason, account })
  const by = { account, actor: identity?.address ?? null, name: identity?.name ?? null }
  await recordFailure(context, request, { kind: 'sign_in.failed', after: { kind, reason } }, by)
}

/** In one transaction, so that a failure leaves the ticket unused. */
const exchangeTicket = ({ db, configuration }: AppContext, browser: string, ticket: string, request: FastifyRequest) =>
  db.transaction().execute(async (tx) => {
    const { headers, ip } = request
    const signIn = await consumeTicket(tx, browser, ticket)
    if (!signIn) return undefined
    const session = await insertSession(tx, { ...signIn, browser, userAgent: headers['user-agent']?.slice(0, 300) ?? null, address: ip })
    const user = await selectUserBySession(tx, configuration, session).executeTakeFirst()
    if (!user) return undefined
    const { account, azureID: actor, name, accessLevel } = user
    const event = { kind: 'sign_in.succeeded', record: user.session, after: { accessLevel } } as const
    await recordAudit(tx, getAuditActor(request, { account, actor, name }), event)
    return { user, ...session }
  })

/** The ID token, which identifies the session to the provider's logout. */
const getIdToken = ({ configuration }: AppContext, ended: EndedSession[]): string | null => {
  const session = ended.find(({ idToken }) => idToken !== null)
  return session?.idToken ? decryptWithAny(configuration, session.account, session.idToken) : null
}
