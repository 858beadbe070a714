import { once } from 'node:events'

import { sql } from 'kysely'

import { listSiteIds, type Network } from '../test/support/large-network.ts'
import { toLetters } from '../test/support/new-records.ts'
import { getMedian } from '../test/support/percentile.ts'
import { openResponse, type RequestOptions } from './http.ts'
import type { LoadOptions } from './load.ts'
import type { Statement } from './sql.ts'

const ROUNDS = 15

type MakeSaves = (sites: readonly string[]) => NonNullable<LoadOptions['saves']>
const saves =
  (toBody: (connection: number, round: number) => object): MakeSaves =>
  (sites) =>
  (connection, round) => ({
    path: `/locations-api/sites/${sites[connection % sites.length] ?? ''}`,
    body: toBody(connection, round),
  })

/** Saves of a new name; each connection uses its own site. */
export const renames = saves((connection, round) => ({ displayName: `Bench ${toLetters(connection)} ${toLetters(round)}` }))
/** Saves of a new phone number. */
export const phoneChanges = saves((connection, round) => ({
  address: { phone: `209-${String(200 + connection)}-${String(round % 10_000).padStart(4, '0')}` },
}))

/** Creates a copy of the table of sites without triggers, references and history: the minimal cost of a save. */
export const createPlainCopy = async (network: Network): Promise<void> => {
  await sql`drop table if exists plain_site`.execute(network.db)
  await sql`create table plain_site (like site including indexes)`.execute(network.db)
  await sql`insert into plain_site select * from site`.execute(network.db)
}

export type PlainColumn = 'displayName' | 'phone'
/** Updates one row of that copy; every worker has its own row. */
export const plainUpdate = (column: PlainColumn): Statement => ({
  name: `plain ${column}`,
  text: `update plain_site set "${column}" = clock_timestamp()::text where _id = $1`,
  values: [{ ofWorker: 'site' }],
})

/** Sends a request, and returns the milliseconds until its last byte. */
export const timeRequest = async (network: Network, path: string, options: RequestOptions): Promise<number> => {
  const startedAt = performance.now()
  const response = await openResponse(network, path, options)
  await once(response.resume(), 'end')
  return performance.now() - startedAt
}

/** Median milliseconds of the first `/sites_pop` after a save, as a browser requests it. */
export const measureListAfterSave = async (network: Network): Promise<number> => {
  const save = renames(await listSiteIds(network, ROUNDS))
  const headers = { ...network.headers, 'accept-encoding': 'gzip, deflate, br' }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { path, body } = save(round, round)
    await timeRequest(network, path, { method: 'PATCH', headers: network.administrator, body })
    times.push(await timeRequest(network, '/locations-api/sites_pop', { headers }))
  }
  return getMedian(times)
}
