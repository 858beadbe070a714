import { hash } from 'node:crypto'

import type { FastifyRequest } from 'fastify'

import { isApiToken } from '../../../platform/contract/api-tokens.ts'
import { tokenIn } from '../../../platform/server/guard.ts'
import type { WhoIs } from '../../../platform/server/handler.ts'
import type { House } from '../../../platform/server/house.ts'
import { companionIn } from './cookies.server.ts'
import { KnownSessions } from './known-sessions.server.ts'
import { findByApiToken, findSignedIn, markTokenUsed, markUsed } from './queries.server.ts'

/**
 * Who sends a request (D9): a session's token and its companion cookie together, or an API token, which decides whatever cookie is beside it. The
 * cookie alone will do where a browser fetches without headers; a wrong token will not. A database that is down throws, so that nobody takes it
 * for a dead session.
 */
export const whoIs = (house: House): WhoIs => {
  const known = new KnownSessions(house.lists)
  return (request, cookieAlone) => {
    const token = tokenIn(request)
    const isProgram = token !== undefined && isApiToken(token)
    const companion = isProgram ? undefined : companionIn(request, house.configuration)
    if (!isProgram && (companion === undefined || (token === undefined && (!cookieAlone || sentSomeToken(request.headers))))) return null
    // What decides, and nothing else of what came with it: other cookies make nobody anybody else.
    const key = hash('sha256', `${token ?? ''} ${companion ?? ''}`, 'base64')
    return known.get(key) ?? known.ask(key, () => (isProgram ? askWhose(house, token) : askSession(house, request, token, companion ?? '')))
  }
}

const askWhose = async (house: House, secret: string) => {
  const found = await findByApiToken(house.db, house.configuration, secret)
  if (!found) return null
  const { stale, lives, _id, ...user } = found
  if (stale) await tryToMark(house, markTokenUsed(house.db, _id))
  return { user, lives }
}

const askSession = async (house: House, request: FastifyRequest, token: string | undefined, companion: string) => {
  const found = await findSignedIn(house.db, house.configuration, { token, companion })
  if (!found) return null
  const { stale, lives, ...user } = found
  if (stale) await tryToMark(house, markUsed(house.db, user.session, request.ip))
  return { user, lives }
}

/** What cannot be marked as used (a database that only reads, during a failover) is no reason to refuse the request. */
const tryToMark = async ({ log }: House, marking: Promise<void>): Promise<void> =>
  marking.catch((error: unknown) => log.warn({ err: error }, 'A session or a token could not be marked as used'))

const sentSomeToken = (headers: { authorization?: string; 'x-auth-token'?: unknown }): boolean =>
  headers.authorization !== undefined || headers['x-auth-token'] !== undefined
