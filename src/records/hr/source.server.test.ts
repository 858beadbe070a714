import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'

import { network, startApp, type TestApp } from '../../../test/support/app.ts'
import { onDatabase } from '../../../test/support/database.ts'
import { findCandidates } from '../../features/access/permissions/contract.ts'
import { listPeople } from '../people/contract.ts'
import { searchStaff } from './contract.ts'
import { parseEmployeeSearch } from './employees.ts'
import { GuardedSource } from './source.server.ts'

const searchFor = (app: TestApp, query: string) => app.as(6).trySend(searchStaff, { params: { query } })
const found = async (app: TestApp, query: string) => (await app.as(6).send(searchStaff, { params: { query } })).recordset
const DOWN = { status: 503, title: 'The HR directory is not available', detail: expect.any(String) }

/** Servers that handle each connection with a given function. */
const servers: { server: Server; sockets: Set<Socket> }[] = []
const listening = async (treat: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    treat(socket)
  }).listen(0, '127.0.0.1')
  servers.push({ server, sockets })
  await once(server, 'listening')
  return `postgres://reader:s3cr3t%21@127.0.0.1:${(server.address() as AddressInfo).port}/hr`
}
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

/** Everything that an app logs. */
const logOf = (app: TestApp): string[] => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  // Fastify logs through a logger that was created at startup; this one captures its output.
  for (const level of ['warn', 'error'] as const) (app.context.log as typeof log)[level] = log[level].bind(log)
  return lines
}

describe('a view of another PostgreSQL', () => {
  const { server, template } = inject('testDatabase')
  const database = `${template}_hr`
  let administrator: pg.Client
  let inHr: pg.Client
  let url: string
  beforeAll(async () => {
    administrator = new pg.Client(server)
    await administrator.connect()
    await administrator.query(`create database ${database}`)
    inHr = new pg.Client(onDatabase(server, database))
    await inHr.connect()
    await inHr.query(`
      create schema hr;
      create table hr.employee (number integer, first text, last text, hris text, work text, title text, department integer, company text, region text);
      create view hr.staff as select number as PersonID, first as FirstName, last as LastName, hris as Hris_EmailAddress, work as EmailAddress,
        title as Title, department as Department, company as Company, region as Region from hr.employee;
      insert into hr.employee values
        (41, 'José', 'Peña', 'jose@hr.test', 'jose.pena@network.test', 'Teacher', 12, 'Cedar', 'Ohio'),
        (42, 'Josefa', null, null, 'josefa@network.test', E'Long\\u0001\\n title', null, null, null),
        (43, 'Per%cy', 'Jo_sef', '', '', '', null, null, null),
        (null, 'Josef', 'Nonumber', null, null, null, null, null, null),
        (44, 'Majosef', repeat('x', 100000), null, null, null, null, null, null);
      do $$ begin
        create role hr_reader login password 'only-reads';
      exception when duplicate_object or unique_violation then null; end $$;
      grant usage on schema hr to hr_reader; grant select on hr.staff to hr_reader;`)
    const { host, port, connectionString } = server
    if (connectionString !== undefined) {
      const there = new URL(connectionString)
      url = `postgres://hr_reader:only-reads@${there.host}/${database}`
    } else {
      // The tests' PostgreSQL only listens on a Unix socket, for its owner: access is therefore restricted by switching to a role.
      const { user = 'postgres' } = server
      url = `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port ?? 5432}&options=${encodeURIComponent('-c role=hr_reader')}`
    }
  })
  afterAll(async () => {
    await inHr.end()
    await administrator.query(`drop database ${database} with (force)`)
    await administrator.query('drop role if exists hr_reader')
    await administrator.end()
  })
  const start = (view = 'hr.staff') => startApp({ HR_URL: url, HR_VIEW: view })

  test('is searched like the local table; numbers become text, long texts are truncated, and rows without a number are left out', async () => {
    const app = await start()
    expect(await found(app, 'JOSE peña')).toEqual([
      {
        PersonID: '41',
        FirstName: 'José',
        LastName: 'Peña',
        Hris_EmailAddress: 'jose@hr.test',
        EmailAddress: 'jose.pena@network.test',
        Title: 'Teacher',
        Department: '12',
        Company: 'Cedar',
        Region: 'Ohio',
      },
    ])
    const all = await found(app, 'josef')
    expect(all.map(({ PersonID }) => PersonID)).toEqual(['42', '44'])
    expect(all[0]).toMatchObject({ LastName: null, Title: 'Long title', Department: null, Company: null })
    expect(all[1]?.LastName).toHaveLength(300)
    for (const typed of ['r%c', 'o_s']) expect((await found(app, typed)).map(({ PersonID }) => PersonID)).toEqual(['43'])
    for (const typed of ['%%', '__', "';--", 'network.test']) expect(await found(app, typed)).toEqual([])
    expect((await found(app, 'josefa@network.test')).map(({ PersonID }) => PersonID)).toEqual(['42'])
    const both = await app.as(6).send(searchStaff, { params: { query: 'jo' }, query: { withEmails: 'true' } })
    expect(both.recordset.map(({ PersonID }) => PersonID)).toEqual(['41'])
  })

  test('also provides employees for the search for administrators', async () => {
    const app = await start()
    expect(await app.as(6).send(findCandidates, { query: { q: 'pena' } })).toEqual([
      { azureID: 'jose.pena@network.test', name: 'José Peña', detail: 'Teacher · 12', personDbID: null, accessLevel: null },
    ])
  })

  test('with missing columns, or that does not exist, is one clear message; once fixed, it works without a restart', async () => {
    await inHr.query('create view hr.half as select 1 as "PersonID"; grant select on hr.half to hr_reader')
    const app = await start('hr.half')
    const log = logOf(app)
    const response = await searchFor(app, 'jose')
    expect(response.json()).toEqual(DOWN)
    expect(response.headers['retry-after']).toBe('5')
    expect(log).toHaveLength(1)
    expect(log[0]).toContain('hr.half has no column FirstName, LastName')
    await inHr.query('drop view hr.half')
    expect((await searchFor(app, 'jose')).json()).toEqual(DOWN)
    await inHr.query('create view hr.half as select * from hr.staff; grant select on hr.half to hr_reader')
    expect(await found(app, 'jose peña')).toHaveLength(1)
  })

  test('is canceled after three seconds, also in the database', async () => {
    await inHr.query(`create view hr.slow as select s.* from hr.staff s, pg_sleep(20); grant select on hr.slow to hr_reader`)
    const app = await start('hr.slow')
    const log = logOf(app)
    expect((await searchFor(app, 'jose')).json()).toEqual(DOWN)
    expect(log.join(), 'the reason in the log').toContain('no answer within 3000 ms')
    await expect
      .poll(async () => {
        const { rows } = await administrator.query(
          `select from pg_stat_activity where datname = $1 and state = 'active' and query like '%hr"."slow%' and pid <> pg_backend_pid()`,
          [database],
        )
        return rows.length
      })
      .toBe(0)
  })

  test('continues after its connections were closed', async () => {
    const app = await start()
    expect(await found(app, 'pena')).toHaveLength(1)
    await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2', [
      database,
      'homeroom',
    ])
    await expect.poll(async () => (await searchFor(app, 'pena')).statusCode).toBe(200)
  })
})

