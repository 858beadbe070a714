import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

// A feature works with records of any kind. What it has to know of one is in the declaration of the kind, or in a table of src/contract.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Names of kinds and parts that are no common words; `site`, `charter` and `person` are. */
const KIND_NAMES = /\b(brands?|facility|facilities|enrollments?|sis_sites?|center_district|authorizer_board_member)\b/

/** Files that still name one: what administrators may do in words, a name that is no site's, a filter by brand, and the words that the search reads from each kind. */
const KNOWN = [
  'src/features/access/permissions/rules.ts',
  'src/features/changing/requests/mutations.server.ts',
  'src/features/deadlines/deadlines/queries.server.ts',
  'src/features/finding/search/engine/records.ts',
  'src/features/finding/search/engine/search-index.ts',
]

test('no other file of a feature names a kind of record, and the list only gets shorter', () => {
  const files = globSync('src/features/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  const naming = files.filter((path) => !/\.test\.tsx?$/.test(path) && KIND_NAMES.test(readFileSync(join(ROOT, path), 'utf8')))
  expect(naming.toSorted()).toEqual(KNOWN)
})
