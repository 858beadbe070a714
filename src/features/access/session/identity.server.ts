import { z } from 'zod'

import { isEmail } from '../../../contract/emails.ts'

/** A sign-in that the provider accepted but we refuse, with the reason for the log, and the account if known. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly kind: 'not_started_here' | 'id_token' | 'tenant' | 'guest' | 'left' | 'disabled'
  readonly account: string | null

  constructor(reason: string, kind: SignInRefused['kind'] = 'id_token', account: string | null = null) {
    super(reason)
    this.kind = kind
    this.account = account
  }
}

/** A guest of the tenant, when guests are not allowed. */
export class GuestRefused extends SignInRefused {
  constructor() {
    super('the account is a guest of the tenant, and OIDC_ALLOW_GUESTS is not true', 'guest')
  }
}

/** An account at the provider. It is identified by tenant and object id; the address only binds permission records, once. */
export interface Identity {
  readonly tenant: string
  readonly objectId: string
  readonly address: string
  readonly name: string
  /** Groups and app roles in the ID token; undefined if it has no such claims. */
  readonly groups?: readonly string[] | undefined
}

/** The account columns for the claims of the last ID token. */
export const toClaimColumns = ({ groups = [] }: Identity) => ({ claimedGroups: [...groups], claimedAt: new Date() })

export interface IdTokenIdentity extends Identity {
  /** Null if the ID token does not say. */
  readonly isGuest: boolean | null
}

export interface IdentityRequirements {
  readonly issuer: URL
  readonly tenant: string
  readonly allowGuests: boolean
}

/** Entra ID omits the groups from the ID token if there are more. */
const MAX_CLAIMED_GROUPS = 500
const GroupNames = z.array(z.string().min(1).max(300)).max(MAX_CLAIMED_GROUPS).optional().catch(undefined)

const Claims = z.object({
  tid: z.string({ error: 'the ID token names no tenant (tid)' }).min(1).max(200),
  oid: z.string({ error: 'the ID token names no object id (oid)' }).min(1).max(200),
  iat: z.number({ error: 'the ID token does not say when it was issued (iat)' }),
  nbf: z.number({ error: 'nbf of the ID token is not a time' }).optional(),
  name: z.string().max(300).optional().catch(undefined),
  preferred_username: z.string().max(300).optional().catch(undefined),
  email: z.string().max(300).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  acct: z.unknown().optional(),
  idp: z.unknown().optional(),
  groups: GroupNames,
  roles: GroupNames,
})

/** Entra ID backdates its tokens by 5 minutes. */
const MAX_CLOCK_SKEW_SECONDS = 60
const MAX_TOKEN_AGE_SECONDS = 3600

/** The hosts of Entra ID in each of its clouds: `idp` contains the home tenant of an account under one of them. */
const ENTRA_HOSTS = new Set([
  'login.microsoftonline.com',
  'sts.windows.net',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'sts.chinacloudapi.cn',
])

/** Whether the provider that authenticated the person (`idp`) is the tenant itself, not just an address that contains its id. */
const isOwnProvider = (idp: unknown, { issuer, tenant }: IdentityRequirements): boolean => {
  if (typeof idp !== 'string' || !URL.canParse(idp)) return false
  const { protocol, host, pathname, href } = new URL(idp)
  if (href === issuer.href) return true
  const isEntra = protocol === 'https:' && (ENTRA_HOSTS.has(host) || host === issuer.host)
  return isEntra && pathname.split('/')[1]?.toLowerCase() === tenant.toLowerCase()
}

/**
 * A guest (B2B) has the `tid` and issuer of the hosting tenant like everyone else. Entra ID marks guests by `acct` (1 is a guest, 0 a member), by
 * `idp`, which it adds for accounts of another home tenant, and by `#EXT#` in the user name.
 */
const isGuestAccount = (
  { acct, idp, preferred_username: username }: z.infer<typeof Claims>,
  requirements: IdentityRequirements,
): boolean | null => {
  const isMember = acct === 0 || acct === '0'
  if (acct !== undefined && !isMember) return true
  if (idp !== undefined && !isOwnProvider(idp, requirements)) return true
  if (/#ext#/i.test(username ?? '')) return true
  return isMember || idp !== undefined ? false : null
}

const listClaimedGroups = ({ groups = [], roles = [] }: z.infer<typeof Claims>): string[] => [
  ...new Set([...groups, ...roles].filter((name) => !name.includes('\0') && name.isWellFormed())),
]

/**
 * Validates the claims of an ID token whose signature, issuer, audience, expiry and nonce are already verified: the tenant, the object id, the time
 * of issue, and that the person is not a guest if guests are not allowed.
 */
export const validateIdentity = (claims: object, requirements: IdentityRequirements, now = Date.now() / 1000): IdTokenIdentity => {
  const parsed = Claims.safeParse(claims)
  if (!parsed.success) throw new SignInRefused(parsed.error.issues[0]?.message ?? 'the ID token lacks a claim')
  const { tid, oid, iat, nbf, name, preferred_username: username, email, email_verified: verified } = parsed.data
  if (tid !== requirements.tenant) throw new SignInRefused('the ID token belongs to another tenant', 'tenant')
  if (iat > now + MAX_CLOCK_SKEW_SECONDS) throw new SignInRefused('the ID token was issued in the future')
  if (iat < now - MAX_TOKEN_AGE_SECONDS) throw new SignInRefused('the ID token was issued long ago')
  if (nbf !== undefined && nbf > now + MAX_CLOCK_SKEW_SECONDS) throw new SignInRefused('the ID token is not valid yet')
  const isGuest = isGuestAccount(parsed.data, requirements)
  if (isGuest === true && !requirements.allowGuests) throw new GuestRefused()

  // The tenant has proved that it owns the domain of Entra ID's user name; the email claim is unverified, so it is only a fallback.
  const address = [username, verified === false ? undefined : email].find((candidate) => candidate !== undefined && isEmail(candidate))
  if (address === undefined) throw new SignInRefused('the ID token names no address')
  return { tenant: tid, objectId: oid, address, name: name?.trim() || address, isGuest, groups: listClaimedGroups(parsed.data) }
}