describe('an unusable source', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closes immediately', (socket) => void socket.destroy()],
    ['speaks another protocol', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n<html>no</html>')],
  ])('that %s is one message, and one line in the log without its password', async (_what, treat) => {
    const app = await startApp({ HR_URL: await listening(treat) })
    const log = logOf(app)
    const response = await searchFor(app, 'jose')
    expect(response.json()).toEqual(DOWN)
    expect(response.headers['retry-after']).toBe('5')
    expect(log).toHaveLength(1)
    expect(log.join()).not.toMatch(/s3cr3t/)
  })

  test('that hangs delays nothing else: searches fail after three seconds, and all other calls respond', async () => {
    const app = await startApp({ HR_URL: await listening(() => {}) })
    await app.make.person({ name: 'Theodora Steady', email: 'theodora@network.test' })
    const began = performance.now()
    const waiting = Array.from({ length: 16 }, () => searchFor(app, 'jose'))
    expect(await app.as(10).send(listPeople)).toHaveLength(1)
    // People in the directory are found without the HR source.
    expect(await app.as(6).send(findCandidates, { query: { q: 'theodora' } })).toMatchObject([{ name: 'Theodora Steady' }])
    expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 16 }, () => 503))
    expect(performance.now() - began).toBeLessThan(15_000)
  })

  test('a search is refused immediately while sixteen are waiting; after those have ended, searches are accepted again', async () => {
    const waiting: ((rows: unknown) => void)[] = []
    const source = new GuardedSource(
      { find: () => new Promise((resolve) => waiting.push(resolve)), close: async () => {} },
      'mssql://host/db',
    )
    const parsed = parseEmployeeSearch('jose', false, 50)
    const first = Array.from({ length: 16 }, () => source.find(parsed))
    await expect(source.find(parsed)).rejects.toMatchObject({ status: 503, cause: { message: '16 searches are already running' } })
    for (const answer of waiting) answer([])
    expect(await Promise.all(first)).toEqual(Array.from({ length: 16 }, () => []))
    const next = source.find(parsed, 20)
    expect(waiting).toHaveLength(17)
    await expect(next).rejects.toMatchObject({ status: 503, cause: { message: 'Error: no answer within 20 ms' } })
  })

  test('the search for administrators is delayed by at most a second and a half', async () => {
    const app = await startApp({ HR_URL: await listening(() => {}) })
    await app.make.person({ name: 'Theodora Steady', email: 'theodora@network.test' })
    const log = logOf(app)
    expect(await app.as(6).send(findCandidates, { query: { q: 'theodora' } })).toMatchObject([{ name: 'Theodora Steady' }])
    expect(log.join(), 'the reason in the log').toContain('no answer within 1500 ms')
  })

  test('the local table is used only if HR_URL names no source', async () => {
    const own = await network()
    await own.make.hrPerson({ FirstName: 'Ownest', LastName: 'Table' })
    expect(await found(own, 'ownest')).toHaveLength(1)
  })
})
