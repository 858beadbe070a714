import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { faultOf, faultOfName } from './import-boundaries.js'

/** @param {string} path */
const feature = (path) => `src/features/records/${path}`

describe('a contract and its rules are pure', () => {
  test.each([
    [feature('sites/contract.ts'), 'zod'],
    [feature('sites/contract.ts'), 'src/platform/contract/fields.ts'],
    [feature('sites/contract.ts'), feature('charters/contract.ts')],
    [feature('sites/rules.ts'), feature('sites/contract.ts')],
    [feature('exports/contract.ts'), feature('sites/list.ts')],
    ['src/platform/contract/call.ts', 'zod'],
  ])('%s may import %s', (from, to) => expect(faultOf(from, to)).toBeUndefined())

  test.each([
    [feature('sites/contract.ts'), 'kysely'],
    [feature('sites/contract.ts'), 'node:crypto'],
    [feature('sites/rules.ts'), feature('sites/columns.ts')],
    [feature('sites/list.ts'), feature('sites/web/SiteCard.tsx')],
    [feature('sites/rules.ts'), 'src/platform/web/client.ts'],
    [feature('new-feature/contract.ts'), 'src/database/schema.ts'],
    ['src/platform/contract/call.ts', feature('sites/contract.ts')],
  ])('%s may not import %s', (from, to) => expect(faultOf(from, to)).toContain('pure contracts'))
})

describe('the server and the web app are apart, and the platform knows no feature', () => {
  test.each([
    [feature('sites/routes.server.ts'), 'src/platform/server/handler.ts'],
    [feature('sites/routes.server.ts'), 'src/database/json.server.ts'],
    [feature('sites/web/SitePage.tsx'), 'src/platform/web/kit/Facts.tsx'],
    ['src/platform/server/create-server.ts', 'node:crypto'],
    ['src/database/schema.ts', 'src/platform/contract/status.ts'],
  ])('%s may import %s', (from, to) => expect(faultOf(from, to)).toBeUndefined())

  test.each([
    [feature('sites/columns.ts'), feature('sites/queries.server.ts')],
    [feature('sites/web/SitePage.tsx'), 'src/platform/server/app-context.ts'],
    [feature('sites/web/SitePage.tsx'), 'src/database/schema.ts'],
    [feature('sites/web/SitePage.tsx'), 'node:path'],
    ['src/main.web.tsx', 'src/routes.server.ts'],
    [feature('sites/routes.server.ts'), feature('sites/web/queries.ts')],
    ['src/platform/web/shell/Shell.tsx', feature('sites/contract.ts')],
    ['src/platform/server/create-server.ts', feature('session/session.server.ts')],
    ['src/platform/server/create-server.ts', 'src/calls.ts'],
    ['src/platform/web/client.ts', 'src/database/schema.ts'],
  ])('%s may not import %s', (from, to) => expect(faultOf(from, to)).toContain('layers'))
})

describe('a feature shows others a few files, and on the server the arrows run one way', () => {
  test.each([
    [feature('sites/web/SitePage.tsx'), feature('charters/web/queries.ts')],
    [feature('sites/web/SitePage.tsx'), feature('brands/web/BrandCard.tsx')],
    [feature('sites/web/SiteForm.tsx'), feature('people/web/PersonPicker.tsx')],
    [feature('sites/queries.server.ts'), feature('charters/queries.server.ts')],
    [feature('requests/routes.server.ts'), feature('sites/queries.server.ts')],
    [feature('session/queries.server.ts'), feature('permissions/queries.server.ts')],
    ['src/routes.server.ts', feature('sites/routes.server.ts')],
    ['src/main.server.ts', 'sample/load.server.ts'],
  ])('%s may import %s', (from, to) => expect(faultOf(from, to)).toBeUndefined())

  test.each([
    [feature('sites/web/SitePage.tsx'), feature('charters/web/CharterForm.tsx')],
    [feature('sites/web/SitePage.tsx'), feature('charters/columns.ts')],
    [feature('sites/routes.server.ts'), feature('charters/routes.server.ts')],
    [feature('charters/queries.server.ts'), feature('sites/queries.server.ts')],
    [feature('facility/queries.server.ts'), feature('enrollment/queries.server.ts')],
    [feature('sites/routes.server.ts'), 'src/routes.server.ts'],
  ])('%s may not import %s', (from, to) => expect(faultOf(from, to)).toContain('feature boundaries'))

  test('nothing but the entry knows the sample network, and nothing of the product the tests', () => {
    expect(faultOf(feature('sites/routes.server.ts'), 'sample/load.server.ts')).toBeDefined()
    expect(faultOf(feature('sites/routes.server.ts'), 'test/support/factories.ts')).toBeDefined()
    expect(faultOf(feature('sites/routes.test.ts'), 'test/support/factories.ts')).toBeUndefined()
  })
})

describe('a name says what a file holds', () => {
  test.each([
    'src/features/records/sites/index.ts',
    'src/utils/dates.ts',
    'src/platform/web/helpers.ts',
    'src/features/records/common/x.ts',
    'test/misc.ts',
  ])('%s does not', (path) => expect(faultOfName(path)).toContain('file names'))
  test.each(['src/features/records/sites/columns.ts', 'src/platform/web/commonplace.ts', 'index.html'])('%s does', (path) =>
    expect(faultOfName(path)).toBeUndefined(),
  )
})

test('the linter reports a crossed boundary where it is', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const folder = mkdtempSync(join(root, 'src', 'features', 'records', 'boundaries-test-'))
  try {
    const file = join(folder, 'contract.ts')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import { sql } from 'kysely'\n\nexport const broken = sql\n`)
    const { status, stdout } = spawnSync(join(root, 'node_modules', '.bin', 'oxlint'), ['-f', 'unix', file], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/contract\.ts:1:\d+: .*pure contracts/)
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
