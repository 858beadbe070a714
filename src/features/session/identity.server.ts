import { z } from 'zod'

/** A sign-in that stood the provider's checks and fails ours, with the reason for the log. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
}

/** Who the provider says somebody is. People are known by tenant and object id (D9); the address binds grants, once. */
export interface Identity {
  readonly tenant: string
  readonly objectId: string
  readonly address: string
  readonly name: string
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
})

const Address = z.email()
/** How far two clocks may be apart, and how old a token may be that was asked for a moment ago. Entra ID dates its own 5 minutes back. */
const SKEW_SECONDS = 60
const OLDEST_SECONDS = 3600

/**
 * Reads the claims of an ID token whose signature, issuer, audience, expiry and nonce were checked, and checks what is ours to check:
 * the tenant, the object id, and that it was issued just now (D7).
 */
export const identityOf = (claims: object, tenant: string, now = Date.now() / 1000): Identity => {
  const read = Claims.safeParse(claims)
  if (!read.success) throw new SignInRefused(read.error.issues[0]?.message ?? 'the ID token lacks a claim')
  const { tid, oid, iat, nbf, name, preferred_username: username, email, email_verified: verified } = read.data
  if (tid !== tenant) throw new SignInRefused('the ID token is of another tenant')
  if (iat > now + SKEW_SECONDS) throw new SignInRefused('the ID token was issued in the future')
  if (iat < now - OLDEST_SECONDS) throw new SignInRefused('the ID token was issued long ago')
  if (nbf !== undefined && nbf > now + SKEW_SECONDS) throw new SignInRefused('the ID token is not valid yet')

  // Entra ID's user name is of a domain the tenant has proved to own; its e-mail claim is not, so it only stands in for a missing one.
  const address = [username, verified === false ? undefined : email].find((candidate) => Address.safeParse(candidate).success)
  if (address === undefined) throw new SignInRefused('the ID token names no address')
  return { tenant: tid, objectId: oid, address, name: name?.trim() || address }
}
