import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

import { API_TOKEN_PREFIX } from '../../../contract/api-tokens.ts'
import type { Configuration } from '../../../platform/server/configuration.ts'

/** 32 random bytes as text, for a session token or a cookie. */
export const createSecret = (): string => randomBytes(32).toString('base64url')

export const createApiToken = (): string => API_TOKEN_PREFIX + createSecret()

/** Hexadecimal, because base64 can contain "fail", which means a failed sign-in. */
export const createTicket = (): string => randomBytes(32).toString('hex')
export const isTicket = (token: string): boolean => /^[0-9a-f]{64}$/.test(token)

/** The stored form of a secret. Plain SHA-256 is sufficient, because 32 random bytes cannot be guessed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * The companion cookie of an account in a browser. It is derived from the browser cookie, so that two tabs that sign in at the same time get the
 * same one and neither loses its session.
 */
export const deriveCompanion = (browser: string, account: string): string =>
  createHmac('sha256', browser).update(`companion of ${account}`).digest('base64url')

const FORMAT_VERSION = 1
const deriveKey = (secretKey: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', 'homeroom directory tokens', 32))

/** Encrypts with SECRET_KEY (AES-256-GCM). `owner` is the account it belongs to: it cannot be decrypted in the row of another. */
export const encrypt = (secretKey: string, owner: string, text: string): Buffer => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretKey), iv).setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(FORMAT_VERSION), iv, cipher.getAuthTag(), encrypted])
}

/** Null if it cannot be decrypted: another SECRET_KEY, another owner, or modified. */
export const decrypt = (secretKey: string, owner: string, encrypted: Buffer): string | null => {
  if (encrypted[0] !== FORMAT_VERSION || encrypted.length < 29) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', deriveKey(secretKey), encrypted.subarray(1, 13))
    decipher.setAAD(Buffer.from(owner)).setAuthTag(encrypted.subarray(13, 29))
    return Buffer.concat([decipher.update(encrypted.subarray(29)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Decrypts with SECRET_KEY, or during its rotation with the previous key. */
export const decryptWithAny = (
  { secretKey, secretKeyPrevious }: Pick<Configuration, 'secretKey' | 'secretKeyPrevious'>,
  owner: string,
  encrypted: Buffer,
): string | null => {
  for (const key of [secretKey, secretKeyPrevious]) {
    const text = key === undefined ? null : decrypt(key, owner, encrypted)
    if (text !== null) return text
  }
  return null
}
