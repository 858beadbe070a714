import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { type RecordedBenchmark, formatFigures, formatSizing } from './figures.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('docs/developers/performance.md shows the figures of the last recorded benchmark', () => {
  const table = formatFigures(JSON.parse(read('figures.json')) as RecordedBenchmark)
  expect(read('../docs/developers/performance.md')).toContain(`<!-- figures of bench -->\n${table}\n<!-- end -->`)
})

test('docs/operators/sizing.md shows them as well', () => {
  const table = formatSizing(JSON.parse(read('figures.json')) as RecordedBenchmark)
  expect(read('../docs/operators/sizing.md')).toContain(`<!-- figures of sizing -->\n${table}\n<!-- end -->`)
})

test('a line has a column for each size with its note, and a value that misses its target is bold', () => {
  const list = { what: 'List', unit: '%', target: 80, must: 'at least' } as const
  const table = formatFigures({
    on: '2026-11-22',
    cores: 2,
    figures: [
      { ...list, value: 97.4, size: 'small', note: 'bare' },
      { ...list, value: 70, size: 'large', note: 'bare' },
      { what: 'Growth', value: 1.25, unit: 'times', target: 2, must: 'at most', size: 'large', note: 'ten times the people' },
    ],
  })
  expect(table.split('\n')).toEqual([
    '| What | small | large | Wanted |',
    '|---|---|---|---|',
    '| List | 97 %<br>bare | **70 %**<br>bare | at least 80 % |',
    '| Growth |  | 1.25 times<br>ten times the people | at most 2 times |',
    '',
    '2026-11-22, 2 cores; **1 of 3 were not met**.',
  ])
})
