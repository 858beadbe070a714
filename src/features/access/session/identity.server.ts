import { z } from 'zod'

import { isEmail } from '../../../platform/contract/emails.ts'

/** A sign-in that stood the provider's checks and fails ours, with the reason for the log, its kind, and whose it was where that is known. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly kind: 'not_started_here' | 'id_token' | 'tenant' | 'guest' | 'left'
  readonly account: string | null

  constructor(reason: string, kind: SignInRefused['kind'] = 'id_token', account: string | null = null) {
    super(reason)
    this.kind = kind
    this.account = account
  }
}

/** A guest of the tenant, where guests are not let in. */
export class GuestRefused extends SignInRefused {
  constructor() {
    super('the account is a guest of the tenant, and OIDC_ALLOW_GUESTS is not true', 'guest')
  }
}

/** Who the provider says somebody is. People are known by tenant and object id (D9); the address binds grants, once. */
export interface Identity {
  readonly tenant: string
  readonly objectId: string
  readonly address: string
  readonly name: string
}

/** An identity just as its ID token tells it. */
export interface ToldIdentity extends Identity {
  /** Whether the account is a guest of the tenant; null where the ID token does not say. */
  readonly isGuest: boolean | null
}

/** Whose ID tokens are taken. */
export interface Expected {
  readonly issuer: URL
  readonly tenant: string
  readonly allowGuests: boolean
}

const Claims = z.object({
  tid: z.string({ error: 'the ID token names no tenant (tid)' }).min(1).max(200),
  oid: z.string({ error: 'the ID token names no object id (oid)' }).min(1).max(200),
  iat: z.number({ error: 'the ID token does not say when it was issued (iat)' }),
  nbf: z.number({ error: 'nbf of the ID token is no time' }).optional(),
  name: z.string().max(300).optional().catch(undefined),
  preferred_username: z.string().max(300).optional().catch(undefined),
  email: z.string().max(300).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  acct: z.unknown().optional(),
  idp: z.unknown().optional(),
})

/** How far two clocks may be apart, and how old a token may be that was asked for a moment ago. Entra ID dates its own 5 minutes back. */
const SKEW_SECONDS = 60
const OLDEST_SECONDS = 3600

/** Where Entra ID's own tokens come from, in each of its clouds: `idp` names the home tenant of an account under one of these. */
const ENTRA_HOSTS = new Set([
  'login.microsoftonline.com',
  'sts.windows.net',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'sts.chinacloudapi.cn',
])

/** Whether the provider that vouched for the person (`idp`) is the tenant itself. What else has the tenant's id in its address is not. */
const isOwnProvider = (idp: unknown, { issuer, tenant }: Expected): boolean => {
  if (typeof idp !== 'string' || !URL.canParse(idp)) return false
  const { protocol, host, pathname, href } = new URL(idp)
  if (href === issuer.href) return true
  const isEntra = protocol === 'https:' && (ENTRA_HOSTS.has(host) || host === issuer.host)
  return isEntra && pathname.split('/')[1]?.toLowerCase() === tenant.toLowerCase()
}

/**
 * A guest (B2B) carries the hosting tenant's `tid` and issuer like everybody else. Entra ID tells guests by `acct` (1 is a guest, 0 a member), by `idp`,
 * which it adds for accounts whose home is elsewhere, and by `#EXT#` in their user name.
 */
const guestIn = ({ acct, idp, preferred_username: username }: z.infer<typeof Claims>, expected: Expected): boolean | null => {
  const isMember = acct === 0 || acct === '0'
  if (acct !== undefined && !isMember) return true
  if (idp !== undefined && !isOwnProvider(idp, expected)) return true
  if (/#ext#/i.test(username ?? '')) return true
  return isMember || idp !== undefined ? false : null
}

/**
 * Reads the claims of an ID token whose signature, issuer, audience, expiry and nonce were checked, and checks what is ours to check:
 * the tenant, the object id, that it was issued just now, and that it is no guest's where guests are not let in.
 */
export const identityOf = (claims: object, expected: Expected, now = Date.now() / 1000): ToldIdentity => {
  const read = Claims.safeParse(claims)
  if (!read.success) throw new SignInRefused(read.error.issues[0]?.message ?? 'the ID token lacks a claim')
  const { tid, oid, iat, nbf, name, preferred_username: username, email, email_verified: verified } = read.data
  if (tid !== expected.tenant) throw new SignInRefused('the ID token is of another tenant', 'tenant')
  if (iat > now + SKEW_SECONDS) throw new SignInRefused('the ID token was issued in the future')
  if (iat < now - OLDEST_SECONDS) throw new SignInRefused('the ID token was issued long ago')
  if (nbf !== undefined && nbf > now + SKEW_SECONDS) throw new SignInRefused('the ID token is not valid yet')
  const isGuest = guestIn(read.data, expected)
  if (isGuest === true && !expected.allowGuests) throw new GuestRefused()

  // Entra ID's user name is of a domain the tenant has proved to own; its e-mail claim is not, so it only stands in for a missing one.
  const address = [username, verified === false ? undefined : email].find((candidate) => candidate !== undefined && isEmail(candidate))
  if (address === undefined) throw new SignInRefused('the ID token names no address')
  return { tenant: tid, objectId: oid, address, name: name?.trim() || address, isGuest }
}
