import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

test('CHANGELOG.md begins with the version of package.json, which equals that of package-lock.json', () => {
  const [, newest] = /^## (\S+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? []
  const versionOf = (file: string): string => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  expect(newest).toBe(versionOf('package.json'))
  expect(versionOf('package-lock.json')).toBe(newest)
})
