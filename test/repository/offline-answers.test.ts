import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENTRY = 'src/app/offline-answers.web.ts'

/** What a file imports, without types. */
const listImports = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gms)].map(
    ([, from = '']) => from,
  )

test('what answers reads without a network reaches no database, no package of the server and nothing of Node', () => {
  const reached = new Set<string>()
  const packages = new Set<string>()
  const walk = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const from of listImports(path)) {
      if (from.startsWith('.')) walk(relative(ROOT, join(ROOT, dirname(path), from)))
      else packages.add(from)
    }
  }
  walk(ENTRY)
  expect([...reached].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(reached.size).toBeGreaterThan(40)
  expect([...packages].toSorted()).toEqual(['idb', 'react', 'zod'])
  expect([...reached].filter((path) => path.startsWith('src/database/'))).toEqual([])
  // The build notices changes of these files.
  const server = [...reached].filter((path) => path.includes('.server.') || path.startsWith('src/platform/server/'))
  expect(
    server.filter((path) => !/\/(read-model\/[\w-]+\.ts|(queries|parts|counts|search-answer|offline-reads)\.server\.ts)$/.test(path)),
  ).toEqual([])
})
