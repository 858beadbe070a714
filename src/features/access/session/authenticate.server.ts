import { hash } from 'node:crypto'

import type { FastifyRequest } from 'fastify'

import { isApiToken } from '../../../platform/contract/api-tokens.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { getToken } from '../../../platform/server/guard.ts'
import type { Authenticate } from '../../../platform/server/handler.ts'
import { companionIn } from './cookies.server.ts'
import { KnownSessions } from './known-sessions.server.ts'
import { findByApiToken, findSignedIn, markTokenUsed, markUsed } from './queries.server.ts'

/**
 * Who sends a request (D9): a session's token and its companion cookie together, or an API token, which decides whatever cookie is beside it. The
 * cookie alone will do where a browser fetches without headers; a wrong token will not. A database that is down throws, so that nobody takes it
 * for a dead session.
 */
export const createAuthenticate = (context: AppContext): Authenticate => {
  const known = new KnownSessions(context.lists)
  return (request, allowCookieOnly) => {
    const token = getToken(request)
    const isProgram = token !== undefined && isApiToken(token)
    const companion = isProgram ? undefined : companionIn(request, context.configuration)
    if (!isProgram && (companion === undefined || (token === undefined && (!allowCookieOnly || sentSomeToken(request.headers)))))
      return null
    // What decides, and nothing else of what came with it: other cookies make nobody anybody else.
    const key = hash('sha256', `${token ?? ''} ${companion ?? ''}`, 'base64')
    return (
      known.get(key) ?? known.ask(key, () => (isProgram ? askWhose(context, token) : askSession(context, request, token, companion ?? '')))
    )
  }
}

const askWhose = async (context: AppContext, secret: string) => {
  const found = await findByApiToken(context.db, context.configuration, secret)
  if (!found) return null
  const { stale, lives, _id, ...user } = found
  if (stale) await tryToMark(context, markTokenUsed(context.db, _id))
  return { user, lives }
}

const askSession = async (context: AppContext, request: FastifyRequest, token: string | undefined, companion: string) => {
  const found = await findSignedIn(context.db, context.configuration, { token, companion })
  if (!found) return null
  const { stale, lives, ...user } = found
  if (stale) await tryToMark(context, markUsed(context.db, user.session, request.ip))
  return { user, lives }
}

/** What cannot be marked as used (a database that only reads, during a failover) is no reason to refuse the request. */
const tryToMark = async ({ log }: AppContext, marking: Promise<void>): Promise<void> =>
  marking.catch((error: unknown) => log.warn({ err: error }, 'A session or a token could not be marked as used'))

const sentSomeToken = (headers: { authorization?: string; 'x-auth-token'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-auth-token'] !== undefined
