import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'

import { pickFullName } from '../../sample/names.ts'
import { createRandom } from '../../sample/random.ts'
import { type Db, setActor } from '../../src/database/connection.server.ts'
import { type Configuration, readConfiguration } from '../../src/platform/server/configuration.ts'
import { openConfiguredDatabase } from '../../src/platform/server/database.ts'
import { getFreePort } from './free-port.ts'
import { readMemoryMegabytes } from './process-memory.ts'
import { startHomeroom } from './server-process.ts'
import { signInAt } from './sessions.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

/** A separate server with its own network, and the sessions of two users. */
export interface Network extends AsyncDisposable {
  readonly url: string
  /** How long the second start took until the server was ready. */
  readonly startMs: number
  /** How long a search takes if it is sent as soon as the server is ready. */
  readonly firstSearchMs: number
  readonly db: Db
  readonly connection: pg.PoolConfig
  readonly configuration: Configuration
  /** The headers of a signed-in user. */
  readonly headers: Readonly<Record<string, string>>
  /** The headers of a user who can download every workbook. */
  readonly administrator: Readonly<Record<string, string>>
  /** The server's present memory in megabytes (RSS). */
  readonly memory: () => number
  readonly stop: () => Promise<void>
}

const BATCH_SIZE = 5000

/** Adds people up to `count`, each with a role at one site. */
const addPeople = async (db: Db, count: number): Promise<void> => {
  const { rows } = await sql<{ people: number }>`select count(*)::int as people from person`.execute(db)
  for (let from = rows[0]?.people ?? 0; from < count; from += BATCH_SIZE) {
    const people = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, at) => {
      const random = createRandom('bench', from + at)
      const phone = `${random.int(201, 989)}-${random.int(200, 999)}-${String(random.int(0, 9999)).padStart(4, '0')}`
      return { number: from + at, name: pickFullName(random), phone }
    })
    await db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Benchmark' })
      await sql`
        with given as (select * from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as g(number int, name text, phone text)),
        added as (
          insert into person (slug, name, phone, email, sql_person_id)
          select 'bench-' || number, name, phone, 'bench' || number || '@sample.test', 'B' || number from given returning _id)
        insert into site_person (site, person, role)
        select s._id, a._id, r._id
        from (select _id, row_number() over () as n from added) as a
        join (select _id, row_number() over (order by _id) - 1 as n, count(*) over () as all_of from site) as s on s.n = a.n % s.all_of
        join (select _id, row_number() over (order by _id) - 1 as n, count(*) over () as all_of from role where "group" = 'STUDENT_SUPPORT') as r on r.n = a.n % r.all_of
      `.execute(tx)
    })
  }
}

/** Starts Homeroom as `npm start` does, on a fresh private database on disk with a network of this size. */
export const startNetwork = async (sites: number, people: number, log: (line: string) => void): Promise<Network> => {
  const folder = await createTemporaryFolder()
  const environment = { PORT: String(await getFreePort()), DATA_DIR: join(folder, 'data'), SAMPLE: String(sites), LOG_LEVEL: 'warn' }
  const configuration = readConfiguration(environment)
  const url = configuration.publicUrl
  let server = startHomeroom(environment)
  const stopServer = async (): Promise<void> => {
    server.child.kill('SIGTERM')
    await server.ended
  }
  let startedAt = performance.now()
  const measureMs = (): number => performance.now() - startedAt
  await server.waitForLine(/Ready: /)
  log(`${sites} sites loaded and served in ${Math.round(measureMs() / 1000)} s`)
  const database = await openConfiguredDatabase(configuration, 'guest', () => {})
  startedAt = performance.now()
  await addPeople(database.db, people)
  await sql`analyze`.execute(database.db)
  log(`${people} people in ${Math.round(measureMs() / 1000)} s more`)
  const signedIn = { db: database.db, configuration }
  const [{ headers }, administrator] = [await signInAt(signedIn, 10), await signInAt(signedIn, 6)]
  // Restarts the server, so that its memory does not include that of loading the network.
  await stopServer()
  startedAt = performance.now()
  server = startHomeroom(environment)
  await server.waitForLine(/Ready: /)
  const startMs = measureMs()
  startedAt = performance.now()
  const search = await fetch(`${url}/api/search?q=marisol`, { headers: { ...headers } })
  if (!search.ok) throw new Error(`The first search answered ${search.status}`)
  const stop = async (): Promise<void> => {
    await database.stop()
    await stopServer()
    await removeFolder(folder)
  }
  return {
    url,
    startMs,
    firstSearchMs: measureMs(),
    db: database.db,
    connection: database.connection,
    configuration,
    headers: { ...headers },
    administrator: { ...administrator.headers },
    memory: () => readMemoryMegabytes(server.child.pid),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The first sites of a network. */
export const listSiteIds = async ({ db }: Network, count: number): Promise<string[]> =>
  (await db.selectFrom('site').select('_id').orderBy('_id').limit(count).execute()).map(({ _id }) => _id)
