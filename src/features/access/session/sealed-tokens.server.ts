import { z } from 'zod'

import type { Configuration } from '../../../platform/server/configuration.ts'
import { seal, unseal } from './secrets.server.ts'

const RENEW_EVERY = 3_600_000
const RENEW_BEFORE_END = 300_000

const DirectoryTokens = z.object({
  accessToken: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  refreshToken: z.string().optional(),
})
/** The directory's tokens, for photos and the hourly renewal; never sent to a browser (D23). */
export type DirectoryTokens = z.infer<typeof DirectoryTokens>

/** What an account's row keeps of them: sealed with SECRET_KEY, and nothing at all without one (local sign-in). */
export const tokenColumns = ({ secretKey }: Configuration, account: string, tokens: DirectoryTokens) => ({
  directoryTokens: secretKey === undefined ? null : seal(secretKey, account, JSON.stringify(tokens)),
  directoryTokensDue: secretKey === undefined || tokens.refreshToken === undefined ? null : dueFor(tokens),
})

/** An hour from now (D9), or sooner where the access token runs out before. */
const dueFor = ({ expiresAt }: DirectoryTokens): Date => {
  const left = expiresAt - Date.now() - RENEW_BEFORE_END
  return new Date(Date.now() + Math.min(RENEW_EVERY, Math.max(RENEW_BEFORE_END, left)))
}

/** What the row of an account keeps; null where nothing is kept, or SECRET_KEY was replaced. */
export const openTokens = ({ secretKey }: Configuration, account: string, sealed: Buffer | null): DirectoryTokens | null => {
  const text = secretKey === undefined || sealed === null ? null : unseal(secretKey, account, sealed)
  return text === null ? null : DirectoryTokens.parse(JSON.parse(text))
}
