import { existsSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

// docs/operators/security.md says where each requirement is met and which test verifies it; all of these must exist.

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)
const page = readFileSync(at('docs/operators/security.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| v5.0.0-'))

test('every file that docs/operators/security.md names is there', () => {
  const named = [...page.matchAll(/`((?:src|test|prove|docs)\/[^`]+)`/g)].map(([, path]) => path ?? '')
  expect(named.length).toBeGreaterThan(100)
  expect([...new Set(named)].filter((path) => !existsSync(at(path)))).toEqual([])
})

test('every test that it names is in its file', () => {
  const named = [...page.matchAll(/`([^`]+\.test\.ts)`: \*([^*]+)\*/g)]
  expect(named.length).toBeGreaterThan(80)
  const isMissing = ([, path = '', title = '']: RegExpExecArray): boolean => {
    const text = readFileSync(at(path), 'utf8')
    return !["'", '"', '`'].some(
      (quote) => text.includes(`${quote}${title}${quote}`) || text.includes(`${quote}${title.replaceAll("'", "\\'")}${quote}`),
    )
  }
  expect(named.filter(isMissing).map(([, path, title]) => `${path}: ${title}`)).toEqual([])
})

test('every requirement is listed once, in order, with an answer', () => {
  const numbers = rows.map((row) => /^\| v5\.0\.0-(\d+)\.(\d+)\.(\d+) \| [^|]+ \| [^|]{5,} \|$/.exec(row)?.slice(1).map(Number))
  expect(rows.filter((_row, place) => numbers[place] === undefined)).toEqual([])
  const order = numbers.map((number = []) => number.reduce((sum, part) => sum * 100 + part, 0))
  expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
})

test('it has the requirements of level 1 and 2 of each of its chapters', () => {
  const counted = Map.groupBy(rows, (row) => Number(/-(\d+)\./.exec(row)?.[1]))
  expect([...counted].map(([chapter, all]) => [chapter, all.length])).toEqual([
    [1, 27],
    [2, 11],
    [3, 19],
    [4, 10],
    [5, 9],
    [6, 35],
    [7, 18],
    [8, 7],
    [9, 7],
    [10, 29],
    [16, 16],
  ])
})
