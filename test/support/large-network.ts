import { join } from 'node:path'

import { sql } from 'kysely'

import { pickFullName } from '../../sample/names.ts'
import { createRandom } from '../../sample/random.ts'
import { type Db, setActor } from '../../src/database/connection.server.ts'
import { readMemoryMegabytes } from './process-memory.ts'
import { createServer } from './server.ts'
import { signInAt } from './sessions.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

/** A separate server with its own network, and the sessions of two users. */
export type Network = Awaited<ReturnType<typeof startNetwork>>

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
export const startNetwork = async (sites: number, people: number, log: (line: string) => void) => {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await openTemporaryFolder())
  const environment = { DATA_DIR: join(folder.path, 'data'), SAMPLE: String(sites), LOG_LEVEL: 'warn', SERVE: 'web,app,locations' }
  const server = resources.use(await createServer(environment))
  const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const start = (): Promise<number> => measureMs(() => server.spawn().waitForLine(/Ready: /))
  log(`${sites} sites loaded and served in ${Math.round((await start()) / 1000)} s`)
  await server.openDatabase()
  const { url, db, connection, configuration } = server
  const added = await measureMs(async () => {
    await addPeople(db, people)
    await sql`analyze`.execute(db)
  })
  log(`${people} people in ${Math.round(added / 1000)} s more`)
  const [{ headers }, administrator] = [await signInAt(server, 10), await signInAt(server, 6)]
  const restart = async (): Promise<number> => {
    await server.terminate()
    return start()
  }
  // Its memory does not include that of loading the network then.
  const startMs = await restart()
  const search = async (typed: string): Promise<void> => {
    const response = await fetch(`${url}/api/search?q=${typed}`, { headers })
    if (!response.ok) throw new Error(`The search for ${typed} answered ${response.status}`)
  }
  const firstSearchMs = await measureMs(() => search('marisol'))
  await search('marisll') // waits until the index is built, so that later measurements are not disturbed
  const started = resources.move()
  const stop = (): Promise<void> => started.disposeAsync()
  return {
    url,
    /** How long the second start took until the server was ready. */
    startMs,
    /** How long a search takes if it is sent as soon as the server is ready. */
    firstSearchMs,
    db,
    connection,
    configuration,
    /** Starts the server again, so that it keeps nothing in memory. */
    restart: async (): Promise<void> => {
      await restart()
      await search('marisll')
    },
    /** The headers of a signed-in user. */
    headers: { ...headers },
    /** The headers of a user who can download every workbook. */
    administrator: { ...administrator.headers },
    /** The server's present memory in megabytes (RSS). */
    memory: (): number => readMemoryMegabytes(server.program.child.pid),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** The first sites of a network. */
export const listSiteIds = async ({ db }: Network, count: number): Promise<string[]> =>
  (await db.selectFrom('site').select('_id').orderBy('_id').limit(count).execute()).map(({ _id }) => _id)
