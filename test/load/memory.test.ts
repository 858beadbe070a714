import { expect, test } from 'vitest'

import { startServer } from '../support/server.ts'
import { listLoads, sendAtOnce, watchHealth } from './memory/measurement.ts'

const MAX_MEGABYTES = 600
const HEAVIEST = [
  'PUT /locations-api/charter_affair/:id',
  'PUT /locations-api/charter_affair/:id, nothing but values',
  'POST /api/pictures',
  'POST /api/exports/list, sites',
  'GET /api/exports/excel/facilities',
  'POST /log-error',
]

test('fifty concurrent requests of the largest size from one account leave the server responsive and within its memory', async () => {
  const server = await startServer()
  const watch = watchHealth(server)
  try {
    const { _id } = await server.db.selectFrom('charter').select('_id').limit(1).executeTakeFirstOrThrow()
    const heaviest = (await listLoads({ charter: _id })).filter(({ name }) => HEAVIEST.includes(name))
    expect(heaviest).toHaveLength(HEAVIEST.length)
    for (const load of heaviest) {
      const { statuses, peakMegabytes, failedHealthChecks } = await sendAtOnce(server, watch, load, 50)
      const broken = statuses.filter((status) => status === 500 || status === 0)
      expect([load.name, failedHealthChecks, broken, peakMegabytes < MAX_MEGABYTES]).toEqual([load.name, 0, [], true])
    }
  } finally {
    await watch.stop()
    await server.stop()
  }
})
