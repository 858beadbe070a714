import { randomBytes, randomInt } from 'node:crypto'

import type { Configuration } from '../../../platform/server/configuration.ts'
import { decryptWithAny, encrypt, hashSecret } from '../session/secrets.server.ts'

/** Without letters and digits that look alike, because people type it on a phone. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 6

/** `mk3xq7-…`: 24 of 32 letters, which cannot be guessed. */
export const createDevicePassword = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')).join('-')

/** The stored form of a password; phones may capitalize its first letter. */
export const hashDevicePassword = (password: string): Buffer => hashSecret(password.toLowerCase().replace(/[^a-z0-9]/g, ''))

/** What the address of a configuration profile contains. */
interface ProfileTicket {
  readonly device: string
  readonly password: string
  readonly expiresAt: number
}

const PROFILE_OWNER = 'device profile'

type Keys = Pick<Configuration, 'secretKey' | 'secretKeyPrevious'>
/** Without SECRET_KEY, which production requires, an address ends with the process. */
const processKey = randomBytes(32).toString('hex')
const withKey = ({ secretKey = processKey, secretKeyPrevious }: Keys) => ({ secretKey, secretKeyPrevious })

/**
 * The last part of a profile's address. It is encrypted, so that the password is stored nowhere, and an address in the log of a proxy is useless once
 * it has expired.
 */
export const writeProfileTicket = (keys: Keys, ticket: ProfileTicket): string =>
  encrypt(withKey(keys).secretKey, PROFILE_OWNER, JSON.stringify(ticket)).toString('base64url')

/** Undefined if it is not ours or has expired. */
export const readProfileTicket = (keys: Keys, text: string, now: Date): ProfileTicket | undefined => {
  const json = decryptWithAny(withKey(keys), PROFILE_OWNER, Buffer.from(text, 'base64url'))
  if (json === null) return undefined
  const ticket = JSON.parse(json) as ProfileTicket
  return ticket.expiresAt > now.getTime() ? ticket : undefined
}
