import { expect, test } from 'vitest'

import { ConfigurationMistakes, readConfiguration } from './configuration.ts'

const mistakes = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfiguration(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigurationMistakes) return error.mistakes
    throw error
  }
}

test('nothing set means port 3000 on loopback, the local provider and 300 sample sites', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    oidc: undefined,
    sample: 300,
  })
})

test('every mistake is one line that names its variable', () => {
  const lines = mistakes({ PORT: 'x', SAMPLE: '0', TIME_ZONE: 'Mars/Base', DATABASE_URL: 'mysql://x', METRICS_TOKEN: 'short' })
  expect(lines.map((line) => line.split(' ')[0]).toSorted()).toEqual(['DATABASE_URL', 'METRICS_TOKEN', 'PORT', 'SAMPLE', 'TIME_ZONE'])
})

test.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://homeroom.school.example' }, { TRUST_PROXY: 'true' }])(
  'the local sign-in provider is refused with %j',
  (environment) => {
    expect(mistakes(environment)).toEqual([expect.stringContaining('local sign-in provider')])
  },
)

test('a real provider needs its client, its tenant and a key for directory tokens', () => {
  expect(mistakes({ OIDC_ISSUER: 'https://login.example/t/v2.0', HOST: '0.0.0.0' })).toHaveLength(3)
})

test('production has no sample unless it is asked for', () => {
  expect(readConfiguration({ NODE_ENV: 'production' }).sample).toBe(0)
  expect(readConfiguration({ NODE_ENV: 'production', SAMPLE: '7' }).sample).toBe(7)
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

test.each(['yes', '-1', '10', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.1,', 'proxy.example'])('TRUST_PROXY=%j is a mistake', (text) => {
  expect(mistakes({ TRUST_PROXY: text })).toEqual([expect.stringMatching(/^TRUST_PROXY must be/)])
})
