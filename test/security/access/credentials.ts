import { sql } from 'kysely'

import { type Call, callName } from '../../../src/contract/call.ts'
import { BROWSE_LEVEL, can } from '../../../src/contract/capabilities.ts'
import { insertApiToken } from '../../../src/features/access/session/mutations.server.ts'
import { createApiToken, createSecret, createTicket } from '../../../src/features/access/session/secrets.server.ts'
import { endOwnSession, listOwnSessions, removeOwnToken } from '../../../src/features/administration/accounts/contract.ts'
import { removePermission } from '../../../src/features/administration/permissions/contract.ts'
import { createDeparture } from '../../../src/features/records/departures/contract.ts'
import type { AppContext } from '../../../src/platform/server/app-context.ts'
import type { Factories } from '../../support/factories.ts'
import type { SendRequest } from '../../support/http-requests.ts'
import { signInAt } from '../../support/sessions.ts'

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** A credential that a request can be sent with, and the level it gives. */
export interface Credential {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** The level it gives; null if it is invalid. */
  readonly level: number | null
  /** A program's: refused by calls that require a person. */
  readonly isProgram?: true
  /** Only the cookie, which is accepted only for browser requests that cannot send a token header. */
  readonly isCookieAlone?: true
}

/** The expected response of the guard, derived only from the table of capabilities. */
export type ExpectedAccess = 'let in' | 401 | 403

export const getExpectedAccess = (
  { capability, sessionOnly, allowCookieOnly }: Call,
  { level, isProgram, isCookieAlone }: Credential,
): ExpectedAccess => {
  const known = isCookieAlone && !allowCookieOnly ? null : level
  if (sessionOnly && isProgram && known !== null) return 403
  if (capability === 'no session') return 'let in'
  if (known === null) return 401
  return can(known, capability) ? 'let in' : 403
}

export interface TestTarget {
  readonly context: AppContext
  readonly make: Factories
  readonly send: SendRequest
}

const alterSecret = (secret: string): string => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
const getToken = ({ authorization }: { authorization: string }): string => authorization.slice('Bearer '.length)

/** Every kind of credential, valid and invalid; the invalid ones would be level 1 if they were accepted. */
export const createCredentials = async (target: TestTarget): Promise<Credential[]> => {
  const { context } = target
  const [one, another, ten] = [await signInAt(context, 1), await signInAt(context, 1), await signInAt(context, 10)]
  const [token, { cookie }] = [getToken(one.headers), one.headers]
  const cookieName = cookie.split('=')[0] ?? ''
  const tokenAt = async (account: string, accessLevel: number, days = 30): Promise<Record<string, string>> => ({
    authorization: `Bearer ${(await insertApiToken(context.db, { account, name: 'A program', accessLevel, days })).token}`,
  })
  const invalid = (name: string, headers: Record<string, string>): Credential => ({ name, headers, level: null })
  return [
    invalid('nothing at all', {}),
    ...(await Promise.all(
      LEVELS.map(async (level) => ({ name: `a session of level ${level}`, headers: (await signInAt(context, level)).headers, level })),
    )),
    { name: 'a session by x-auth-token', headers: { 'x-auth-token': token, cookie }, level: 1 },
    { name: 'the cookie without its token', headers: { cookie }, level: 1, isCookieAlone: true },
    invalid('the token without its cookie', { authorization: one.headers.authorization }),
    invalid('x-auth-token without its cookie', { 'x-auth-token': token }),
    invalid('the token with another session’s cookie', { authorization: one.headers.authorization, cookie: another.headers.cookie }),
    invalid('an altered token with the right cookie', { authorization: `Bearer ${alterSecret(token)}`, cookie }),
    invalid('the right token with an altered cookie', { authorization: one.headers.authorization, cookie: alterSecret(cookie) }),
    invalid('a made-up token and cookie', { authorization: `Bearer ${createSecret()}`, cookie: `${cookieName}=${createSecret()}` }),
    invalid('the token as its own cookie', { authorization: one.headers.authorization, cookie: `${cookieName}=${token}` }),
    invalid('a ticket nobody was given', { authorization: `Bearer ${createTicket()}`, cookie }),
    invalid('the token as Basic', { authorization: `Basic ${token}`, cookie }),
    invalid('SQL for a token', { authorization: "Bearer ' or 1=1 --", cookie }),
    { name: 'an API token of level 1', headers: await tokenAt(one.account, 1), level: 1, isProgram: true },
    { name: 'an API token of level 6, made by level 1', headers: await tokenAt(one.account, 6), level: 6, isProgram: true },
    { name: 'an API token of level 10, made by level 1', headers: await tokenAt(one.account, 10), level: 10, isProgram: true },
    { name: 'an API token of level 1 whose maker has level 10', headers: await tokenAt(ten.account, 1), level: 10, isProgram: true },
    {
      name: 'an API token of level 1 beside a session of level 10',
      headers: { ...ten.headers, ...(await tokenAt(one.account, 1)) },
      level: 1,
      isProgram: true,
    },
    invalid('an API token nobody made', { authorization: `Bearer ${createApiToken()}` }),
    invalid('an API token that has expired', await tokenAt(one.account, 1, -1)),
    invalid('an expired API token beside a session', { ...one.headers, ...(await tokenAt(one.account, 1, -1)) }),
    ...(await createEndedCredentials(target)),
  ]
}

