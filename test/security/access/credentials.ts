import { sql } from 'kysely'

import type { Call } from '../../../src/contract/call.ts'
import { BROWSE_LEVEL, can } from '../../../src/contract/capabilities.ts'
import { insertApiToken } from '../../../src/features/access/session/mutations.server.ts'
import { createApiToken, createSecret, createTicket } from '../../../src/features/access/session/secrets.server.ts'
import type { AppContext } from '../../../src/platform/server/app-context.ts'
import { fillPath } from '../../support/api-client.ts'
import type { Factories } from '../../support/factories.ts'
import { type SendRequest, sendSuccessfully } from '../../support/http-requests.ts'
import { findCall } from '../../support/schema-fields.ts'
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

/** An API token of an account, as a program sends it. */
export const createProgram = async ({ context }: Pick<TestTarget, 'context'>, account: string, accessLevel: number, days = 30) => {
  const { _id, token } = await insertApiToken(context.db, { account, name: 'A program', accessLevel, days })
  return { _id, headers: { authorization: `Bearer ${token}` } }
}

type Headers = Credential['headers']
const invalid = (name: string, headers: Headers): Credential => ({ name, headers, level: null })
const session = (name: string, level: number, headers: Headers): Credential => ({ name, headers, level })
const program = (name: string, level: number, headers: Headers): Credential => ({ name, headers, level, isProgram: true })

const alterSecret = (secret: string): string => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')

/** Every kind of credential, valid and invalid; the invalid ones would be level 1 if they were accepted. */
export const createCredentials = async (target: TestTarget): Promise<Credential[]> => {
  const { context } = target
  const [one, another, ten] = [await signInAt(context, 1), await signInAt(context, 1), await signInAt(context, 10)]
  const { authorization, cookie } = one.headers
  const token = authorization.slice('Bearer '.length)
  const cookieName = cookie.split('=')[0] ?? ''
  const createHeaders = async (level: number, days?: number, { account } = one): Promise<Headers> =>
    (await createProgram(target, account, level, days)).headers
  const sessions = LEVELS.map(async (level) => session(`a session of level ${level}`, level, (await signInAt(context, level)).headers))
  return [
    invalid('nothing at all', {}),
    ...(await Promise.all(sessions)),
    session('a session by x-auth-token', 1, { 'x-auth-token': token, cookie }),
    { ...session('the cookie without its token', 1, { cookie }), isCookieAlone: true },
    invalid('the token without its cookie', { authorization }),
    invalid('x-auth-token without its cookie', { 'x-auth-token': token }),
    invalid('the token with another session’s cookie', { authorization, cookie: another.headers.cookie }),
    invalid('an altered token with the right cookie', { authorization: `Bearer ${alterSecret(token)}`, cookie }),
    invalid('the right token with an altered cookie', { authorization, cookie: alterSecret(cookie) }),
    invalid('a made-up token and cookie', { authorization: `Bearer ${createSecret()}`, cookie: `${cookieName}=${createSecret()}` }),
    invalid('the token as its own cookie', { authorization, cookie: `${cookieName}=${token}` }),
    invalid('an unknown ticket', { authorization: `Bearer ${createTicket()}`, cookie }),
    invalid('the token as Basic', { authorization: `Basic ${token}`, cookie }),
    invalid('SQL for a token', { authorization: "Bearer ' or 1=1 --", cookie }),
    program('an API token of level 1', 1, await createHeaders(1)),
    program('an API token of level 6, made by level 1', 6, await createHeaders(6)),
    program('an API token of level 10, made by level 1', 10, await createHeaders(10)),
    program('an API token of level 1 whose maker has level 10', 10, await createHeaders(1, 30, ten)),
    program('an API token of level 1 beside a session of level 10', 1, { ...ten.headers, ...(await createHeaders(1)) }),
    invalid('an unknown API token', { authorization: `Bearer ${createApiToken()}` }),
    invalid('an API token that has expired', await createHeaders(1, -1)),
    invalid('an expired API token beside a session', { ...one.headers, ...(await createHeaders(1, -1)) }),
    ...(await createEndedCredentials(target)),
  ]
}

/** Sessions and tokens that were valid, were used, and were then ended by the server's own calls or by time. */
const createEndedCredentials = async (target: TestTarget): Promise<Credential[]> => {
  const { context, make, send } = target
  const { db, configuration, lists } = context
  const sendAs = <T>({ headers }: { headers: Headers }, name: string, id = ''): Promise<T> => {
    const call = findCall(name)
    return sendSuccessfully(send, call.method, fillPath(call, { id }), { headers, body: call.body && {} })
  }
  const signInUsed = async () => {
    const user = await signInAt(context, 1)
    await sendAs(user, 'GET /auth')
    return user
  }
  const createUsedProgram = async (account: string) => {
    const used = await createProgram(target, account, 1)
    await sendAs(used, 'GET /locations-api/roles')
    return used
  }
  const age = async (account: string, column: 'createdAt' | 'usedAt', hours: number): Promise<void> => {
    await sql`update session set ${sql.ref(column)} = now() - make_interval(hours => ${hours}) where account = ${account}`.execute(db)
  }
  const administrator = await signInAt(context, 1)

  const old = await signInUsed()
  await age(old.account, 'createdAt', configuration.sessionHours + 1)
  const idle = await signInUsed()
  await age(idle.account, 'usedAt', Math.ceil(configuration.sessionIdleMinutes / 60) + 1)
  const foreign = await signInUsed()
  await sql`update account set tenant = 'another tenant' where _id = ${foreign.account}`.execute(db)

  const ended = await signInUsed()
  const [own] = await sendAs<{ _id: string }[]>(ended, 'GET /api/account/sessions')
  await sendAs(ended, 'DELETE /api/account/sessions/:id', own?._id)
  const signedOut = await signInUsed()
  await sendAs(signedOut, 'GET /auth/logout')

  const left = await signInUsed()
  const leftProgram = await createUsedProgram(left.account)
  await sendAs(administrator, 'POST /api/people/:id/leaving', (await make.person({ email: left.azureID }))._id)
  const removedProgram = await createUsedProgram(administrator.account)
  await sendAs(administrator, 'DELETE /api/account/tokens/:id', removedProgram._id)

  const demoted = await signInUsed()
  const demotedProgram = await createProgram(target, demoted.account, 1)
  const { _id } = await db.selectFrom('permission').select('_id').where('account', '=', demoted.account).executeTakeFirstOrThrow()
  await sendAs(administrator, 'DELETE /api/permissions/remove/:id', _id)
  const { account, azureID, headers: ofOtherProgram } = await signInAt(context, 10)
  await make.permission({ account, azureID, applicationID: 'another program', accessLevel: 1 })
  await lists.invalidate(['session', 'account', 'permission', 'api_token'])

  return [
    invalid('a session that has expired', old.headers),
    invalid('a session that was idle too long', idle.headers),
    invalid('a session ended from the list', ended.headers),
    invalid('a session that was signed out', signedOut.headers),
    invalid('a session of someone who left', left.headers),
    invalid('an API token of someone who left', leftProgram.headers),
    invalid('a session of another tenant', foreign.headers),
    invalid('an API token that was removed', removedProgram.headers),
    session('a session whose permission was removed', BROWSE_LEVEL, demoted.headers),
    program('an API token whose maker’s permission was removed', BROWSE_LEVEL, demotedProgram.headers),
    session('level 1 in another program', BROWSE_LEVEL, ofOtherProgram),
  ]
}
