import { expect, test } from 'vitest'

import { measureLargeSheet } from './sheets/large-sheet.ts'

// The largest sheet: 10,000 rows of 40 columns, of which each row has three changed cells. The figures are in docs/developers/performance.md.

const MAX = { previewSeconds: 5, applySeconds: 20, megabytesOverIdle: 150 }

test('a sheet of 10,000 rows and 40 columns is previewed and saved in time and within its memory', async () => {
  const figures = await measureLargeSheet(10_000, 3)
  expect(figures.changed).toBe(10_001)
  expect(figures.previewSeconds, 'seconds of the preview').toBeLessThan(MAX.previewSeconds)
  expect(figures.applySeconds, 'seconds of saving').toBeLessThan(MAX.applySeconds)
  expect(figures.megabytesOverIdle, 'megabytes over idle').toBeLessThan(MAX.megabytesOverIdle)
  expect(figures.readsDuringPreviewMs, 'p95 of reads during the preview').toBeLessThan(500)
  expect(figures.readsDuringApplyMs, 'p95 of reads while it is saved').toBeLessThan(200)
}, 300_000)
