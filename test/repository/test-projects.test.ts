import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import config from '../../vitest.config.ts'

// A test file that belongs to no project would never run, nor would a project that `npm run test:all` does not run.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Project {
  readonly test: { readonly name: string; readonly include: string[]; readonly exclude?: string[] }
}
const projects = (config as { test: { projects: Project[] } }).test.projects.map(({ test: { name, include, exclude = [] } }) => ({
  name,
  files: globSync(include, { cwd: ROOT, exclude }),
}))

test('every test file outside the browser tests belongs to one project', () => {
  const files = globSync('{src,test,lint,bench,sample,scripts}/**/*.test.{ts,tsx,js}', { cwd: ROOT, exclude: ['test/browser/**'] })
  expect(files.length).toBeGreaterThan(200)
  const owners = (file: string): string[] => projects.flatMap(({ name, files: own }) => (own.includes(file) ? [name] : []))
  expect(files.map((file) => [file, owners(file)]).filter(([, names]) => names?.length !== 1)).toEqual([])
})

test('npm run test:all runs every project', () => {
  const [, run = ''] = readFileSync(`${ROOT}/scripts/test.ts`, 'utf8').split('const runEverything')
  expect(projects.map(({ name }) => name).filter((name) => !run.includes(`'${name}'`))).toEqual([])
})
