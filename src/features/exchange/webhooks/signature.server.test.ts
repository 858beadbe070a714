import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

import { createWebhookSecret, openSecret, sealSecret, sign } from './signature.server.ts'

const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }

test('the signature matches the example of the Standard Webhooks specification', () => {
  expect(sign(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('another implementation verifies it with the new and the old secret, and with no other', () => {
  const [secret, old, other] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()]
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const timestamp = Math.floor(Date.now() / 1000)
  const body = '{"name":"Peña’s “site”"}'
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign([secret, old], { id: message.id, timestamp, body }),
  }
  for (const known of [secret, old]) expect(new Webhook(known).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(secret).verify(body.replace('site', 'sitf'), headers)).toThrow('No matching signature')
})

test('a stored secret is encrypted, and can be decrypted only with the same key for its own webhook', () => {
  const [key, other] = ['k'.repeat(32), 'o'.repeat(32)]
  const secret = createWebhookSecret()
  const stored = sealSecret(key, 'one', secret)
  expect(stored.includes(secret.slice(6))).toBe(false)
  const only = (secretKey?: string) => ({ secretKey, secretKeyPrevious: undefined })
  expect(openSecret(only(key), 'one', stored)).toBe(secret)
  expect(openSecret({ secretKey: other, secretKeyPrevious: key }, 'one', stored)).toBe(secret)
  expect([openSecret(only(other), 'one', stored), openSecret(only(key), 'two', stored), openSecret(only(), 'one', stored)]).toEqual([
    null,
    null,
    null,
  ])
  // Without SECRET_KEY, and after one was added.
  const plain = sealSecret(undefined, 'one', secret)
  expect([openSecret(only(), 'one', plain), openSecret(only(key), 'one', plain)]).toEqual([secret, secret])
})
