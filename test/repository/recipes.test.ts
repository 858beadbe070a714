import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

// The diffs in docs/developers/recipes.md are applied to the current code.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_FILES: Readonly<Record<string, number>> = {
  'Add a list filter': 3,
  // The additional file is docs/developers/screens.md.
  'Add a call with a new capability': 3,
  'Add a text field to a site': 5,
}
const recipes = readFileSync(join(ROOT, 'docs/developers/recipes.md'), 'utf8')
  .split(/^## /m)
  .flatMap((section) => {
    const [, diff] = /^```diff\n([\s\S]*?)^```/m.exec(section) ?? []
    return diff === undefined ? [] : [{ title: section.split('\n')[0] ?? '', diff }]
  })

const apply = (diff: string, folder: string, ...options: readonly string[]): string => {
  const { status, stderr } = spawnSync('git', ['apply', ...options, '-'], { cwd: folder, input: diff, encoding: 'utf8' })
  return status === 0 ? '' : stderr
}

test('each change with a file limit has a recipe', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(MAX_FILES))
})

test.for(recipes)('the diff of "$title" applies, within its file limit', ({ title, diff }) => {
  expect(apply(diff, ROOT, '--check')).toBe('')
  const files = [...diff.matchAll(/^diff --git a\/(\S+)/gm)].map(([, file = '']) => file)
  const counted = files.filter((file) => !file.startsWith('src/database/migrations/') && !file.includes('.test.'))
  expect(counted.length).toBeLessThanOrEqual(MAX_FILES[title] ?? 0)
})

/** Takes half a minute, so it is part of `npm run test:all` only. */
test.runIf(process.env['TEST_ALL'] === '1')('the code compiles with all recipes applied', { timeout: 300_000 }, () => {
  const copy = mkdtempSync(join(tmpdir(), 'homeroom-recipes-'))
  try {
    cpSync(ROOT, copy, { recursive: true, filter: (path) => !/[\\/](node_modules|\.git|dist|data|test-results)$/.test(path) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    expect(recipes.map(({ diff }) => apply(diff, copy)).join('')).toBe('')
    const { stdout } = spawnSync(join(copy, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: copy, encoding: 'utf8' })
    expect(stdout).toBe('')
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
})
