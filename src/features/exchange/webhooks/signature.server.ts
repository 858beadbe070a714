import { createHmac, randomBytes } from 'node:crypto'

import type { Configuration } from '../../../platform/server/configuration.ts'
import { decryptWithAny, encrypt } from '../../access/session/secrets.server.ts'

const PREFIX = 'whsec_'

/** In the format of Standard Webhooks: 32 random bytes. */
export const createWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** The header `webhook-signature`: one signature per secret. */
export const sign = (secrets: readonly string[], message: { id: string; timestamp: number; body: string }): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      const signature = createHmac('sha256', key).update(`${message.id}.${message.timestamp}.${message.body}`).digest('base64')
      return `v1,${signature}`
    })
    .join(' ')

const ownerOf = (webhook: string): string => `webhook ${webhook}`

/** The stored form of a secret: encrypted with SECRET_KEY, or plain without one (local sign-in). */
export const sealSecret = (secretKey: string | undefined, webhook: string, secret: string): Buffer =>
  secretKey === undefined ? Buffer.from(secret) : encrypt(secretKey, ownerOf(webhook), secret)

/** Null if SECRET_KEY was replaced without SECRET_KEY_PREVIOUS. */
export const openSecret = (keys: Pick<Configuration, 'secretKey' | 'secretKeyPrevious'>, webhook: string, stored: Buffer): string | null =>
  stored.subarray(0, PREFIX.length).toString() === PREFIX ? stored.toString() : decryptWithAny(keys, ownerOf(webhook), stored)
