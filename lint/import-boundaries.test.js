import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

import { checkExport, checkImport, checkName, checkWrite } from './import-boundaries.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** @param {string} path */
const record = (path) => `src/records/${path}`
/** @param {string} path */
const feature = (path) => `src/features/${path}`

describe('contracts, rules, lists and history descriptions are pure', () => {
  test.each([
    [record('sites/contract.ts'), 'zod'],
    [record('sites/contract.ts'), 'src/contract/fields.ts'],
    [record('sites/contract.ts'), record('charters/contract.ts')],
    [record('sites/rules.ts'), record('sites/contract.ts')],
    ['src/app/exports/contract.ts', record('sites/list.ts')],
    [record('sites/history.ts'), 'src/contract/history.ts'],
    ['src/contract/call.ts', 'zod'],
  ])('%s may import %s', (from, to) => expect(checkImport(from, to)).toBeUndefined())

  test.each([
    [record('sites/contract.ts'), 'kysely'],
    [record('sites/contract.ts'), 'node:crypto'],
    [record('sites/rules.ts'), record('sites/columns.ts')],
    [record('sites/list.ts'), record('sites/web/public/SiteCard.tsx')],
    [record('sites/rules.ts'), 'src/platform/web/client.ts'],
    [record('new-feature/contract.ts'), 'src/database/schema.ts'],
    ['src/contract/call.ts', record('sites/contract.ts')],
  ])('%s may not import %s', (from, to) => expect(checkImport(from, to)).toContain('pure contracts'))
})

describe('server, web app and platform are separate layers', () => {
  test.each([
    [record('sites/routes.server.ts'), 'src/platform/server/handler.ts'],
    [record('sites/routes.server.ts'), 'src/database/json.server.ts'],
    [record('sites/web/SitePage.tsx'), 'src/platform/web/kit/Facts.tsx'],
    ['src/platform/server/create-server.ts', 'node:crypto'],
    ['src/database/schema.ts', 'src/contract/status.ts'],
  ])('%s may import %s', (from, to) => expect(checkImport(from, to)).toBeUndefined())

  test.each([
    [record('sites/columns.ts'), record('sites/queries.server.ts')],
    [record('sites/web/SitePage.tsx'), 'src/platform/server/app-context.ts'],
    [record('sites/web/SitePage.tsx'), 'src/database/schema.ts'],
    [record('sites/web/SitePage.tsx'), 'node:path'],
    ['src/main.web.tsx', 'src/app/routes.server.ts'],
    [record('sites/routes.server.ts'), record('sites/web/queries.ts')],
    ['src/platform/web/shell/Shell.tsx', record('sites/contract.ts')],
    ['src/platform/server/create-server.ts', feature('access/session/session.server.ts')],
    ['src/platform/server/create-server.ts', 'src/app/routes.server.ts'],
    ['src/platform/web/client.ts', 'src/database/schema.ts'],
    ['src/database/schema.ts', 'src/platform/server/app-context.ts'],
  ])('%s may not import %s', (from, to) => expect(checkImport(from, to)).toContain('layers'))
})