/** Sessions and tokens that were valid, were used, and were then ended by the server's own calls or by time. */
const createEndedCredentials = async ({ context, make, send }: TestTarget): Promise<Credential[]> => {
  const { db, configuration, lists } = context
  const administrator = await signInAt(context, 1)
  const signInUsed = async (level = 1) => {
    const user = await signInAt(context, level)
    await expectEqual(await send('GET', '/auth', user), 200)
    return user
  }
  const expectEqual = async ({ status, body }: { status: number; body: string }, wanted: number): Promise<string> => {
    if (status !== wanted) throw new Error(`A credential could not be made ready: ${status} ${body}`)
    return body
  }
  const invalid = (name: string, { headers }: { headers: Record<string, string> }): Credential => ({ name, headers, level: null })
  const age = async (account: string, column: 'createdAt' | 'usedAt', hours: number): Promise<void> => {
    await sql`update session set ${sql.ref(column)} = now() - make_interval(hours => ${hours}) where account = ${account}`.execute(db)
  }

  const [old, idle, ended, left, foreign, signedOut] = await Promise.all(Array.from({ length: 6 }, () => signInUsed()))
  if (!old || !idle || !ended || !left || !foreign || !signedOut) throw new Error('There are six of them')
  await age(old.account, 'createdAt', configuration.sessionHours + 1)
  await age(idle.account, 'usedAt', Math.ceil(configuration.sessionIdleMinutes / 60) + 1)
  await sql`update account set tenant = 'another tenant' where _id = ${foreign.account}`.execute(db)

  const [own] = JSON.parse(await expectEqual(await send('GET', listOwnSessions.path, ended), 200)) as { _id: string }[]
  await expectEqual(await send(endOwnSession.method, endOwnSession.path.replace(':id', own?._id ?? ''), ended), 204)
  await expectEqual(await send('GET', '/auth/logout', { headers: { ...signedOut.headers, 'sec-fetch-site': 'same-origin' } }), 302)

  const person = await make.person({ email: left.azureID })
  const token = await insertApiToken(db, { account: left.account, name: 'Theirs', accessLevel: 1, days: 30 })
  const leftToken = { headers: { authorization: `Bearer ${token.token}` } }
  await expectEqual(await send('GET', '/locations-api/roles', leftToken), 200)
  await expectEqual(
    await send(createDeparture.method, createDeparture.path.replace(':id', person._id), { ...administrator, body: {} }),
    200,
  )

  const removed = await insertApiToken(db, { account: administrator.account, name: 'Removed', accessLevel: 1, days: 30 })
  const removedToken = { headers: { authorization: `Bearer ${removed.token}` } }
  await expectEqual(await send('GET', '/locations-api/roles', removedToken), 200)
  await expectEqual(await send(removeOwnToken.method, removeOwnToken.path.replace(':id', removed._id), administrator), 204)

  const demoted = await signInUsed()
  const demotedToken = await insertApiToken(db, { account: demoted.account, name: 'Theirs', accessLevel: 1, days: 30 })
  const { _id } = await db.selectFrom('permission').select('_id').where('account', '=', demoted.account).executeTakeFirstOrThrow()
  await expectEqual(await send(removePermission.method, removePermission.path.replace(':id', _id), administrator), 204)
  const otherUser = await signInAt(context, 10)
  await make.permission({ account: otherUser.account, azureID: otherUser.azureID, applicationID: 'another program', accessLevel: 1 })
  await lists.invalidate(['session', 'account', 'permission', 'api_token'])

  return [
    invalid('a session that has expired', old),
    invalid('a session that was idle too long', idle),
    invalid('a session ended from the list', ended),
    invalid('a session that was signed out', signedOut),
    invalid('a session of somebody who left', left),
    invalid('an API token of somebody who left', leftToken),
    invalid('a session of another tenant', foreign),
    invalid('an API token that was removed', removedToken),
    { name: 'a session whose permission was removed', headers: demoted.headers, level: BROWSE_LEVEL },
    {
      name: 'an API token whose maker’s permission was removed',
      headers: { authorization: `Bearer ${demotedToken.token}` },
      level: BROWSE_LEVEL,
      isProgram: true,
    },
    { name: 'level 1 in another program', headers: otherUser.headers, level: BROWSE_LEVEL },
  ]
}

/** A call and a credential as text. */
export const formatPair = (call: Call, { name }: Credential): string => `${callName(call)} with ${name}`
