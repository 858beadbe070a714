import { glob, readFile } from 'node:fs/promises'

import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url)

/** Texts that contain a refused word legitimately: required texts, names of the system, search words. */
const ALLOWED = [
  // PostgreSQL's name for the system user.
  /no user "nobody"/,
  // Search words that find a page and are never shown.
  /^vain misses found nothing$/,
  /^start favorites favourites recently viewed$/,
  // A column header that a file may have.
  /^(E-mail|SQL Person ID|HRIS Email( Address)?)$/,
  // The state of a page, not a text.
  /^somebody else$/,
  // A file in a table of tests.
  /^name,colour\n/,
]

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Types, imports and SQL are never shown to users. */
const isUnread = (node: Node, source: string): boolean =>
  /^(TS(?!As|NonNull|Satisfies|Enum)|Import|ExportAll)/.test(node.type) ||
  (node.type === 'TaggedTemplateExpression' && source.slice(node.start).startsWith('sql'))

/** Every text in a source file that a user could see: JSX text, strings and templates that contain a sentence or a capitalized word. */
const textsIn = (path: string, source: string): string[] => {
  const texts: string[] = []
  const take = (text: string) => {
    const line = text.replace(/\s+/g, ' ').trim()
    if (/[a-z]/i.test(line) && (line.includes(' ') || /^[A-Z]/.test(line))) texts.push(line)
  }
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (!isNode(value) || isUnread(value, source)) return
    if (value.type === 'Literal' || value.type === 'JSXText') {
      const { value: text } = value as Node & { value: unknown }
      if (typeof text === 'string') take(text)
    }
    if (value.type === 'TemplateElement') take(source.slice(value.start, value.end))
    for (const [key, child] of Object.entries(value)) if (key !== 'key' || value.type !== 'Property') walk(child)
  }
  walk(parseSync(path, source).program)
  return texts
}

/** The titles of describe, test and test.step in a test file, and the names in the rows of their tables. */
const titlesIn = (path: string, source: string): string[] => {
  const titles: string[] = []
  const take = (value: unknown) => {
    if (!isNode(value)) return
    if (value.type === 'TemplateLiteral') titles.push(source.slice(value.start + 1, value.end - 1))
    if (value.type === 'Literal' && 'value' in value && typeof value.value === 'string') titles.push(value.value)
  }
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (!isNode(value)) return
    if (value.type === 'CallExpression') {
      const { callee, arguments: given } = value as Node & { callee: Node; arguments: readonly unknown[] }
      const name = source.slice(callee.start, callee.end)
      const [first] = given
      if (/^(describe|test|setup)\b/.test(name)) take(first)
      if (/^(describe|test)\.(each|for)$/.test(name) && isNode(first) && 'elements' in first)
        for (const row of first.elements as readonly unknown[])
          take(isNode(row) && 'elements' in row ? (row.elements as unknown[])[0] : row)
    }
    Object.values(value).forEach(walk)
  }
  walk(parseSync(path, source).program)
  return titles
}

