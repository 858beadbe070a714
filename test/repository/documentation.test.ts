import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

// Statements about the code in docs/ are compared with the code.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const list = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))

const PAGES = [...list('*.md'), ...list('docs/**/*.md')]
const SCREENS = 'docs/developers/screens.md'

/** The anchor of a heading on the web. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const findAnchors = (path: string): string[] => [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))

interface Link {
  readonly link: string
  readonly path: string
  readonly anchor: string | undefined
}
const findLinks = (page: string, text: string): Link[] =>
  [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => {
    const [path = '', anchor] = link.split('#')
    return { link, path: path === '' ? page : join(dirname(page), path), anchor }
  })

const findCode = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

test.for(PAGES)('every link of %s leads to an existing file and heading', (page) => {
  const isBroken = ({ path, anchor }: Link): boolean =>
    !existsSync(join(ROOT, path)) || (anchor !== undefined && !findAnchors(path).includes(anchor))
  expect(
    findLinks(page, read(page))
      .filter(isBroken)
      .map(({ link }) => link),
  ).toEqual([])
})

test.for(PAGES)('every file that %s names exists', (page) => {
  const named = [...read(page).matchAll(/`((?:src|test|lint|bench|scripts|sample|deploy|docs)\/[^`\s*{]+\.\w+)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test.for(PAGES)('%s calls linked files by their names', (page) => {
  const named = [...read(page).matchAll(/\[(?:[\w-]+\/)*([\w.-]+\.(?:ts|tsx|js|mjs|sql))\]\(([^)\s]+)\)/g)]
  expect(named.filter(([, name = '', path = '']) => !path.endsWith(`/${name}`)).map(([link]) => link)).toEqual([])
})

test('docs/README.md leads to every page', () => {
  const linked = findLinks('docs/README.md', read('docs/README.md')).map(({ path }) => path)
  expect(
    list('docs/{*,users/*,operators/*,developers/*}.md').filter((page) => page !== 'docs/README.md' && !linked.includes(page)),
  ).toEqual([])
})

test('docs/product.md can be read in twenty minutes', () => {
  expect(read('docs/product.md').split('\n').length).toBeLessThanOrEqual(400)
})

test('the limit of the heap is set where the operators’ pages say, with the value they name', () => {
  const [, limit = ''] = /`MAX_HEAP_MB` \((\d+) unless set\)/.exec(read('docs/operators/configuration.md')) ?? []
  expect(read('scripts/homeroom.sh')).toContain(`--max-old-space-size="\${MAX_HEAP_MB:-${limit}}"`)
  expect(read('package.json')).toContain(`--max-old-space-size=${limit} `)
  expect(read('docs/operators/operating.md')).toContain('`MAX_HEAP_MB`')
})

test('every fixed text is in the code, letter for letter', () => {
  const [, section = ''] = /## Fixed texts\n([\s\S]*?)\n## /.exec(read('docs/product.md')) ?? []
  const texts = findCode(section)
  expect(texts.length).toBeGreaterThan(15)
  const code = list('src/**/*.{ts,tsx}')
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map(read)
    .join('\n')
  expect(texts.filter((text) => !code.includes(text))).toEqual([])
})

test('the architecture page names every feature', () => {
  const linked = findLinks('docs/developers/architecture.md', read('docs/developers/architecture.md')).map(({ path }) => path)
  expect(list('src/{features/*,records}/*/').filter((feature) => !linked.includes(feature.replace(/\/$/, '')))).toEqual([])
})

test('the architecture page names every file of src and src/app', () => {
  const linked = findLinks('docs/developers/architecture.md', read('docs/developers/architecture.md')).map(({ path }) => path)
  expect(list('src/{,app/}*.{ts,tsx}').filter((file) => !file.includes('.test.') && !linked.includes(file))).toEqual([])
})

const screens = read(SCREENS)
  .split('\n')
  .filter((line) => /^\| (?!Screen )/.test(line))
  .map((line) => {
    const [screen = '', address = '', page = '', , calls = '', handlers = '', tables = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { screen, address, page, calls, handlers, tables }
  })

test('the screens page has every page of the app, with its addresses', () => {
  const code = list('src/app/*.{ts,tsx}').map(read).join('\n')
  const linked = findLinks(SCREENS, screens.map(({ page }) => page).join('\n')).map(({ path }) => path)
  const pages = [...code.matchAll(/import\('\.\.\/((?:features|records)\/[^']+Page\.tsx)'\)/g)].map(([, path = '']) => `src/${path}`)
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((path) => !linked.includes(path))).toEqual([])
  const addresses = screens.flatMap(({ address }) => findCode(address))
  expect(addresses.filter((address) => !code.includes(`'${address}'`))).toEqual([])
})

test.for(screens)('the calls of $screen are handled in the files that the screens page names', ({ calls, handlers }) => {
  const code = findLinks(SCREENS, handlers)
    .map(({ path }) => read(path))
    .join('\n')
  expect(calls.split(', ').filter((call) => !new RegExp(`\\b${call}\\b`).test(code))).toEqual([])
})

test('the screens page names every call', () => {
  const named = new Set(screens.flatMap(({ calls }) => calls.split(', ')))
  const declared = list('src/{features,records}/**/contract.ts').flatMap((path) =>
    [...read(path).matchAll(/^export const (\w+) = call\(/gm)].map(([, name = '']) => name),
  )
  expect(declared.length).toBeGreaterThan(100)
  expect(declared.filter((name) => !named.has(name))).toEqual([])
})

test('every table that the screens page names exists', () => {
  const schema = list('src/database/migrations/*.sql').map(read).join('\n')
  const isMissing = (table: string): boolean =>
    !new RegExp(`(create (unlogged )?table (if not exists )?|rename to )${table}\\b`).test(schema)
  expect(screens.flatMap(({ tables }) => findCode(tables)).filter(isMissing)).toEqual([])
})

test.for(list('docs/decisions/0*.md'))('%s follows the template and is in the index', (page) => {
  expect(read(page)).toMatch(
    /^# \d{3} .+\nStatus: (accepted|superseded by \d{3})\. Date: \d{4}-\d\d-\d\d\.\n\n## Context\n[^#]+## Decision\n[^#]+## Consequences\n[^#]+$/,
  )
  expect(read('docs/decisions/README.md')).toContain(`(${page.replace('docs/decisions/', '')})`)
})

test('no cell of a table is a page of its own', () => {
  const isLong = (cell: string): boolean => cell.length > 750
  const faults = list('docs/{users,operators,developers}/*.md').flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => line.startsWith('|') && line.split('|').some(isLong))
      .map((line) => `${path}: ${line.slice(0, 80)}`),
  )
  expect(faults).toEqual([])
})

test('the docs and the page name the oldest browsers that the build supports', () => {
  const [, targets = ''] = /target: \[(.*)\]/.exec(read('vite.config.ts')) ?? []
  const versions = Object.fromEntries(
    [...targets.matchAll(/'([a-z]+)([\d.]+)'/g)].map(([, browser = '', version = '']) => [browser, version]),
  )
  expect(versions['edge']).toBe(versions['chrome'])
  const named = `Chrome or Edge ${versions['chrome']}, Firefox ${versions['firefox']}, Safari ${versions['safari']} (iOS ${versions['safari']})`
  expect(read('index.html')).toContain(named)
  expect(read('docs/operators/deploying.md')).toContain(named)
})
