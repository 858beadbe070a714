import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { PersonalTexts } from '../src/features/access/erase/personal-texts.ts'
import { EXPRESSIONS } from '../src/features/deadlines/deadlines/date-tokens.ts'
import { expressionsIn, measureSlowness } from './slow-regular-expressions.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/**
 * Hashes of the expressions that this version of the checker has accepted, in the repository: checking all of them takes half a minute. The test adds
 * new ones; `npm run test:all` checks every expression again.
 */
const ACCEPTED_FILE = `${ROOT}lint/accepted-regular-expressions.json`
const CHECKER = ['lint/slow-regular-expressions.js', 'node_modules/recheck/package.json']
  .map((path) => readFileSync(`${ROOT}${path}`, 'utf8'))
  .join('')

/** @type {import('../src/features/access/erase/personal-texts.ts').FoundText[]} */
const PERSONAL_TEXTS = [
  { kind: 'name', text: 'Adá Quillfeather-O’Neil' },
  { kind: 'email', text: 'ada.q@network.test' },
  { kind: 'phone', text: '209-555-0134' },
  { kind: 'slug', text: 'ada-quillfeather' },
  { kind: 'number', text: 'E104233' },
]
/** Expressions made of tables or of what is stored, by file: they are checked as they are made. */
const MADE = new Map([
  ['src/features/deadlines/deadlines/date-tokens.ts', EXPRESSIONS],
  ['src/features/access/erase/personal-texts.ts', new PersonalTexts(PERSONAL_TEXTS, { name: '', slug: '' }).expressions],
])

test('every regular expression in the program runs in linear time', async () => {
  /** @type {Map<string, { pattern: string, flags: string, places: string[] }>} */
  const expressions = new Map()
  /** @type {string[]} */
  const faults = []
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file))) {
    const { found, unreadable } = expressionsIn(path, readFileSync(`${ROOT}${path}`, 'utf8'))
    const made = MADE.get(path)?.map(({ source: pattern, flags }) => ({ pattern, flags, line: unreadable[0] ?? 0 })) ?? []
    if (made.length === 0)
      faults.push(...unreadable.map((line) => `${path}:${line} is made of what is not known here; write it as a literal`))
    for (const { pattern, flags, line } of [...found, ...made]) {
      const key = `/${pattern}/${flags}`
      const known = expressions.get(key) ?? { pattern, flags, places: [] }
      expressions.set(key, known)
      known.places.push(`${path}:${line}`)
    }
  }
  expect(expressions.size).toBeGreaterThan(200)
  const acceptedBefore = readFileSync(ACCEPTED_FILE, 'utf8')
  /** @type {Set<string>} */
  const known = new Set(process.env['TEST_ALL'] === '1' ? [] : JSON.parse(acceptedBefore))
  /** @type {string[]} */
  const accepted = []
  const waiting = expressions.entries()
  const work = async () => {
    for (const [key, expression] of waiting) {
      const digest = createHash('sha256').update(CHECKER).update(key).digest('hex').slice(0, 32)
      const slowness = known.has(digest) ? undefined : await measureSlowness(expression)
      if (slowness === undefined) accepted.push(digest)
      else faults.push(`${expression.places.join(', ')} /${expression.pattern}/${expression.flags} ${slowness}`)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  const acceptedNow = `${JSON.stringify(accepted.toSorted(), null, 2)}\n`
  if (acceptedNow !== acceptedBefore) writeFileSync(ACCEPTED_FILE, acceptedNow)
  expect(faults).toEqual([])
}, 600_000)

test.each([
  ['a literal', String.raw`export const f = (s: string) => s.replace(/-+$/, '')`],
  ['a literal in JSX', String.raw`export const F = () => <b title={'x'.replace(/\s*x\s*/g, '')} />`],
  [
    'an expression built from declared strings',
    String.raw`const VALUE = String.raw${'`'}\\+["'][\s\S]*?(?:\\+["']|$)${'`'}; export const r = new RegExp(${'`'}(token=)${'${VALUE}`'}, 'gi')`,
  ],
  ['an expression built from joined strings', `const A = 'a+'; export const r = RegExp('^(' + A + ')+$')`],
])(
  'a quadratic expression is found: %s',
  async (_what, source) => {
    const { found, unreadable } = expressionsIn('x.tsx', source)
    expect(unreadable).toEqual([])
    expect(found).toHaveLength(1)
    expect(await measureSlowness(found[0] ?? { pattern: '', flags: '' })).toMatch(/takes .*polynomial|takes exponential/)
  },
  60_000,
)

test('an expression built from unknown parts is reported', () => {
  const source = `import { a } from './a.ts'\n\nexport const f = (b: string) => [new RegExp(a), new RegExp(\`^\${b}$\`)]`
  expect(expressionsIn('x.ts', source)).toEqual({ found: [], unreadable: [3, 3] })
})
