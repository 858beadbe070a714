import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { FEATURE_FOLDERS, listFeatureTests, OTHER_TESTS } from '../../scripts/feature-tests.ts'

// `npm test -- sites` claims to run all tests of sites: a test that belongs to no feature would be left out silently.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const list = (pattern: string | string[]): string[] => globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
const folders = list(FEATURE_FOLDERS)
const testsOf = new Map(folders.map((folder) => [basename(folder), listFeatureTests(basename(folder))]))

test('every test in a browser belongs to a feature', () => {
  const files = list(['test/browser/**/*.test.ts', 'test/components/*.test.tsx'])
  expect(files.length).toBeGreaterThan(60)
  const claimed = new Set([...testsOf.values()].flat())
  expect(files.filter((path) => !claimed.has(path))).toEqual([])
})

test('every feature has tests, and those with a page have tests in a browser', () => {
  expect([...testsOf].filter(([, files]) => files.length === 0)).toEqual([])
  const withPages = folders.filter((folder) => list(`${folder}/web/*Page.tsx`).length > 0)
  expect(withPages.length).toBeGreaterThan(20)
  const inBrowser = (folder: string): string[] => (testsOf.get(basename(folder)) ?? []).filter((path) => path.startsWith('test/browser/'))
  expect(withPages.filter((folder) => inBrowser(folder).length === 0)).toEqual([])
})

test('every name of the table is a feature, and every file exists', () => {
  expect(Object.keys(OTHER_TESTS).filter((name) => !testsOf.has(name))).toEqual([])
  const isThere = (path: string): boolean => ['ts', 'tsx'].some((extension) => existsSync(join(ROOT, 'test', `${path}.test.${extension}`)))
  expect(
    Object.values(OTHER_TESTS)
      .flat()
      .filter((path) => !isThere(path)),
  ).toEqual([])
})
