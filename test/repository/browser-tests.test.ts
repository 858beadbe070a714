import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = globSync('test/browser/**/*.ts', { cwd: ROOT })
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

/** Files older than the rule. Add none, and remove a file once its names are exact. */
const OLD_FILES = [
  'test/browser/affair-form.ts',
  'test/browser/charter-affair.test.ts',
  'test/browser/contact.test.ts',
  'test/browser/coverage.test.ts',
  'test/browser/editing/add-staff.test.ts',
  'test/browser/editing/affair-history.test.ts',
  'test/browser/editing/charter-affair-unsaved-changes.test.ts',
  'test/browser/editing/charter-affair.test.ts',
  'test/browser/editing/charters-and-brands.test.ts',
  'test/browser/editing/clipping.test.ts',
  'test/browser/editing/enrollment.test.ts',
  'test/browser/editing/facility.test.ts',
  'test/browser/editing/history.test.ts',
  'test/browser/editing/nothing-lost.test.ts',
  'test/browser/editing/permissions.test.ts',
  'test/browser/editing/person.test.ts',
  'test/browser/editing/pictures.test.ts',
  'test/browser/editing/requests.test.ts',
  'test/browser/editing/settings.test.ts',
  'test/browser/editing/sis.test.ts',
  'test/browser/editing/site-form.test.ts',
  'test/browser/editing/staff.test.ts',
  'test/browser/editing/whole-site.test.ts',
  'test/browser/error-log.test.ts',
  'test/browser/not-found-page.ts',
  'test/browser/palette.test.ts',
  'test/browser/person.test.ts',
  'test/browser/shell.test.ts',
  'test/browser/sign-in.test.ts',
  'test/browser/signed-out.test.ts',
  'test/browser/site-parts.test.ts',
  'test/browser/site.test.ts',
  'test/browser/tables.test.ts',
  'test/browser/views.test.ts',
]

/** The options of every role query with a name as text; no braces occur in them except those of templates. */
const ROLE_OPTIONS = /getByRole\(\s*'\w+',\s*(\{(?:[^{}]|\$\{[^{}]*\})*\})/g

test('a role query with a name as text asks for that exact name: part of a name also matches what other tests create', () => {
  const loose = FILES.map((path) => path.replaceAll('\\', '/')).flatMap((path) =>
    [...read(path).matchAll(ROLE_OPTIONS)]
      .map(([, options = '']) => options)
      .filter((options) => /\bname: ['`]/.test(options) && !options.includes('exact: true'))
      .map((options) => `${path}: ${options} needs exact: true, or a regular expression as its name`),
  )
  const isOld = (line: string): boolean => OLD_FILES.some((path) => line.startsWith(`${path}: `))
  expect(loose.filter((line) => !isOld(line))).toEqual([])
  expect(
    OLD_FILES.filter((path) => !loose.some((line) => line.startsWith(`${path}: `))),
    'files that now use exact names are not in the list',
  ).toEqual([])
})

test('no browser test waits for a fixed time; each asserts the condition that it waits for', () => {
  expect(FILES.filter((path) => read(path).includes('waitForTimeout'))).toEqual([])
})
