import { expect, test } from 'vitest'

import { measureLargeSheet } from './sheets.proof.ts'

// The largest sheet: 10,000 rows of 40 columns with three changed cells per row. `npm run prove:sheets` measures how long it takes.

test('a sheet of 10,000 rows and 40 columns is previewed, saved and undone whole', async () => {
  expect(await measureLargeSheet(10_000, 3)).toMatchObject({ changed: 10_001, undone: 10_001 })
}, 300_000)

test('a file in which every cell changed is previewed, saved and undone whole', async () => {
  expect(await measureLargeSheet(2600, 40)).toMatchObject({ changed: 2601, undone: 2601 })
}, 300_000)
