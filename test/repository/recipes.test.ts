import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

// The diffs in docs/developers/recipes.md, and those it links to, are applied to the current code.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_FILES: Readonly<Record<string, number>> = {
  'Add a list filter': 3,
  // The additional file is docs/developers/screens.md.
  'Add a call with a new capability': 3,
  'Add a text field to a site': 5,
  'Add a new kind of record': 16,
  'Add a capability for every kind of record': 7,
}
/** The most files in the new folder of a kind, without its tests. */
const MAX_FILES_OF_KIND = 8

const FOLDER = join(ROOT, 'docs/developers')
const recipes = readFileSync(join(FOLDER, 'recipes.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const [, inline] = /^```diff\n([\s\S]*?)^```/m.exec(section) ?? []
    const [, file] = /\]\((recipes\/\w+\.diff)\)/.exec(section) ?? []
    const diff = file === undefined ? inline : readFileSync(join(FOLDER, file), 'utf8')
    return diff === undefined ? [] : [{ title: section.split('\n')[0] ?? '', diff, isLinked: file !== undefined }]
  })
const listFiles = (diff: string): string[] => [...diff.matchAll(/^diff --git a\/(\S+)/gm)].map(([, file = '']) => file)
const isCounted = (file: string): boolean => !file.startsWith('src/database/migrations/') && !file.includes('.test.')

const apply = (diff: string, folder: string, ...options: readonly string[]): string => {
  const { status, stderr } = spawnSync('git', ['apply', ...options, '-'], { cwd: folder, input: diff, encoding: 'utf8' })
  return status === 0 ? '' : stderr
}

test('each change with a file limit has a recipe', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(MAX_FILES))
})

test.for(recipes)('the diff of "$title" applies, within its file limit', ({ title, diff }) => {
  expect(apply(diff, ROOT, '--check')).toBe('')
  expect(listFiles(diff).filter(isCounted).length).toBeLessThanOrEqual(MAX_FILES[title] ?? 0)
})

test('a new kind of record is one folder of few files, and few lines elsewhere; no feature is edited', () => {
  const { diff = '' } = recipes.find(({ title }) => title === 'Add a new kind of record') ?? {}
  const files = listFiles(diff).filter(isCounted)
  expect(files.filter((file) => file.startsWith('src/records/vendors/')).length).toBeLessThanOrEqual(MAX_FILES_OF_KIND)
  expect(files.filter((file) => file.startsWith('src/features/'))).toEqual([])
})

test('a new capability is one folder, one table, and its lines in the composition root; no kind of record is edited', () => {
  const { diff = '' } = recipes.find(({ title }) => title === 'Add a capability for every kind of record') ?? {}
  const outside = listFiles(diff).filter((file) => isCounted(file) && !file.startsWith('src/features/finding/labels/'))
  expect(outside).toEqual(['src/app/record-features.web.tsx', 'src/app/routes.server.ts', 'src/database/schema.ts'])
})

/** Runs work in a copy of the repository. */
const inCopy = (work: (copy: string) => void): void => {
  const copy = mkdtempSync(join(tmpdir(), 'homeroom-recipes-'))
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !/[\\/](node_modules|\.git|dist|data|test-results)$/.test(path) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    work(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
const run = (copy: string, program: string, ...options: readonly string[]) =>
  spawnSync(join(copy, 'node_modules/.bin', program), options, { cwd: copy, encoding: 'utf8' })

/** Each takes a minute, so these are part of `npm run test:all` only. */
describe.runIf(process.env['TEST_ALL'] === '1')('with recipes applied', { timeout: 300_000 }, () => {
  test('to one copy, the code compiles', () =>
    inCopy((copy) => {
      expect(recipes.map(({ diff, isLinked }) => (isLinked ? '' : apply(diff, copy))).join('')).toBe('')
      expect(run(copy, 'tsc', '--noEmit').stdout).toBe('')
    }))

  test.for(recipes.filter(({ isLinked }) => isLinked))('"$title" compiles, and its tests pass', ({ diff }) =>
    inCopy((copy) => {
      expect(apply(diff, copy)).toBe('')
      expect(run(copy, 'tsc', '--noEmit').stdout).toBe('')
      const { status, stdout } = run(
        copy,
        'vitest',
        'run',
        '--project',
        'api',
        ...listFiles(diff).filter((file) => file.includes('.test.')),
      )
      expect(status, stdout).toBe(0)
    }),
  )
})
