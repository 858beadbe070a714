import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { ConfigurationError } from './configuration-error.ts'
import { readConfiguration } from './configuration.ts'
import { SECRET_SETTINGS } from './secret-files.ts'

const SECRET = 'hT7/0Vb1qWk2+Zx9LmP4sRyEuC8jNaFd'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeroom-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const mistakes = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfiguration(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes
    throw error
  }
}

test.each(['', '\n', '\r\n'])('a secret is read from the file of its _FILE setting, which may end in %j', (end) => {
  const SECRET_KEY_FILE = write('key', `${SECRET}${end}`)
  const DATABASE_URL_FILE = write('url', `postgres://u:p@h/d${end}`)
  expect(readConfiguration({ SECRET_KEY_FILE, DATABASE_URL_FILE })).toMatchObject({
    secretKey: SECRET,
    databaseUrl: 'postgres://u:p@h/d',
    warnings: [],
  })
})

test('a systemd credential is used if neither setting is present', () => {
  write('SECRET_KEY', SECRET)
  expect(readConfiguration({ CREDENTIALS_DIRECTORY: folder }).secretKey).toBe(SECRET)
  const other = SECRET.toLowerCase()
  expect(readConfiguration({ CREDENTIALS_DIRECTORY: folder, SECRET_KEY: other }).secretKey).toBe(other)
  expect(readConfiguration({ CREDENTIALS_DIRECTORY: folder, SECRET_KEY_FILE: write('other', other) }).secretKey).toBe(other)
})

test.each([
  ['empty', ''],
  ['two lines', `${SECRET}\n${SECRET}\n`],
])('a file with %s is refused without showing its content', (_what, text) => {
  const SECRET_KEY_FILE = write('wrong', text)
  expect(mistakes({ SECRET_KEY_FILE })).toEqual([expect.stringMatching(/^SECRET_KEY_FILE \(.*wrong\) cannot be read: it /)])
  expect(mistakes({ SECRET_KEY_FILE }).join()).not.toContain(SECRET)
})

test('a missing file, a secret that is set twice, and an invalid value are one line each', () => {
  const HR_URL_FILE = write('hr', 'ftp://x')
  expect(mistakes({ SECRET_KEY_FILE: '/nowhere', METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: 'b', HR_URL_FILE })).toEqual([
    'SECRET_KEY_FILE (/nowhere) cannot be read: it does not exist',
    'METRICS_TOKEN and METRICS_TOKEN_FILE are both set; leave one of them',
    'HR_URL must begin with mssql:// or postgres://',
  ])
})

test('every secret can be read from a file', () => {
  for (const name of SECRET_SETTINGS) expect(mistakes({ [`${name}_FILE`]: '/nowhere' })).toEqual([expect.stringContaining(`${name}_FILE`)])
})
