import { parseArgs } from 'node:util'

import { runProof } from '../support/proof.ts'
import { startServer } from '../support/server.ts'
import { listLoads, sendAtOnce, watchHealth } from './memory/measurement.ts'

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '300' },
    'at-once': { type: 'string', default: '50' },
    only: { type: 'string' },
    write: { type: 'boolean' },
  },
})
const MAX_MEGABYTES = 600
const MAX_HEALTH_MS = 100

await runProof('memory', async ({ log, report, expectEqual, expectAtMost }) => {
  const atOnce = Number(values['at-once'])
  const server = await startServer({ SAMPLE: values.sites })
  const watch = watchHealth(server)
  try {
    const { db } = server
    const idOf = async (table: 'site' | 'charter' | 'brand' | 'person' | 'region'): Promise<string> =>
      (await db.selectFrom(table).select('_id').limit(1).executeTakeFirstOrThrow())._id
    const [site, charter, brand, person, region] = await Promise.all((['site', 'charter', 'brand', 'person', 'region'] as const).map(idOf))
    const record = { charter, brand, people: person, person, region, site } as Record<string, string>
    const all = (await listLoads(record)).filter(({ name }) => values.only === undefined || name.includes(values.only))
    let [most, slowest, failedChecks, failed, held] = [0, 0, 0, 0, 0]
    for (const load of all) {
      const outcome = await sendAtOnce(server, watch, load, atOnce)
      const kinds = Object.entries(Object.groupBy(outcome.statuses, String)).map(([status, found]) => `${found?.length} x ${status}`)
      log(
        `      ${outcome.name}: ${kinds.join(', ')}; ${Math.round(outcome.peakMegabytes)} MB; /healthz ${Math.round(outcome.slowestHealthMs)} ms`,
      )
      most = Math.max(most, outcome.peakMegabytes)
      slowest = Math.max(slowest, outcome.slowestHealthMs)
      failedChecks += outcome.failedHealthChecks
      failed += outcome.statuses.filter((status) => status === 0 || status === 500).length
      held += outcome.statuses.filter((status) => status === 429).length
    }
    report('Sites of the network', Number(values.sites))
    report('Requests, each sent many times at once by one account or without one', all.length)
    report('Of each at once', atOnce)
    report('Answers of 429, asked to come back', held)
    expectEqual('Answers of 500, or broken off', failed, 0)
    expectEqual('Failed health checks during the requests', failedChecks, 0)
    expectAtMost('Most memory (RSS) of the server', Math.round(most), MAX_MEGABYTES, 'MB')
    expectAtMost('Slowest answer of /healthz during the requests', Math.round(slowest), MAX_HEALTH_MS, 'ms')
  } finally {
    await watch.stop()
    await server.stop()
  }
})
