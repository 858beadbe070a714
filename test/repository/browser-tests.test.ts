import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = globSync('test/browser/**/*.ts', { cwd: ROOT })
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

test('no browser test waits for a fixed time: what it waits for is asserted', () => {
  expect(FILES.filter((path) => read(path).includes('waitForTimeout'))).toEqual([])
})
