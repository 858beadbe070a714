import { glob, readFile } from 'node:fs/promises'

import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const ROOT = new URL('..', import.meta.url)

/** Texts that contain a refused word legitimately: required texts, names of the system, search words. */
const ALLOWED = [
  // PostgreSQL's name for the system user.
  /no user "nobody"/,
  // Search words that find a page and are never shown.
  /^vain misses found nothing$/,
  /^start favorites favourites recently viewed$/,
  // A column header that a file may have.
  /^E-mail$/,
  // The state of a page, not a text.
  /^somebody else$/,
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

/** The words of the last section of docs/developers/terms.md, as whole words in any case. */
const refusedWords = async (): Promise<RegExp> => {
  const terms = await readFile(new URL('docs/developers/terms.md', ROOT), 'utf8')
  const words = [...(terms.split('## Not on screen')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  expect(words.length).toBeGreaterThan(20)
  return new RegExp(`\\b(${words.join('|')})\\b`, 'i')
}

const faultsIn = (path: string, source: string, refused: RegExp): string[] =>
  textsIn(path, source)
    .filter((text) => refused.test(text) && !ALLOWED.some((allowed) => allowed.test(text)))
    .map((text) => `${path}: ${text}`)

test('no text that people read has a word that docs/developers/terms.md refuses', { timeout: 60_000 }, async () => {
  const refused = await refusedWords()
  const faults: string[] = []
  for await (const path of glob('{src,scripts}/**/*.{ts,tsx,mjs}', { cwd: ROOT }))
    if (!/\.test\.tsx?$/.test(path)) faults.push(...faultsIn(path, await readFile(new URL(path, ROOT), 'utf8'), refused))
  expect(faults).toEqual([])
})

test.for([
  ['text in a tag', '<p>Ask somebody else</p>'],
  ['text next to an expression', '<p>{name} and whoever reads it</p>'],
  ['an attribute', '<Input label="Work e-mail" />'],
  ['a string', "const title = 'Everybody found'"],
  ['a template', 'const title = `${name} is put aside`'],
])('a refused word is found in %s', async ([, source = '']) => {
  expect(faultsIn('a.tsx', source, await refusedWords())).toHaveLength(1)
})

test.for([
  ['a comment', '// Whoever reads this\nconst a = 1'],
  ['a name', 'const somebody = nobody'],
  ['SQL', 'const a = sql`select 1 -- whoever asks`'],
  ['a type', "type Way = 'put back'"],
])('%s is ignored', async ([, source = '']) => {
  expect(faultsIn('a.ts', source, await refusedWords())).toEqual([])
})