describe('records and features do not import each other, and a folder imports the public files of others', () => {
  test.each([
    [record('sites/web/SitePage.tsx'), record('charters/web/queries.ts')],
    [record('sites/web/SitePage.tsx'), record('people/web/public/PersonPicker.tsx')],
    [record('sites/web/SitePage.tsx'), 'src/platform/web/record-features.tsx'],
    [record('sites/queries.server.ts'), record('charters/queries.server.ts')],
    ['src/app/exports/routes.server.ts', record('sites/queries.server.ts')],
    [feature('changing/checks/web/queries.ts'), feature('changing/requests/web/queries.ts')],
    [feature('access/permissions/queries.server.ts'), feature('finding/search/queries.server.ts')],
    ['src/app/departures/mutations.server.ts', feature('access/session/mutations.server.ts')],
    ['src/app/record-features.web.tsx', feature('changing/history/web/public/HistoryButton.tsx')],
    ['src/app/routes.server.ts', record('sites/routes.server.ts')],
    ['src/app/kinds.server.ts', record('sites/kind.server.ts')],
    [record('sites/kind.server.ts'), record('facility/part.server.ts')],
    [record('sites/kind.web.tsx'), record('enrollment/web/enrollment-fields.ts')],
    ['src/main.server.ts', 'sample/load.server.ts'],
  ])('%s may import %s', (from, to) => expect(checkImport(from, to)).toBeUndefined())

  test.each([
    [record('sites/web/SitePage.tsx'), record('charters/web/CharterForm.tsx')],
    [record('sites/web/SitePage.tsx'), record('charters/web/CharterCard.tsx')],
    [record('sites/web/SitePage.tsx'), record('charters/columns.ts')],
    [record('sites/routes.server.ts'), record('charters/routes.server.ts')],
    [record('charters/queries.server.ts'), record('sites/queries.server.ts')],
    [record('facility/queries.server.ts'), record('enrollment/queries.server.ts')],
    [record('sites/contract.ts'), feature('finding/search/contract.ts')],
    [record('sites/web/SitesPage.tsx'), 'src/app/exports/web/queries.ts'],
    [record('sites/web/SitePage.tsx'), feature('changing/history/web/public/HistoryButton.tsx')],
    [feature('changing/history/web/formatValue.ts'), record('sites/rules.ts')],
    [feature('changing/checks/queries.server.ts'), feature('changing/requests/routes.server.ts')],
    [feature('finding/search/queries.server.ts'), 'src/app/exports/queries.server.ts'],
    [feature('new-group/anything/contract.ts'), record('sites/contract.ts')],
    [record('sites/routes.server.ts'), 'src/app/routes.server.ts'],
    ['src/app/departures/mutations.server.ts', record('people/mutations.server.ts')],
    [feature('changing/sheets/apply.server.ts'), record('sites/mutations.server.ts')],
    [feature('changing/sheets/apply.server.ts'), record('sites/kind.server.ts')],
    [record('charters/queries.server.ts'), record('sites/kind.server.ts')],
  ])('%s may not import %s', (from, to) => expect(checkImport(from, to)).toContain('feature boundaries'))

  test('nothing imports from tests, and only the entry imports the sample network', () => {
    expect(checkImport(record('sites/routes.server.ts'), 'sample/load.server.ts')).toBeDefined()
    expect(checkImport(record('sites/routes.server.ts'), 'test/support/factories.ts')).toBeDefined()
    expect(checkImport(record('sites/routes.test.ts'), 'test/support/factories.ts')).toBeUndefined()
  })
})

describe('tests', () => {
  test.each([
    ['test/security/access.proof.ts', 'test/support/proof.ts'],
    ['test/security/access.proof.ts', 'test/security/access/routes.ts'],
    ['test/browser/editing/payloads.test.ts', 'test/security/payloads/run.ts'],
  ])('%s may import %s', (from, to) => expect(checkImport(from, to)).toBeUndefined())

  test.each([
    ['test/support/app.ts', 'test/security/access/routes.ts'],
    ['test/security/access.proof.ts', 'test/resilience/crash/crashes.ts'],
    ['test/commands/logs.test.ts', 'test/resilience/crash/crashes.ts'],
    ['test/load/load.proof.ts', 'bench/load.ts'],
  ])('%s may not import %s', (from, to) => expect(checkImport(from, to)).toContain('test folders'))
})

/** @param {string} path */
const getFeature = (path) =>
  path
    .replace(/^src\/(features\/)?/, '')
    .split('/')
    .slice(0, 2)
    .join('/')

/**
 * The files that a file imports, as paths from the root.
 * @param {string} from
 */
const listImports = (from) =>
  [...readFileSync(join(ROOT, from), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) => join(dirname(from), path))

/**
 * Which features import which, among some of their files.
 * @param {RegExp} layer
 * @param {(own: string, other: string) => boolean} isRead
 */
