import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

import { expect, test } from 'vitest'

import { environmentIn, readUnit, valueOf } from '../../scripts/unit.mjs'

const blocksOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```.*\n((?:[A-Z_]+=.*\n)+)```/gm)].map(([, text = '']) => text)

test.each(['docs/operators/deploying.md', 'docs/operators/sign-in.md'])(
  'every environment file of %s is read alike by systemd, a shell and Node',
  (file) => {
    const blocks = blocksOf(file)
    expect(blocks.length).toBeGreaterThan(0)
    for (const text of blocks) {
      const folder = mkdtempSync(join(tmpdir(), 'homeroom-environment-'))
      const path = join(folder, 'environment')
      writeFileSync(path, text)
      const { stdout } = spawnSync('/bin/sh', ['-c', 'set -a; . "$1"; exec env -0', 'sh', path], { encoding: 'utf8', env: {} })
      rmSync(folder, { recursive: true })
      const shell = Object.fromEntries(stdout.split('\0').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
      const ours = environmentIn(text)
      expect(Object.keys(ours).length).toBeGreaterThan(5)
      expect(shell).toMatchObject(ours)
      expect(parseEnv(text)).toEqual(ours)
    }
  },
)

test.each([
  ['a@x, b@x', 'a@x, b@x'],
  ['Homeroom <h@x>', 'Homeroom <h@x>'],
  ["'Homeroom <h@x>'  ", 'Homeroom <h@x>'],
  ['postgres://h/db?a=1&b=$2', 'postgres://h/db?a=1&b=$2'],
  ['   # openssl rand', '# openssl rand'],
  ['"a \\"b\\" $c"', 'a "b" $c'],
  ['a\\ b  ', 'a b'],
  ['', ''],
])('like systemd, %j is %j', (text, value) => expect(valueOf(text)).toBe(value))

test('the unit gives its user, its folder and all of its variables; the file of secrets wins', () => {
  const files: Record<string, string> = {
    unit: readFileSync('deploy/homeroom.service', 'utf8'),
    '/etc/homeroom/environment': "PUBLIC_URL='https://homeroom.school.test'\nDRAIN_SECONDS=9\n",
  }
  const { user, folder, environment } = readUnit('unit', (path) => files[path] ?? '')
  expect([user, folder]).toEqual(['homeroom', '/opt/homeroom'])
  expect(environment).toMatchObject({
    NODE_ENV: 'production',
    DATA_DIR: '/var/lib/homeroom',
    BACKUP_DIR: '/var/lib/homeroom/backups',
    DRAIN_SECONDS: '9',
    PUBLIC_URL: 'https://homeroom.school.test',
  })
})
