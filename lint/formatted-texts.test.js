import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const READ_BACK = [
  `export const a = (n) => n.toLocaleString('en-US').split(',')`,
  `export const b = (n) => Number(n.toLocaleString('en-US'))`,
  `export const c = (d) => new Date(d.toLocaleString('en-US'))`,
  `export const d = (d) => Date.parse(\`\${d.toLocaleString()}Z\`)`,
  `export const e = (n) => n.toLocaleString('en-US')[0]`,
  `export const f = (n, text) => n.toLocaleString('en-US') === text`,
  `export const g = (n) => { const text = n.toLocaleString('en-US'); return text.slice(1) }`,
  `export const h = (n) => { const [first] = n.toLocaleString('en-US'); return first }`,
  `const lists = new Intl.ListFormat('en'); export const i = (names) => lists.format(names).replace(' and ', ' or ')`,
  `export const j = (n) => +new Intl.NumberFormat('en').format(n)`,
  `const toMonth = createDayFormat({ month: 'short' }); export const k = (day) => toMonth(day) === 'Nov'`,
  `export const l = (n) => /1,/.test(n.toLocaleString('en-US'))`,
]
const DATES = [
  `export const m = (d) => new Intl.DateTimeFormat('en-CA').format(d)`,
  `export const n = (d) => Intl.DateTimeFormat('en-CA').formatToParts(d)`,
  `const Format = Intl.DateTimeFormat; export const o = new Format()`,
  `export const p = (d) => d.toLocaleDateString('sv-SE')`,
  `export const q = (d) => d.toLocaleTimeString()`,
  `export const r = (d) => d.toLocaleString('en-US', { timeZone: 'UTC' })`,
]
const ALLOWED = [
  `export const s = (n) => \`\${n.toLocaleString('en-US')} sites\``,
  `export const t = (n) => n.toLocaleString('en-US', { maximumFractionDigits: 1 }).padStart(7)`,
  `export const u = (zone) => Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''`,
  `export const v = (n) => { const text = n.toLocaleString('en-US'); return text + ' rows' }`,
  `const toDay = createDayFormat({ weekday: 'long' }); export const w = (day) => toDay(day)`,
]

test('a text that Intl formatted is not read back, and dates are formatted in one file', () => {
  const folder = mkdtempSync(join(ROOT, 'src', 'contract', '.formatted-test-'))
  try {
    writeFileSync(join(folder, 'lines.js'), [...READ_BACK, ...DATES, ...ALLOWED, ''].join('\n'))
    const { stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'oxlint'), ['-f', 'unix', folder], { cwd: ROOT, encoding: 'utf8' })
    const linesOf = (/** @type {string} */ rule) => [
      ...new Set(
        [...stdout.matchAll(/lines\.js:(\d+):\d+: .*\[(.*)\]/g)]
          .filter(([, , found]) => found?.includes(rule))
          .map(([, line]) => Number(line)),
      ),
    ]
    expect(linesOf('reading')).toEqual(READ_BACK.map((_, at) => at + 1))
    expect(linesOf('dates')).toEqual(DATES.map((_, at) => READ_BACK.length + at + 1))
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
