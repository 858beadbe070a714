// The largest sheets: 10,000 rows of 40 columns, with three changed cells per row or with all, previewed, saved and undone while others read.
import { runProof } from '../support/proof.ts'
import { measureLargeSheet } from './sheets/large-sheet.ts'

const ROWS = 10_000
const COLUMNS = 40
const CHANGED_CELLS = 3

await runProof('sheets', async ({ report, expectEqual, expectAtMost }) => {
  const figures = await measureLargeSheet(ROWS, CHANGED_CELLS)
  report('Rows, columns, changed cells of each row', `10,000, 40, ${CHANGED_CELLS}`)
  // The row of the charter that the others were copied from is changed as well.
  expectEqual('Rows that were changed', figures.changed, ROWS + 1)
  expectEqual('Rows restored by the undo', figures.undone, ROWS + 1)
  expectAtMost('Preview', figures.previewSeconds, 5, 's')
  expectAtMost('Saving', figures.applySeconds, 20, 's')
  report('Undo', `${figures.undoSeconds.toFixed(2)} s`)
  expectAtMost('Memory above idle', Math.round(figures.megabytesOverIdle), 150, 'MB')
  report('Reads of others, 95th percentile, before', `within ${figures.readsIdleMs.toFixed(1)} ms`)
  report('The same during the preview', `within ${figures.readsDuringPreviewMs.toFixed(1)} ms`)
  report('The same during the saving', `within ${figures.readsDuringApplyMs.toFixed(1)} ms`)
  const all = await measureLargeSheet(ROWS, COLUMNS)
  expectEqual('Rows that were changed, of a file in which every cell changed', all.changed, ROWS + 1)
  report('Its preview, with 400,000 cells', `${all.previewSeconds.toFixed(2)} s`)
  report('Its saving', `${all.applySeconds.toFixed(2)} s`)
  report('Its memory above idle', `${Math.round(all.megabytesOverIdle)} MB`)
})