/** The words in a section of docs/developers/terms.md. */
const readWords = async (section: string): Promise<string[]> => {
  const terms = await readFile(new URL('docs/developers/terms.md', ROOT), 'utf8')
  const text = terms.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const words = [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  expect(words.length).toBeGreaterThan(5)
  return words
}
/** Every word with its endings; `…` is up to three words in between: `bring … back` finds "brings it back". */
const toSource = (term: string): string =>
  term
    .split(' … ')
    .map((part) =>
      part
        .split(' ')
        .map((word) => (/^[a-z]{4,}$/.test(word) ? `${word}(?:s|es|d|ed|ing)?` : word))
        .join('\\s+'),
    )
    .join('\\s+(?:\\S+\\s+){0,3}?')
/** Whole words in any case. */
const toPattern = (terms: readonly string[]): RegExp => new RegExp(`\\b(${terms.map(toSource).join('|')})\\b`, 'i')
const refusedWords = async (): Promise<RegExp> => toPattern([...(await readWords('Not on screen')), ...(await readWords('Nowhere'))])
const refusedInTitles = async (): Promise<RegExp> =>
  toPattern([...(await readWords('Not on screen')), ...(await readWords('Not in titles of tests'))])
/** Plain in spite of a refused phrase: "there is no site", "is no longer open". */
const REMOVE_ALLOWED = /\bthere (?:is|are|was|were) no\b|\b(?:is|are|was|were) no (?:longer|one|more|larger)\b/gi

const faultsOf = (path: string, texts: readonly string[], refused: RegExp): string[] =>
  texts
    .filter((text) => refused.test(text.replaceAll(REMOVE_ALLOWED, '')) && !ALLOWED.some((allowed) => allowed.test(text)))
    .map((text) => `${path}: ${text}`)
const faultsIn = (path: string, source: string, refused: RegExp): string[] => faultsOf(path, textsIn(path, source), refused)

test('no text that people read has a word that docs/developers/terms.md refuses', { timeout: 60_000 }, async () => {
  const refused = await refusedWords()
  const faults: string[] = []
  for await (const path of glob('{src,scripts}/**/*.{ts,tsx,mjs}', { cwd: ROOT }))
    if (!/\.test\.tsx?$/.test(path)) faults.push(...faultsIn(path, await readFile(new URL(path, ROOT), 'utf8'), refused))
  expect(faults).toEqual([])
})

/** Spellings that depend on case, or on a space. */
const MISSPELLED = /[\p{L}\p{N}] …$|^Zip$|\b[Zz]ip code\b/u

test('on pages an ellipsis follows its word without a space, and a ZIP code is spelled so', { timeout: 60_000 }, async () => {
  const faults: string[] = []
  for await (const path of glob('src/**/{*.tsx,fields.ts,list.ts}', { cwd: ROOT }))
    faults.push(...faultsIn(path, await readFile(new URL(path, ROOT), 'utf8'), MISSPELLED))
  expect(faults).toEqual([])
})

test('no comment, page or configuration has a phrase that docs/developers/terms.md refuses everywhere', { timeout: 60_000 }, async () => {
  const refused = toPattern(await readWords('Nowhere'))
  const faults: string[] = []
  let count = 0
  for await (const path of glob(['*.md', 'docs/**/*.md', 'deploy/*', '{src,scripts,sample,lint,bench}/**/*.{ts,tsx,js,mjs,sh,css}'], {
    cwd: ROOT,
  })) {
    if (path.includes('.test.') || path === 'docs/developers/terms.md') continue
    count++
    faults.push(...faultsOf(path, (await readFile(new URL(path, ROOT), 'utf8')).split('\n'), refused))
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(1000)
})

test('no title of a test has a word that docs/developers/terms.md refuses', { timeout: 60_000 }, async () => {
  const refused = await refusedInTitles()
  const faults: string[] = []
  let count = 0
  for await (const path of glob('{src,test,sample,lint,bench,scripts}/**/*.{test,setup}.{ts,tsx,js}', { cwd: ROOT })) {
    const titles = titlesIn(path, await readFile(new URL(path, ROOT), 'utf8'))
    count += titles.length
    faults.push(...faultsOf(path, titles, refused))
  }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(2500)
})

test.for([
  ['describe', "describe('whoever asks', () => {})"],
  ['test', "test('a wish is granted', () => {})"],
  ['test with options', "test('a wish is granted', { tag: '@all' }, () => {})"],
  ['a table', "test.each(names)('%s is stored anew', () => {})"],
  ['a row of a table', "test.each([['a wish', 1]])('%s is stored', () => {})"],
  ['a step', "await test.step('it is stored anew', () => {})"],
])('a refused word is found in the title of %s', async ([, source = '']) => {
  expect(faultsOf('a.test.ts', titlesIn('a.test.ts', source), await refusedInTitles())).toHaveLength(1)
})

test.for([
  ['text in a tag', '<p>Ask somebody else</p>'],
  ['text next to an expression', '<p>{name} and whoever reads it</p>'],
  ['an attribute', '<Input label="Work e-mail" />'],
  ['a string', "const title = 'Everybody found'"],
  ['a template', 'const title = `${name} is put aside`'],
  ['words apart from each other', '<p>Bring the old folder back</p>'],
  ['a word with an ending', "const title = 'The table is mended'"],
  ['a construction', "const reason = 'The value is no date'"],
])('a refused word is found in %s', async ([, source = '']) => {
  expect(faultsIn('a.tsx', source, await refusedWords())).toHaveLength(1)
})

test.for([
  ['a comment', '// Whoever reads this\nconst a = 1'],
  ['a name', 'const somebody = nobody'],
  ['SQL', 'const a = sql`select 1 -- whoever asks`'],
  ['a type', "type Way = 'put back'"],
  ['a construction that reads well', "const a = 'There is no site, and it is no longer open'"],
])('%s is ignored', async ([, source = '']) => {
  expect(faultsIn('a.ts', source, await refusedWords())).toEqual([])
})
