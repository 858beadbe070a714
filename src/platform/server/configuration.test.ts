import { readFile } from 'node:fs/promises'

import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { ConfigurationError } from './configuration-error.ts'
import { readCommandConfiguration, readConfiguration } from './configuration.ts'
import { Environment } from './environment.ts'

const mistakes = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfiguration(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes
    throw error
  }
}

test('without settings: port 3000 on loopback, the local provider and 300 sample sites', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    oidc: undefined,
    sample: 300,
  })
})

test('every error is one line that names its variable', () => {
  expect(mistakes({ DATABASE_URL: 'postgres://homeroom:secret@one,two:x/homeroom' })).toEqual([
    'DATABASE_URL has no host at position 2 of its list. Example: postgres://user:password@one:5432,two:5432/database',
  ])
  const lines = mistakes({ PORT: 'x', SAMPLE: '0', TIME_ZONE: 'Mars/Base', DATABASE_URL: 'mysql://x', METRICS_TOKEN: 'short' })
  expect(lines.map((line) => line.split(' ')[0]).toSorted()).toEqual(['DATABASE_URL', 'METRICS_TOKEN', 'PORT', 'SAMPLE', 'TIME_ZONE'])
})

test.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://homeroom.school.example' }, { TRUST_PROXY: 'true' }])(
  'the local sign-in provider is refused with %j',
  (environment) => {
    expect(mistakes(environment)).toContainEqual(expect.stringContaining('local sign-in provider'))
  },
)

test('a real provider needs its client, its tenant and a key for directory tokens', () => {
  expect(mistakes({ OIDC_ISSUER: 'https://login.example/t/v2.0' })).toHaveLength(3)
})

/** A valid production configuration. */
const PRODUCTION = {
  PUBLIC_URL: 'https://homeroom.school.example',
  HOST: '0.0.0.0',
  OIDC_ISSUER: 'https://login.example/t/v2.0',
  OIDC_CLIENT_ID: 'client',
  OIDC_CLIENT_SECRET: 'q7~Zr',
  OIDC_TENANT: 't',
  SECRET_KEY: '8Jx2mWvT0bqY5rLz9KcN3hGfD6sPaE1u',
}

describe('in production', () => {
  test('a complete configuration is accepted, without the sample network', () => {
    expect(readConfiguration(PRODUCTION)).toMatchObject({ isProduction: true, sample: 0, warnings: [] })
    expect(readConfiguration({ ...PRODUCTION, SAMPLE: 'none' }).sample).toBe(0)
  })

  test.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['the sample network', { SAMPLE: '7' }, /^SAMPLE must be none/],
    ['a public address without TLS', { PUBLIC_URL: 'http://homeroom.school.example' }, /^PUBLIC_URL must be an https address/],
    ['no client secret', { OIDC_CLIENT_SECRET: '' }, /^OIDC_CLIENT_SECRET must be set/],
    ['no key', { SECRET_KEY: '' }, /^SECRET_KEY must be set/],
    ['a key of one character', { SECRET_KEY: 'a'.repeat(40) }, /^SECRET_KEY has fewer than 8 different/],
    ['a key that repeats one pattern', { SECRET_KEY: '0123456789abcdef'.repeat(2) }, /^SECRET_KEY repeats the same text/],
    ['a key from an example', { SECRET_KEY: 'change-me-to-32-characters-or-more!' }, /^SECRET_KEY looks like an example/],
    ['a weak token for metrics', { METRICS_TOKEN: 'x'.repeat(16) }, /^METRICS_TOKEN has fewer than 8 different/],
    ['the local sign-in provider', { OIDC_ISSUER: '' }, /local sign-in provider/],
  ])('%s is refused in one line', (_what, wrong, line) => {
    expect(mistakes({ ...PRODUCTION, ...wrong })).toEqual([expect.stringMatching(line)])
  })

  test('NODE_ENV or PUBLIC_URL makes it production', () => {
    const lines = mistakes({ NODE_ENV: 'production', SAMPLE: '7' })
    expect(lines).toEqual([expect.stringMatching(/^SAMPLE/), expect.stringMatching(/^OIDC_ISSUER must be set/)])
  })

  test('no error message contains a secret', () => {
    const key = 'changeme-Zq81-and-so-on-and-so-on-0'
    expect(mistakes({ ...PRODUCTION, SECRET_KEY: key }).join()).not.toContain('Zq81')
  })

  test('all errors are listed together, and a setting that cannot be read has one line', () => {
    const wrong = { PORT: 'x', SECRET_KEY: 'short', SAMPLE: '7', OIDC_CLIENT_SECRET: 'SECRET', SUPER_ADMINS: 'nobody', OIDC_TENANT: '' }
    const settings = mistakes({ ...PRODUCTION, ...wrong }).map((line) => line.split(' ')[0])
    expect(settings.toSorted()).toEqual(Object.keys(wrong).toSorted())
  })

  test.each<[string, NodeJS.ProcessEnv]>([
    ['without a sign-in provider', { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_TENANT: '', SECRET_KEY: '' }],
    ['with example secrets', { OIDC_CLIENT_SECRET: 'SECRET', SECRET_KEY: 'change-me-to-32-characters-or-more!', METRICS_TOKEN: 'x' }],
    ['with other settings that it does not use', { PORT: 'x', SMTP_URL: 'mail.school.example', SAMPLE: '7', PUBLIC_URL: 'homeroom' }],
  ])('%s, a command has its configuration, and the server does not start', (_what, wrong) => {
    const environment = { ...PRODUCTION, ...wrong, DATABASE_URL: 'postgres://u:p@127.0.0.1/h' }
    expect(readCommandConfiguration(environment)).toMatchObject({ isProduction: true, databaseUrl: environment.DATABASE_URL })
    expect(mistakes(environment)).not.toEqual([])
  })

  test('a command is refused because of the settings that it uses', () => {
    const environment = { ...PRODUCTION, OIDC_ISSUER: '', DATABASE_URL: 'mysql://x', BACKUP_PASSPHRASE: 'short' }
    expect(() => readCommandConfiguration(environment)).toThrow(/^DATABASE_URL must begin with postgres:\/\/$/)
    expect(() => readCommandConfiguration(environment, ['BACKUP_PASSPHRASE'])).toThrow(/^DATABASE_URL .*\nBACKUP_PASSPHRASE .*$/)
  })

  test('a server that does not serve sign-in needs no client secret', () => {
    expect(mistakes({ ...PRODUCTION, OIDC_CLIENT_SECRET: '', SERVE: 'web,locations' })).toEqual([])
  })

  test.each([
    ['postgres://u:p@db.school.example/homeroom', 1],
    ['postgres://u:p@a.example:5432,b.example:5433/homeroom', 1],
    ['postgres://u:p%40w@db.school.example/homeroom?sslmode=verify-full', 0],
    ['postgres://u:p@127.0.0.1:5433/homeroom', 0],
    ['postgres://u@/homeroom?host=/run/postgresql', 0],
  ])('%s: %i warnings', (DATABASE_URL, count) => {
    const { warnings } = readConfiguration({ ...PRODUCTION, DATABASE_URL })
    expect(warnings).toHaveLength(count)
    expect(warnings.join()).not.toContain('u:p')
  })
})

