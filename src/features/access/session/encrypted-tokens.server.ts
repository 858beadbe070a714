import { z } from 'zod'

import type { Configuration } from '../../../platform/server/configuration.ts'
import { encrypt, decryptWithAny } from './secrets.server.ts'

const RENEWAL_INTERVAL_MS = 3_600_000
const RENEWAL_MARGIN_MS = 300_000

const DirectoryTokens = z.object({
  accessToken: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  refreshToken: z.string().optional(),
})
/** The directory's tokens, for photos and the hourly renewal; never sent to a browser. */
export type DirectoryTokens = z.infer<typeof DirectoryTokens>

/** The columns of an account: encrypted with SECRET_KEY, and null without one (local sign-in). */
export const toTokenColumns = ({ secretKey }: Configuration, account: string, tokens: DirectoryTokens) => ({
  directoryTokens: secretKey === undefined ? null : encrypt(secretKey, account, JSON.stringify(tokens)),
  directoryTokensDue: secretKey === undefined || tokens.refreshToken === undefined ? null : getRenewalTime(tokens),
})

/** An hour from now, or sooner if the access token expires earlier. */
const getRenewalTime = ({ expiresAt }: DirectoryTokens): Date => {
  const untilRenewal = expiresAt - Date.now() - RENEWAL_MARGIN_MS
  return new Date(Date.now() + Math.min(RENEWAL_INTERVAL_MS, Math.max(RENEWAL_MARGIN_MS, untilRenewal)))
}

/** Null if nothing is stored, or if SECRET_KEY was replaced without SECRET_KEY_PREVIOUS. */
export const decryptTokens = (configuration: Configuration, account: string, encrypted: Buffer | null): DirectoryTokens | null => {
  const text = encrypted === null ? null : decryptWithAny(configuration, account, encrypted)
  return text === null ? null : DirectoryTokens.parse(JSON.parse(text))
}
