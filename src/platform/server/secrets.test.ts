import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

import { describe, expect, test } from 'vitest'

import { ConfigurationError } from './configuration-error.ts'
import { readConfiguration } from './configuration.ts'
import { findWeakness } from './secrets.ts'

const PRODUCTION = {
  PUBLIC_URL: 'https://homeroom.school.test',
  HOST: '0.0.0.0',
  OIDC_ISSUER: 'https://login.school.test/t/v2.0',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'q7~Zr.81xKpW',
  OIDC_TENANT: 't',
  SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
}
const mistakes = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfiguration({ ...PRODUCTION, ...environment })
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes
    throw error
  }
}
const isRefused = (name: string, value: string): boolean => mistakes({ [name]: value }).some((line) => line.startsWith(name))

/** Every line that someone could copy into settings: fenced blocks of the docs (except code diffs), deployed files, and container files. */
const EXAMPLE_LINES = [
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [...readFileSync(`docs/${name}`, 'utf8').matchAll(/^```(.*)\n([\s\S]*?)^```/gm)])
    .filter(([, language = '']) => language !== 'diff')
    .map(([, , text = '']) => text),
  ...readdirSync('deploy').map((name) => readFileSync(`deploy/${name}`, 'utf8')),
  readFileSync('compose.yaml', 'utf8'),
  readFileSync('Dockerfile', 'utf8'),
].flatMap((text) => text.split('\n'))
const ASSIGNMENT = /\b([A-Z][A-Z_]+)=(\S.*|)$/

/** The value of a line as systemd reads it (all of it), as a shell does (to the first space) and as dotenv does. */
const readings = (line: string, value: string): string[] => [
  value,
  value.trim(),
  value.trim().split(/\s/)[0] ?? '',
  value.trim().replace(/^(['"])(.*)\1$/, '$2'),
  ...Object.values(parseEnv(line)).filter((read) => read !== undefined),
]

describe('no example in the docs is accepted as a secret', () => {
  const examples = EXAMPLE_LINES.filter((line) => line.trim().length >= 16)

  test('there are examples', () => expect(examples.length).toBeGreaterThan(150))

  test.each(['METRICS_TOKEN', 'SECRET_KEY'])('as %s, neither the line nor the value in it', (name) => {
    const values = new Set(examples.flatMap((line) => [line, line.trim(), ...readings(line, ASSIGNMENT.exec(line)?.[2] ?? '')]))
    expect([...values].filter((value) => value !== '' && !isRefused(name, value))).toEqual([])
  })

  test('as the value of the setting it is shown for, however the file is read', () => {
    const SECRET = ['METRICS_TOKEN', 'SECRET_KEY', 'OIDC_CLIENT_SECRET', 'DATABASE_URL', 'SMTP_URL', 'HR_URL']
    const assignments = EXAMPLE_LINES.flatMap((line) => {
      const [, name = '', value = ''] = ASSIGNMENT.exec(line) ?? []
      return SECRET.includes(name) ? readings(line, value).map((read) => [name, read] as const) : []
    }).filter(([, value]) => value !== '')
    expect(new Set(assignments.map(([name]) => name)).size).toBeGreaterThan(3)
    // A documented URL without a password holds no secret.
    const holdsSecret = ([name, value]: readonly [string, string]): boolean => !name.endsWith('_URL') || /:[^/@]+@/.test(value)
    expect(assignments.filter(holdsSecret).filter(([name, value]) => !isRefused(name, value))).toEqual([])
  })
})

test.each([
  '#',
  '# openssl rand -base64 32 #########',
  '   # openssl rand -base64 24',
  '…      openssl rand -base64 32',
  '$(openssl rand -base64 32)-and-more-letters',
  '`openssl rand -base64 32`',
  'openssl rand -base64 32',
  'openssl-rand-base64-32-openssl-rand',
  '................................',
  '<a-secret-key-of-32-characters-or-more>',
  '${SECRET_KEY}-8Jx2mWvT0bqY5rLz9KcN3',
  'changeme-changeme-changeme-changeme',
  'changeMe-8Jx2mWvT0bqY5rLz9KcN3hGfD6s',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'abababababababababababababababababab',
  'a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4x',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'qwertyuiopasdfghjklzxcvbnm1234567890',
  'the quick brown fox jumps over the lazy dog',
  'correct-horse-battery-staple-correct-horses',
  'MyVerySecurePasswordForTheServer2024',
  'a key of thirty-two letters and more, 7f3a',
  '8Jx2mWvT0bqY5rLz 9KcN3hGfD6sPaE1u',
  'short',
])('%j is refused as SECRET_KEY and as METRICS_TOKEN', (value) => {
  expect(isRefused('SECRET_KEY', value)).toBe(true)
  expect(isRefused('METRICS_TOKEN', value)).toBe(true)
  expect(mistakes({ SECRET_KEY: value }).join()).not.toContain(value)
})

test.each([
  '#',
  '…',
  '...',
  'SECRET',
  'secret',
  '<secret>',
  'changeme',
  'client-secret',
  'xxxxxxxx',
  'aaaaaaaaaaaa',
  'q7~Zr # from the portal',
  'openssl rand -hex 24',
  'ab',
])('%j is refused as OIDC_CLIENT_SECRET', (value) => expect(isRefused('OIDC_CLIENT_SECRET', value)).toBe(true))

test.each(['PASSWORD', 'password', 'THE_PASSWORD', 'changeme', 'secret', '…', '...', '<password>', 'xxxx', 'your-password'])(
  '%j is refused as a password in a URL',
  (value) => {
    for (const [name, scheme] of [
      ['DATABASE_URL', 'postgres'],
      ['HR_URL', 'mssql'],
      ['SMTP_URL', 'smtp'],
    ] as const)
      expect(isRefused(name, `${scheme}://homeroom:${encodeURIComponent(value)}@host.school.test/x`)).toBe(true)
  },
)

test.each([
  [{ OIDC_TENANT: 'TENANT' }, 'OIDC_TENANT'],
  [{ OIDC_TENANT: '{tenant id}' }, 'OIDC_TENANT'],
  [{ OIDC_TENANT: '<tenant>' }, 'OIDC_TENANT'],
  [{ OIDC_TENANT: 'YOUR_TENANT_ID' }, 'OIDC_TENANT'],
  [{ OIDC_CLIENT_ID: 'CLIENT' }, 'OIDC_CLIENT_ID'],
  [{ OIDC_ISSUER: 'https://login.school.test/TENANT/v2.0' }, 'OIDC_ISSUER'],
  [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'OIDC_TENANT'],
  [{ OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0', OIDC_TENANT: '3f2b8c1d-2222-4333-8444-5555aaaa5555' }, 'OIDC_ISSUER'],
] as const)('%j is reported', (environment, name) => {
  expect(mistakes(environment)).toEqual([expect.stringMatching(`^${name} `)])
})

test.each([
  ['base64', 24],
  ['base64', 32],
  ['base64url', 32],
  ['hex', 24],
  ['hex', 32],
] as const)('a random secret is accepted: %s of %i bytes', (encoding, bytes) => {
  const random = (seed: number): string => createHash('sha512').update(`${encoding} ${seed}`).digest().subarray(0, bytes).toString(encoding)
  const refused = Array.from({ length: 1000 }, (_none, seed) => random(seed)).filter((secret) => findWeakness(secret) !== undefined)
  expect(refused.length, refused.join(' ')).toBeLessThan(3)
})