test('on loopback none of this is required', () => {
  expect(readConfiguration({ SAMPLE: '7' })).toMatchObject({ isProduction: false, sample: 7 })
})

/** The default of a variable; undefined if the schema has none. */
const defaultOf = (schema: z.core.$ZodType): unknown => {
  const { def } = (schema as z.ZodType).type === undefined ? schema._zod : (schema as z.ZodType)
  if ('defaultValue' in def) return def.defaultValue
  if ('in' in def) return defaultOf(def.in as z.core.$ZodType)
  return undefined
}
/** Defaults that depend on other variables. */
const DERIVED = ['PUBLIC_URL', 'BACKUP_DIR', 'MAIL_FROM', 'SAMPLE']

test('docs/operators/configuration.md lists every variable once, with its default', async () => {
  const page = await readFile('docs/operators/configuration.md', 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (.+?) \|/gm)].map(([, name = '', value = '']) => [name, value] as const)
  expect(rows.map(([name]) => name).toSorted()).toEqual(Object.keys(Environment.shape).toSorted())
  const reported = Object.fromEntries(rows.filter(([name]) => !DERIVED.includes(name)))
  const meant = Object.entries(Environment.shape)
    .filter(([name]) => !DERIVED.includes(name))
    .map(([name, schema]) => [name, `${(defaultOf(schema) ?? 'none') as string | number}` || (name === 'TRUST_PROXY' ? 'false' : 'none')])
  expect(reported).toEqual(Object.fromEntries(meant))
})

test.each([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', 1],
  ['true', 1],
  ['2', 2],
  ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
  ['2001:db8::/32', ['2001:db8::/32']],
] as const)('TRUST_PROXY=%j trusts %j', (text, proxies) => {
  const provider = { OIDC_ISSUER: 'https://login.example/v2.0', OIDC_CLIENT_ID: 'x', OIDC_TENANT: 'x', SECRET_KEY: 'x'.repeat(32) }
  expect(readConfiguration({ ...provider, TRUST_PROXY: text }).trustProxy).toEqual(proxies)
})

test('guests are refused unless OIDC_ALLOW_GUESTS is true; only true and false are accepted', () => {
  expect(readConfiguration(PRODUCTION).oidc?.allowGuests).toBe(false)
  expect(readConfiguration({ ...PRODUCTION, OIDC_ALLOW_GUESTS: 'true' }).oidc?.allowGuests).toBe(true)
  for (const text of ['yes', '1', 'TRUE'])
    expect(mistakes({ OIDC_ALLOW_GUESTS: text })).toEqual([expect.stringMatching(/^OIDC_ALLOW_GUESTS must be/)])
})

test.each(['yes', '-1', '10', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.1,', 'proxy.example'])('TRUST_PROXY=%j is refused', (text) => {
  expect(mistakes({ TRUST_PROXY: text })).toEqual([expect.stringMatching(/^TRUST_PROXY must be/)])
})
