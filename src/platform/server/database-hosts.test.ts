import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'

import { openDatabase } from '../../database/connection.server.ts'
import { type Host, formatHost } from './database-address.ts'
import { ReadOnlyError, DatabaseHosts } from './database-hosts.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { toProblem } from './errors.ts'

// Hosts that are proxies to the tests' PostgreSQL, or closed ports; test/resilience/failover.test.ts uses two real ones.

const { server: address } = inject('testDatabase')
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A proxy to the database that can go silent like a machine without power: connections stay open, and nothing arrives. */
const startFreezableProxy = async (): Promise<Host & { fallSilent: () => void; opened: () => number }> => {
  const { host, port } = new pg.Client(address)
  const sockets: Socket[] = []
  let isSilent = false
  let opened = 0
  const way = createServer((socket) => {
    opened++
    sockets.push(socket)
    socket.on('error', () => {})
    if (isSilent) return
    const there = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    sockets.push(there)
    there.on('error', () => {})
    socket.pipe(there).pipe(socket)
  })
  const listener = await listening(way)
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    way.close()
  })
  const fallSilent = () => {
    isSilent = true
    for (const socket of sockets) socket.unpipe().pause()
  }
  return { ...listener, fallSilent, opened: () => opened }
}

const listening = async (way: Server): Promise<Host> => {
  await once(way.listen(0, '127.0.0.1'), 'listening')
  const at = way.address()
  if (typeof at !== 'object' || at === null) throw new Error('No address')
  return { host: '127.0.0.1', port: at.port }
}

let unreachable: Host
beforeEach(async () => {
  const probe = createServer()
  unreachable = await listening(probe)
  probe.close()
})

const open = (hosts: readonly Host[]) => {
  // The host in the URL itself is ignored if `hosts` is given.
  const { user, password, database } = new pg.Client(address)
  const base: pg.ClientConfig = { host: '127.0.0.1', user, password, database, ssl: false }
  const several = new DatabaseHosts(hosts, base)
  const { pool } = openDatabase({ ...base, Client: several.Client }, 4)
  ends.push(() => pool.end())
  return { several, pool }
}
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('connections go to the host that accepts them; it is looked up again only after it is lost', async () => {
  const [one, other] = [await startFreezableProxy(), await startFreezableProxy()]
  const { several, pool } = open([unreachable, one])
  await Promise.all(Array.from({ length: 4 }, () => pool.query('select pg_sleep(0.05)')))
  expect(formatHost(await several.find())).toBe(formatHost(one))
  expect(one.opened()).toBe(1 + 4)
  expect(other.opened()).toBe(0)
})

test('if no host is reachable, one error lists the result for each and becomes a 503', async () => {
  const { pool } = open([unreachable, { ...unreachable, host: 'localhost' }])
  const error = await refusal(pool.query('select 1'))
  expect(error).toBeInstanceOf(ReadOnlyError)
  expect(String(error)).toMatch(/127\.0\.0\.1:\d+: nothing is listening there; localhost:\d+: nothing is listening there/)
  expect(toProblem(error)).toMatchObject({ status: 503, retryAfter: expect.any(Number) })
})

test('a host that does not respond is given up after a timeout, and the other one is used', async () => {
  const [silent, one] = [await startFreezableProxy(), await startFreezableProxy()]
  silent.fallSilent()
  const { several, pool } = open([silent, one])
  const began = performance.now()
  expect((await pool.query('select 1 as is')).rows).toEqual([{ is: 1 }])
  expect(performance.now() - began).toBeGreaterThan(2000)
  expect(formatHost(await several.find())).toBe(formatHost(one))
})

test('queries on a host that stops responding fail as unavailable, and the next query goes to another host', async () => {
  const [one, other] = [await startFreezableProxy(), await startFreezableProxy()]
  const { several, pool } = open([one, other])
  const lost = formatHost(await several.find()) === formatHost(one) ? one : other
  const listener = new several.Client(address)
  listener.on('error', () => {})
  await listener.connect()
  await several.check(listener)
  const underWay = refusal(pool.query('select pg_sleep(60)'))
  const inTransaction = await pool.connect()
  await inTransaction.query('begin')
  lost.fallSilent()
  await several.check(listener)
  expect(isDatabaseUnavailable(await underWay)).toBe(true)
  expect(isDatabaseUnavailable(await refusal(inTransaction.query('commit')))).toBe(true)
  inTransaction.release()
  expect((await pool.query('select 1 as is')).rows).toEqual([{ is: 1 }])
})

test('a database that starts to refuse writes is disconnected immediately', async () => {
  const one = await startFreezableProxy()
  const { pool } = open([one, unreachable])
  const client = await pool.connect()
  const gone = new Promise<void>((resolve) => void client.once('end', resolve))
  const error = await refusal(client.query('begin read only; create table refused (); commit'))
  expect(error).toMatchObject({ code: '25006' })
  expect(toProblem(error).status).toBe(503)
  await gone
  client.release()
  expect((await pool.query('select 1 as is')).rows).toEqual([{ is: 1 }])
})
