import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

import { API_TOKEN_PREFIX } from '../../../platform/contract/api-tokens.ts'

/** 32 random bytes as text: a session token, or the value of a cookie. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

/** An API token (D9). */
export const randomApiToken = (): string => API_TOKEN_PREFIX + randomSecret()

/** Hexadecimal, because base64 can spell "fail", and a value that contains it means a failed sign-in (D8). */
export const randomTicket = (): string => randomBytes(32).toString('hex')
export const isTicket = (token: string): boolean => /^[0-9a-f]{64}$/.test(token)

/** What the database keeps of a secret. Plain SHA-256 will do: nobody guesses 32 random bytes. */
export const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * The companion cookie of an account in a browser. It follows from the browser's own cookie, so that two tabs which sign in at the
 * same time get the same one and neither loses its session to the other.
 */
export const companionOf = (browser: string, account: string): string =>
  createHmac('sha256', browser).update(`companion of ${account}`).digest('base64url')

const FORM = 1
const keyOf = (secretKey: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', 'homeroom directory tokens', 32))

/** Encrypts with SECRET_KEY (AES-256-GCM). `owner` is the account it belongs to: put into another's row, it does not open. */
export const seal = (secretKey: string, owner: string, text: string): Buffer => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(FORM), iv, cipher.getAuthTag(), sealed])
}

/** What was sealed; null where it cannot be opened: another SECRET_KEY, another owner, or altered. */
export const unseal = (secretKey: string, owner: string, sealed: Buffer): string | null => {
  if (sealed[0] !== FORM || sealed.length < 29) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), sealed.subarray(1, 13))
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(13, 29))
    return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
