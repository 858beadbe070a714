import type { FastifyRequest } from 'fastify'

import type { WhoIs } from '../../platform/server/handler.ts'
import type { House } from '../../platform/server/house.ts'
import { companionIn, tokenIn } from './cookies.server.ts'
import { KnownSessions } from './known-sessions.server.ts'
import { findSignedIn, markUsed } from './queries.server.ts'

/**
 * Who sends a request (D9): the token and its companion cookie together. The cookie alone will do where a browser fetches without
 * headers; a wrong token will not. A database that is down throws, so that nobody takes it for a dead session.
 */
export const whoIs = (house: House): WhoIs => {
  const known = new KnownSessions(house.lists)
  return (request, cookieAlone) => {
    const { authorization, cookie, 'x-auth-token': xAuthToken } = request.headers
    if (cookie === undefined) return null
    // The headers as they came, so that who is known is known before anything is read out of them.
    const key = `${cookieAlone ? 'c' : 't'}\n${authorization ?? ''}\n${String(xAuthToken ?? '')}\n${cookie}`
    return known.get(key) ?? known.ask(key, () => askWho(house, request, cookieAlone))
  }
}

const askWho = async ({ db, configuration, log }: House, request: FastifyRequest, cookieAlone: boolean) => {
  const companion = companionIn(request, configuration)
  const token = tokenIn(request)
  if (companion === undefined || (token === undefined && (!cookieAlone || sentSomeToken(request.headers)))) return null
  const found = await findSignedIn(db, configuration, { token, companion })
  if (!found) return null
  const { stale, lives, ...user } = found
  if (stale) {
    // A session that cannot be marked as used (a database that only reads, during a failover) is no reason to refuse the request.
    await markUsed(db, user.session).catch((error: unknown) => log.warn({ err: error }, 'A session could not be marked as used'))
  }
  return { user, lives }
}

const sentSomeToken = (headers: { authorization?: string; 'x-auth-token'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-auth-token'] !== undefined
