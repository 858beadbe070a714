import type { WhoIs } from '../../platform/server/handler.ts'
import type { House } from '../../platform/server/house.ts'
import { companionIn, tokenIn } from './cookies.server.ts'
import { findSignedIn, markUsed } from './queries.server.ts'

/**
 * Who sends a request (D9): the token and its companion cookie together. The cookie alone will do where a browser fetches without
 * headers; a wrong token will not. A database that is down throws, so that nobody takes it for a dead session.
 */
export const whoIs =
  ({ db, configuration, log }: House): WhoIs =>
  async (request, cookieAlone) => {
    const companion = companionIn(request, configuration)
    const token = tokenIn(request)
    if (companion === undefined || (token === undefined && (!cookieAlone || sentSomeToken(request.headers)))) return null
    const found = await findSignedIn(db, configuration, { token, companion })
    if (!found) return null
    const { stale, ...user } = found
    if (stale) {
      // A session that cannot be marked as used (a database that only reads, during a failover) is no reason to refuse the request.
      await markUsed(db, user.session).catch((error: unknown) => log.warn({ err: error }, 'A session could not be marked as used'))
    }
    return user
  }

const sentSomeToken = (headers: { authorization?: string; 'x-auth-token'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-auth-token'] !== undefined
