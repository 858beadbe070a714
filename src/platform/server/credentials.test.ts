import { createServer } from 'node:net'

import pg from 'pg'
import { describe, expect, test } from 'vitest'

import { doctorCommand } from '../../doctor/command.server.ts'
import { parseSettings } from '../../records/hr/mssql-source.server.ts'
import { ConfigurationError } from './configuration-error.ts'
import { readConfiguration } from './configuration.ts'
import { openConfiguredDatabase } from './database.ts'
import { formatStartupError } from './startup-errors.ts'

// Each part is searched for separately, because leaking half a password is as bad as leaking all of it.
const PARTS = ['Zq81', 'kX7w'] as const
const CHARACTERS = Array.from({ length: 95 }, (_none, at) => String.fromCodePoint(32 + at))
const passwordWith = (character: string): string => PARTS.join(character)

const expectNothingOfIt = (text: string): void => {
  for (const part of PARTS) expect(text.toLowerCase()).not.toContain(part.toLowerCase())
}

/** A port of this machine on which nothing listens. */
const closedPort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
const PORT = await closedPort()

const ADDRESSES: readonly (readonly [string, (password: string) => string])[] = [
  ['DATABASE_URL', (password) => `postgres://homeroom:${password}@127.0.0.1:${PORT}/homeroom`],
  ['DATABASE_URL', (password) => `postgres://homeroom:${password}@127.0.0.1:${PORT},localhost:${PORT}/homeroom?sslmode=verify-full`],
  ['HR_URL', (password) => `postgres://hr:${password}@127.0.0.1:${PORT}/hr`],
  ['HR_URL', (password) => `mssql://hr:${password}@127.0.0.1:${PORT}/hr`],
  ['SMTP_URL', (password) => `smtp://homeroom:${password}@127.0.0.1:${PORT}`],
]

/** Every message about an address at startup: validation errors, warnings, and connection errors. */
const listStartupMessages = async (name: string, address: string, production: boolean): Promise<string> => {
  const environment = {
    [name]: address,
    DATA_DIR: '/nowhere',
    ...(production ? { NODE_ENV: 'production', SERVE: 'web,locations' } : {}),
  }
  try {
    const configuration = readConfiguration(environment)
    const warnings = configuration.warnings.join('\n')
    // With several hosts, startup waits in case one is about to accept writes; the doctor below checks each once.
    if (name !== 'DATABASE_URL' || address.includes(',')) return warnings
    const refusal = await openConfiguredDatabase(configuration, 'guest', () => {}).then(
      () => 'opened',
      (error: unknown) => formatStartupError(error),
    )
    return `${warnings}\n${refusal}`
  } catch (error) {
    return formatStartupError(error)
  }
}

describe.each(ADDRESSES)('the password in %s', (name, addressWith) => {
  test('is in no message, whatever character it contains, raw or percent-encoded', { timeout: 120_000 }, async () => {
    for (const character of CHARACTERS) {
      for (const password of [passwordWith(character), encodeURIComponent(passwordWith(character))])
        expectNothingOfIt(await listStartupMessages(name, addressWith(password), character === '@'))
    }
  })

  test.each(['@', '/', '#', '?', '%', ' ', '%zz', '\n', 'é'])(
    'is refused with its own message if it contains %j and is not percent-encoded',
    (character) => {
      expect(() => readConfiguration({ [name]: addressWith(passwordWith(character)) })).toThrow(
        new RegExp(`^${name} (is not a valid address; )?percent-encode `),
      )
    },
  )

  test('is accepted when percent-encoded', () => {
    for (const character of CHARACTERS) {
      const environment = { [name]: addressWith(encodeURIComponent(passwordWith(character))) }
      expect(() => readConfiguration(environment), character).not.toThrow()
    }
  })
})

test('an accepted password is used exactly as written', () => {
  for (const character of CHARACTERS) {
    for (const written of [passwordWith(character), encodeURIComponent(passwordWith(character))]) {
      const address = `postgres://homeroom:${written}@127.0.0.1/homeroom`
      try {
        readConfiguration({ DATABASE_URL: address })
      } catch {
        continue
      }
      expect(new pg.Client(address).password, character).toBe(passwordWith(character))
      expect(parseSettings(address.replace('postgres', 'mssql'), 1).password, character).toBe(passwordWith(character))
    }
  }
})

test('the doctor shows no part of any password', { timeout: 120_000 }, async () => {
  for (const character of ['@', '/', '#', '?', '%', ':', ' ', ',', '"', '\\', '[', '+', '$']) {
    for (const password of [passwordWith(character), encodeURIComponent(passwordWith(character))]) {
      for (const [name, addressWith] of ADDRESSES) {
        let text = ''
        const environment = { [name]: addressWith(password), DATA_DIR: '/tmp', PORT: String(PORT) }
        await doctorCommand({ environment, out: { write: (more) => (text += more) }, timeoutMs: 500 })
        expectNothingOfIt(text)
        expect(text).toContain('configuration:')
      }
    }
  }
})

test.each(['PUBLIC_URL', 'OIDC_ISSUER', 'GRAPH_URL', 'ANALYTICS_URL', 'APP_URL', 'LOCATIONS_URL', 'PORT', 'LOG_LEVEL', 'SAMPLE', 'HOST'])(
  'a URL with a password in %s is refused without showing it',
  (name) => {
    for (const password of [passwordWith(':'), passwordWith('/'), passwordWith('@'), 'Zq81%zzkX7w']) {
      for (const scheme of ['https', 'postgres']) {
        const read = () => readConfiguration({ [name]: `${scheme}://user:${password}@login.school.test/x` })
        expect(read).toThrow(ConfigurationError)
        expect(read).not.toThrow(/Zq81|kX7w/i)
      }
    }
  },
)
