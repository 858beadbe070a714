import { expect, test } from 'vitest'

import { HOSTILE_SHEETS } from '../support/hostile-sheets.ts'
import { createServer } from '../support/server.ts'
import { MAX_MEGABYTES_OVER_IDLE, measureSheets } from '../support/sheet-memory.ts'

// Small files that expand to gigabytes. `npm run prove:uploads` records the figures.

test.runIf(process.platform === 'linux')(
  'no file takes more than 150 MB over idle, alone or three at a time, and the server keeps running',
  async () => {
    await using server = await createServer()
    await server.start()
    await server.openDatabase()
    for (const { what, megabytesAlone, megabytesAtOnce, wrong } of await measureSheets(server, HOSTILE_SHEETS)) {
      expect(wrong, what).toEqual([])
      expect(Math.max(megabytesAlone, megabytesAtOnce), what).toBeLessThanOrEqual(MAX_MEGABYTES_OVER_IDLE)
    }
  },
  1_500_000,
)
