// The baseline of saves over HTTP: a plain node:http server that reads the JSON of a save, updates one row of the copy without triggers, and sends it.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

import pg from 'pg'

import type { PlainColumn } from './saves.ts'

export interface SaveServerTask {
  readonly connection: pg.PoolConfig
  readonly connections: number
  readonly column: PlainColumn
}

const { connection, connections, column } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as SaveServerTask
const pool = new pg.Pool({ ...connection, max: connections })
const text = `update plain_site set "${column}" = $2 where _id = $1 returning *`
const server = createServer((request, response) => {
  const save = async (): Promise<void> => {
    const body = await json(request)
    const { displayName, address } = body as { readonly displayName?: string; readonly address?: { readonly phone: string } }
    const values = [(request.url ?? '').split('/').at(-1), displayName ?? address?.phone]
    const { rows } = await pool.query<Record<string, unknown>>({ name: 'save', text, values })
    const answer = Buffer.from(JSON.stringify(rows[0]))
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length }).end(answer)
  }
  void save()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`Port: ${typeof address === 'object' ? address?.port : ''}\n`)
})
