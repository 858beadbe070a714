import { hash } from 'node:crypto'

import type { FastifyRequest } from 'fastify'

import { isApiToken } from '../../../contract/api-tokens.ts'
import { executePrepared } from '../../../database/connection.server.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getToken } from '../../../platform/server/guard.ts'
import type { Authenticate } from '../../../platform/server/handler.ts'
import { getCompanionCookie } from './cookies.server.ts'
import { markTokenUsed, markSessionUsed } from './mutations.server.ts'
import { selectUserByApiToken, selectUserBySession } from './queries.server.ts'
import { SessionCache } from './session-cache.server.ts'

/**
 * Identifies the user of a request by a session token together with its companion cookie, or by an API token, in which case cookies are ignored.
 * Where a browser cannot send headers, the cookie is enough, unless a token is sent too. Throws when the database is down, so that clients do not
 * mistake the failure for an ended session.
 */
export const createAuthenticate = (context: AppContext): Authenticate => {
  const cache = new SessionCache(context.lists)
  return (request, { allowCookieOnly = false, isBackground = false }) => {
    const token = getToken(request)
    const isByApiToken = token !== undefined && isApiToken(token)
    const companion = isByApiToken ? undefined : getCompanionCookie(request, context.configuration)
    if (!isByApiToken && (companion === undefined || (token === undefined && (!allowCookieOnly || hasTokenHeader(request.headers)))))
      return null
    // Other cookies and headers are not part of the key.
    const key = hash('sha256', `${token ?? ''} ${companion ?? ''}`, 'base64')
    const load = () =>
      isByApiToken ? loadApiTokenUser(context, token) : loadSessionUser(context, request, token, companion ?? '', isBackground)
    // Kept only by requests that mark the session as used: others would hide these.
    return cache.get(key) ?? (isBackground ? load().then((found) => found?.user ?? null) : cache.load(key, load))
  }
}

const loadApiTokenUser = async (context: AppContext, secret: string) => {
  const [found] = await executePrepared(context.pool, 'API token', selectUserByApiToken(context.db, context.configuration, secret))
  if (!found) return null
  const { isMarkDue, remainingMs, _id, ...user } = found
  if (isMarkDue) await ignoreMarkFailure(context, markTokenUsed(context.db, _id))
  return { user, remainingMs }
}

const loadSessionUser = async (
  context: AppContext,
  request: FastifyRequest,
  token: string | undefined,
  companion: string,
  isBackground: boolean,
) => {
  const name = token === undefined ? 'session by cookie' : 'session by token'
  const [found] = await executePrepared(context.pool, name, selectUserBySession(context.db, context.configuration, { token, companion }))
  if (!found) return null
  const { isMarkDue, remainingMs, ...user } = found
  if (isMarkDue && !isBackground) await ignoreMarkFailure(context, markSessionUsed(context.db, user.session, request.ip))
  return { user, remainingMs }
}

/** Does not refuse the request if the database is read-only, as during a failover. */
const ignoreMarkFailure = async ({ log }: AppContext, marking: Promise<void>): Promise<void> =>
  marking.catch((error: unknown) => log.warn({ err: error }, 'A session or a token could not be marked as used'))

const hasTokenHeader = (headers: { authorization?: string; 'x-auth-token'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-auth-token'] !== undefined
