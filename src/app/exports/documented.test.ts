import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { EXPORT_KINDS, EXPORTS } from './contract.ts'
import { type WorkbookColumn, WORKBOOKS } from './workbooks.ts'

const HOLDS: Readonly<Record<WorkbookColumn['holds'], string>> = { text: 'text', day: 'date', 'yes or no': 'Yes or No', status: 'text' }

/** What docs/users/exports.md must say about every workbook: its sheets, and each column with its content and source. */
const described = EXPORT_KINDS.map((kind) => {
  const sheets = WORKBOOKS[kind].map(({ name, columns }) =>
    [
      `### Sheet ${name}`,
      '',
      '| Column | Holds | From |',
      '|---|---|---|',
      ...columns.map(({ header, holds, from }) => `| ${header} | ${HOLDS[holds]} | \`${from}\` |`),
    ].join('\n'),
  )
  return [`## ${EXPORTS[kind].name}`, ...sheets].join('\n\n')
})

test('docs/users/exports.md lists every column of every workbook in order', async () => {
  const words = await readFile(new URL('../../../docs/users/exports.md', import.meta.url), 'utf8')
  const from = words.indexOf('\n## Charter Affairs\n')
  expect(words.slice(from + 1).trimEnd()).toBe(described.join('\n\n'))
})