const readFeatureGraph = (layer, isRead) => {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  for (const from of globSync('src/{features/*,records}/*/**/*.{ts,tsx}', { cwd: ROOT })) {
    // Nothing but src/app imports the declaration of a kind, which names its parts.
    if (/\.test\.tsx?$|\/kind\.(server|web)\.tsx?$/.test(from) || !layer.test(from)) continue
    for (const to of listImports(from)) {
      if (!layer.test(to) || !/^src\/(features|records)\//.test(to)) continue
      const [own, other] = [getFeature(from), getFeature(to)]
      if (own !== other && isRead(own, other)) graph.set(own, (graph.get(own) ?? new Set()).add(other))
    }
  }
  return graph
}

/** @param {string} feature */
const isRecord = (feature) => feature.startsWith('records/')

// The records know each other: a site's contract has its parts, their server files ask for the site, and their pages show each other.
test.each([
  [
    'all files, except between two records',
    /./,
    (/** @type {string} */ own, /** @type {string} */ other) => !(isRecord(own) && isRecord(other)),
  ],
  ['contracts, responses, fields, rules, lists and histories', /\/(contract|response|fields|rules|list|history)\.ts$/, () => true],
  ['server files', /\.server\.ts$/, () => true],
])('features do not import each other in a cycle: %s', (_name, layer, isRead) => {
  const graph = readFeatureGraph(layer, isRead)
  expect(graph.size).toBeGreaterThan(0)
  // Removes features that import none of the others, until only cycles and what imports them remain.
  const remaining = new Map(graph)
  for (let size = -1; size !== remaining.size;) {
    size = remaining.size
    for (const [feature, imported] of remaining) if (![...imported].some((other) => remaining.has(other))) remaining.delete(feature)
  }
  expect(
    [...remaining].map(([feature, imported]) => `${feature} imports ${[...imported].filter((other) => remaining.has(other)).join(', ')}`),
  ).toEqual([])
})

test('each file in web/public is used by another folder', () => {
  const files = globSync('src/{features,records,app}/**/*.{ts,tsx}', { cwd: ROOT })
  const imported = new Set(files.flatMap((from) => listImports(from).filter((to) => getFeature(from) !== getFeature(to))))
  expect(imported.size).toBeGreaterThan(0)
  expect(files.filter((path) => path.includes('/web/public/') && !imported.has(path))).toEqual([])
})

describe('a file name says what the file holds', () => {
  test.each(['src/records/sites/index.ts', 'src/utils/dates.ts', 'src/platform/web/helpers.ts', 'src/records/common/x.ts', 'test/misc.ts'])(
    '%s does not',
    (path) => expect(checkName(path)).toContain('file names'),
  )
  test.each(['src/records/sites/columns.ts', 'src/platform/web/commonplace.ts', 'index.html'])('%s does', (path) =>
    expect(checkName(path)).toBeUndefined(),
  )
})

describe('every feature has the same layout', () => {
  test.each([
    'sites/saving.server.ts',
    'sites/siteLabels.ts',
    'sites/web/siteFields.ts',
    'sites/web/useSite.ts',
    'sites/web/site-card.css.TSX',
  ])('%s has no such name', (path) => expect(checkName(record(path))).toContain('feature layout'))
  test.each(['sites/mutations.server.ts', 'sites/web/site-fields.ts', 'sites/web/SitePage.tsx', 'sites/web/use-site.ts'])(
    '%s is allowed',
    (path) => expect(checkName(record(path))).toBeUndefined(),
  )
  test('pages and columns are exported from their own files', () => {
    expect(checkExport(record('sites/web/SiteForm.tsx'), 'NewSitePage')).toContain('feature layout')
    expect(checkExport(record('sites/web/NewSitePage.tsx'), 'NewSitePage')).toBeUndefined()
    expect(checkExport(record('sites/web/SiteCard.tsx'), 'SITE_COLUMNS')).toContain('feature layout')
    expect(checkExport(record('sites/web/site-columns.tsx'), 'SITE_COLUMNS')).toBeUndefined()
  })
  test.each([
    [record('sites/queries.server.ts'), 'insertInto'],
    [feature('access/session/queries.server.ts'), 'updateTable'],
    [feature('changing/requests/proposal-queries.server.ts'), 'deleteFrom'],
    [feature('operations/webhooks/routes.server.ts'), 'deleteInBatches'],
    [feature('finding/search/queries.server.ts'), 'with counted as (update search_miss set times = 1) select 1'],
    [feature('finding/search/queries.server.ts'), 'update   set times = 1'],
    ['src/app/exports/queries.server.ts', 'Insert\n into download'],
    ['src/app/exports/queries.server.ts', 'delete from download'],
  ])('%s may not write: %s', (path, called) => expect(checkWrite(path, called)).toContain('feature layout'))
  test.each([
    [record('sites/mutations.server.ts'), 'insertInto'],
    [feature('changing/requests/proposal-mutations.server.ts'), 'updateTable'],
    [record('sites/queries.server.ts'), 'selectFrom'],
    [record('sites/queries.server.ts'), 'select "updatedAt" from site for update'],
  ])('%s may contain %s', (path, called) => expect(checkWrite(path, called)).toBeUndefined())
})

test('the linter reports a crossed boundary at its import, and each write outside of mutations', () => {
  const folder = mkdtempSync(join(ROOT, 'src', 'records', '.boundaries-test-'))
  try {
    writeFileSync(join(folder, 'contract.ts'), `import { sql } from 'kysely'\n\nexport const broken = sql\n`)
    writeFileSync(
      join(folder, 'queries.server.ts'),
      ['sql`select 1`', 'db.deleteFrom(x)', 'deleteInBatches(db)', 'sql<T>`update ${x} set y = 1`', ''].join('\n'),
    )
    const { status, stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'oxlint'), ['-f', 'unix', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/contract\.ts:1:\d+: .*pure contracts/)
    expect([...stdout.matchAll(/queries\.server\.ts:(\d+):\d+: Writes are in/g)].map(([, line]) => Number(line))).toEqual([2, 3, 4])
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
