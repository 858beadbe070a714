import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

import { expect, test } from 'vitest'

import { parseEnvironmentFile } from '../../src/command-line/environment-file.ts'

const blocksOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```.*\n((?:[A-Z_]+=.*\n)+)```/gm)].map(([, text = '']) => text)

test.each(['docs/operators/deploying.md', 'docs/operators/sign-in.md'])(
  'every environment file of %s is read by Homeroom as by a shell and Node',
  (file) => {
    const blocks = blocksOf(file)
    expect(blocks.length).toBeGreaterThan(0)
    for (const text of blocks) {
      const { stdout } = spawnSync('/bin/sh', ['-c', 'set -a; eval "$1"; exec env -0', 'sh', text], { encoding: 'utf8', env: {} })
      const shell = Object.fromEntries(stdout.split('\0').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
      const ours = parseEnvironmentFile(text).variables
      expect(Object.keys(ours).length).toBeGreaterThan(5)
      expect(shell).toMatchObject(ours)
      expect(parseEnv(text)).toEqual(ours)
    }
  },
)
