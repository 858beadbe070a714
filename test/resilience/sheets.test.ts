import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { fetchJson, toRequest } from '../support/api-client.ts'
import { createFileForm } from '../support/http-requests.ts'
import { createServer } from '../support/server.ts'

// Kills the server with -9 while it saves a sheet, at times spread over the whole save: everything is stored afterward, or nothing.

const KILLS = 20
const SITES = 300

test.runIf(process.platform === 'linux')(
  'a sheet is saved whole or not at all when the server is killed 20 times while it saves one',
  async () => {
    await using server = await createServer({ SAMPLE: String(SITES), SESSION_IDLE_MINUTES: '600' })
    await server.start()
    const { headers } = await server.signInAt(6)
    const sites = await server.withDatabase(async (db) => (await db.selectFrom('site').select('_id').execute()).map(({ _id }) => _id))
    const preview = async (city: string): Promise<string> => {
      const file = new File([`_id,City\n${sites.map((_id) => `${_id},${city}`).join('\n')}\n`], 'sites.csv')
      const request = toRequest('POST', headers, createFileForm(file))
      return (await fetchJson<{ _id: string }>(`${server.url}/api/sheets/sites/preview`, request))._id
    }
    const apply = (id: string) =>
      fetch(`${server.url}/api/sheets/preview/${id}/apply`, toRequest('POST', headers, { warningsAccepted: true }))
    const first = await preview('Start')
    const from = performance.now()
    expect((await apply(first)).status).toBe(200)
    const saving = performance.now() - from
    let city = 'Start'
    const outcomes = { all: 0, nothing: 0 }
    for (let kill = 1; kill <= KILLS; kill++) {
      const wanted = `City ${kill}`
      const answer = apply(await preview(wanted)).then(
        ({ ok }) => ok,
        () => false,
      )
      await pause((saving * kill) / KILLS)
      await server.kill()
      const isAcknowledged = await answer
      await server.start()
      const { cities, changes } = await server.withDatabase(async (db) => ({
        cities: (await db.selectFrom('site').select('city').distinct().execute()).map((row) => row.city),
        changes: (await sql<{ count: number }>`select count(*)::int as count from change where after ->> 'city' = ${wanted}`.execute(db))
          .rows[0]?.count,
      }))
      const isSaved = cities[0] === wanted
      expect([kill, cities, changes]).toEqual([kill, [isSaved ? wanted : city], isSaved ? sites.length : 0])
      // What was acknowledged is there.
      expect([kill, isSaved || !isAcknowledged]).toEqual([kill, true])
      outcomes[isSaved ? 'all' : 'nothing']++
      if (isSaved) city = wanted
    }
    expect(outcomes.nothing, 'kills before the end').toBeGreaterThan(0)
  },
  900_000,
)
