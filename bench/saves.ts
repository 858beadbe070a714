import { request } from 'node:http'

import pg from 'pg'

import { selectSiteList } from '../src/features/records/sites/queries.server.ts'
import { type LoadOptions, median } from './load.ts'
import type { Network } from './network.ts'

const ROUNDS = 15

/** What sixteen connections save, each a site of its own: a new name every time. */
export const createSaves = (sites: readonly string[]): NonNullable<LoadOptions['saves']> => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const name = (turn: number): string => [...String(turn)].map((digit) => letters[Number(digit)]).join('')
  return (connection, turn) => ({
    path: `/locations-api/sites/${sites[connection % sites.length] ?? ''}`,
    body: { displayName: `Bench ${letters[connection % 26]} ${name(turn)}` },
  })
}

/** The same of plain SQL: the row is written, and the database's own trigger keeps the history. */
export const rawUpdate = { text: `update site set "displayName" = 'Raw {worker} ' || clock_timestamp() where _id = (select _id from site order by _id limit 1 offset {worker})`, values: [] } // prettier-ignore

const sendRequest = (
  { port }: Network,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ status: number; bytes: number }> =>
  new Promise((resolve, reject) => {
    const json = body && JSON.stringify(body)
    const typed = json === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(json)) }
    const sent = request({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...typed } }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => (bytes += piece.length))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(json)
  })

export interface ListAfterSave {
  /** Median milliseconds of the database's own time for the JSON of the whole list, of our first answer after a save, and their ratio. */
  readonly database: number
  readonly ours: number
  readonly times: number
}

/** The first `/sites_pop` after a save, as a browser asks for it, beside the database's own time for the JSON of that list; turn and turn about. */
export const measureListAfterSave = async (network: Network): Promise<ListAfterSave> => {
  const pool = new pg.Pool({ ...network.connection, max: 1 })
  const { sql: text, parameters } = selectSiteList(network.db).compile()
  const list = { text: `select to_json(row)::text as json from (${text}) as row`, values: [...parameters] }
  const sites = await network.db.selectFrom('site').select('_id').orderBy('_id').limit(ROUNDS).execute()
  const saves = createSaves(sites.map(({ _id }) => _id))
  const database: number[] = []
  const ours: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    let began = performance.now()
    await pool.query(list)
    database.push(performance.now() - began)
    const { path, body } = saves(round, round)
    const saved = await sendRequest(network, 'PATCH', path, network.administrator, body)
    if (saved.status !== 200) throw new Error(`A save answered ${saved.status}`)
    began = performance.now()
    const read = await sendRequest(network, 'GET', '/locations-api/sites_pop', {
      ...network.headers,
      'accept-encoding': 'gzip, deflate, br',
    })
    if (read.status !== 200) throw new Error(`The list answered ${read.status}`)
    ours.push(performance.now() - began)
  }
  await pool.end()
  return { database: median(database), ours: median(ours), times: Math.round((median(ours) / median(database)) * 100) / 100 }
}
