import { request } from 'node:http'

import { sql } from 'kysely'

import { type LoadOptions, median } from './load.ts'
import type { Network } from './network.ts'
import type { Statement } from './sql.ts'

const ROUNDS = 15
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

type MakeSaves = (sites: readonly string[]) => NonNullable<LoadOptions['saves']>
const saves =
  (toBody: (connection: number, round: number) => object): MakeSaves =>
  (sites) =>
  (connection, round) => ({
    path: `/locations-api/sites/${sites[connection % sites.length] ?? ''}`,
    body: toBody(connection, round),
  })

/** Saves of a new name; each connection uses its own site. */
export const renames = saves((connection, round) => ({
  displayName: `Bench ${LETTERS[connection % 26]} ${[...String(round)].map((digit) => LETTERS[Number(digit)]).join('')}`,
}))
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

/** Updates one row of that copy; every worker has its own row. */
export const plainUpdate = (column: 'displayName' | 'phone'): Statement => ({
  name: `plain ${column}`,
  text: `update plain_site set "${column}" = clock_timestamp()::text where _id = $1`,
  values: [{ ofWorker: 'site' }],
})

const sendRequest = (
  { port }: Network,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ status: number; bytes: number }> =>
  new Promise((resolve, reject) => {
    const json = body && JSON.stringify(body)
    const bodyHeaders = json === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) }
    const clientRequest = request({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...bodyHeaders } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
      response.on('error', reject)
    })
    clientRequest.on('error', reject)
    clientRequest.end(json)
  })

/** Median milliseconds of the first `/sites_pop` after a save, as a browser requests it. */
export const measureListAfterSave = async (network: Network): Promise<number> => {
  const sites = await network.db.selectFrom('site').select('_id').orderBy('_id').limit(ROUNDS).execute()
  const save = renames(sites.map(({ _id }) => _id))
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { path, body } = save(round, round)
    const saved = await sendRequest(network, 'PATCH', path, network.administrator, body)
    if (saved.status !== 200) throw new Error(`A save answered ${saved.status}`)
    const startedAt = performance.now()
    const read = await sendRequest(network, 'GET', '/locations-api/sites_pop', {
      ...network.headers,
      'accept-encoding': 'gzip, deflate, br',
    })
    if (read.status !== 200) throw new Error(`The list answered ${read.status}`)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
