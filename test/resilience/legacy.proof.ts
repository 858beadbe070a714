import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'
import { pino } from 'pino'

import { loadSample } from '../../sample/load.server.ts'
import { buildApp, createAppContext } from '../../src/app.server.ts'
import { openDatabase } from '../../src/database/connection.server.ts'
import { migrate } from '../../src/database/migrate.server.ts'
import { importLegacy, type LegacyOutcome } from '../../src/features/exchange/directory-import/legacy/import.server.ts'
import { readConfiguration } from '../../src/platform/server/configuration.ts'
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { onDatabase, toDatabaseUrl } from '../support/database.setup.ts'
import { type LegacyResponses, readLegacyResponses, listResponseDifferences, writeLegacyResponses } from '../support/legacy-answers.ts'
import { compareWithFolder } from '../support/legacy-comparison.ts'
import { toLegacyFolder } from '../support/legacy-data.ts'
import { readMemoryMegabytes } from '../support/process-memory.ts'
import { runProof } from '../support/proof.ts'
import { startProgram } from '../support/server-process.ts'
import { signInAt } from '../support/sessions.ts'
import { createTemporaryFolder, removeFolder } from '../support/temporary-folder.ts'

const SITES = 120
/** `-- --large` uses the largest network. */
const LARGE = process.argv.includes('--large') ? { sites: 10_000, people: 100_000 } : { sites: 1000, people: 10_000 }
const CHANGED = 25
const KILLED = 3

const folder = await createTemporaryFolder()
const own = await startPrivateDatabase({ dataDir: join(folder, 'data'), as: 'guest', writeLine: () => {}, durable: false })
const administrator = new pg.Client(own.connection)
await administrator.connect()
let made = 0

/** A server on an empty database, without a sample network. */
const openEmptyNetwork = async () => {
  const name = `legacy_${++made}`
  await administrator.query(`create database ${name}`)
  const connection = onDatabase(own.connection, name)
  const { db, pool } = openDatabase(connection, 4)
  await migrate(db)
  const configuration = readConfiguration({ SERVE: 'app,locations', SAMPLE: 'none', DATA_DIR: join(folder, name) })
  const context = createAppContext({ configuration, db, pool, log: pino({ level: 'silent' }) })
  const app = await buildApp(context, { checkResponses: true })
  await app.ready()
  const { headers } = await signInAt(context, 1)
  const get = async (path: string): Promise<string> => {
    const answer = await app.inject({ method: 'GET', url: path, headers: { ...headers }, authority: new URL(configuration.publicUrl).host })
    if (answer.statusCode !== 200) throw new Error(`GET ${path} answered ${answer.statusCode}: ${answer.body}`)
    return answer.body
  }
  const answers = (): Promise<LegacyResponses> => {
    context.lists.invalidateAll(true)
    return readLegacyResponses(get)
  }
  const history = async (): Promise<number> => Number((await pool.query<{ n: string }>('select count(*) as n from change')).rows[0]?.n)
  const close = async (): Promise<void> => {
    await app.close()
    await pool.end()
    await administrator.query(`drop database ${name} with (force)`)
  }
  return { db, pool, connection, answers, history, close }
}
type EmptyNetwork = Awaited<ReturnType<typeof openEmptyNetwork>>

const importFolder = ({ db }: Pick<EmptyNetwork, 'db'>, path: string): Promise<LegacyOutcome> =>
  importLegacy(
    db,
    { path, dryRun: false, beside: false, appId: 'homeroom', timeZone: 'America/Los_Angeles' },
    { onPlanned: () => {}, onWritten: () => {}, onWaiting: () => {}, throwIfStopped: () => {} },
  )

const folderOf = async (name: string, answers: LegacyResponses): Promise<string> => {
  const path = join(folder, name)
  await mkdir(path)
  await writeLegacyResponses(path, answers)
  return path
}

const HISTORY_OF_IMPORTS = `select count(*)::int as n from change where "actorName" like 'Import of%'`

/** The large network: few charters, so that the folder is created quickly, and many people at each site. */
const largeFolder = async (): Promise<string> => {
  const id = (kind: string, n: number): string => `${kind}${String(n).padStart(23 - kind.length + 1, '0')}`
  const charters = Array.from({ length: LARGE.sites / 10 }, (_, n) => ({
    _id: id('c', n),
    name: `Charter ${n}`,
    slug: `charter-${n}`,
    brandName: 'One Brand',
    status: 'ACTIVE',
  }))
  const roles = ['Principal', 'Registrar', 'Counselor', 'Site Utility', 'Compliance'].map((name, n) => ({ _id: id('e', n), name }))
  const people = Array.from({ length: LARGE.people }, (_, n) => ({
    _id: id('d', n),
    name: `Person Number ${n}`,
    slug: `person-${n}`,
    email: `person${n}@school.test`,
    phone: `209-555-${String(n % 10_000).padStart(4, '0')}`,
    __v: 0,
  }))
  const each = LARGE.people / LARGE.sites
  const sites = Array.from({ length: LARGE.sites }, (_, n) => ({
    _id: id('f', n),
    name: `Site ${n}`,
    displayName: `Site ${n} Resource Center`,
    slug: `site-${n}`,
    status: 'ACTIVE',
    charter: { _id: id('c', n % charters.length), name: `Charter ${n % charters.length}` },
    address: { address_1: `${n} Main Street`, city: 'Lodi', state: 'CA', zip: '95240', phone: '209-555-0142' },
    people: Array.from({ length: each }, (__, at) => ({
      _id: id('a', n * each + at),
      person: people[n * each + at],
      role_match: roles[at % roles.length]?._id,
    })),
    facility_info: { county: 'San Joaquin', lease_holder: 'A Landlord', lease_start: '2020-07-01', partnership: false },
    enrollment_info: { about: 'A place to learn.', registrationEmail: [`site${n}@school.test`] },
  }))
  return folderOf(
    'large',
    new Map<string, unknown>([
      ['charters_pop.json', charters],
      ['roles.json', roles],
      ['people.json', people],
      ['sites_pop.json', sites],
    ]),
  )
}

const changedIn = async ({ pool }: EmptyNetwork, since: number): Promise<{ changes: number; most: number }> => {
  const { rows } = await pool.query<{ changes: number; most: number }>(
    `select count(*)::int as changes, coalesce(max(n), 0)::int as most from (select record, "table", count(*) as n from change where _id > $1 group by 1, 2) as counted`,
    [since],
  )
  return rows[0] ?? { changes: 0, most: 0 }
}
const lastChange = async ({ pool }: EmptyNetwork): Promise<number> =>
  Number((await pool.query<{ n: string }>('select coalesce(max(_id), 0) as n from change')).rows[0]?.n)

await runProof('legacy', async ({ log, report, expectEqual, expectNone }) => {
  log(`A sample network of ${SITES} sites`)
  const first = await openEmptyNetwork()
  await loadSample({ db: first.db, sites: SITES })
  const ours = await first.answers()

  log('Our own answers, moved into an empty database')
  const ownFolder = await folderOf('own', ours)
  await mkdir(join(ownFolder, 'pictures'))
  for (const { _id, bytes } of await first.db.selectFrom('picture').selectAll().execute())
    await writeFile(join(ownFolder, 'pictures', _id), bytes)
  await first.close()
  const second = await openEmptyNetwork()
  await importFolder(second, ownFolder)
  const differences = listResponseDifferences(ours, await second.answers(), ['version', 'grantedAt', 'grantedBy'])
  report('Answers of our own API imported', ours.size)
  expectNone('values answered differently, apart from version, grantedAt and grantedBy', differences)
  expectEqual('rows written by the same folder again', (await importFolder(second, ownFolder)).rowsToWrite, 0)
  await second.close()

  log('The same network as the old program would have answered it')
  const { files, oddities } = toLegacyFolder(ours)
  const oldFolder = await folderOf('old', files)
  const third = await openEmptyNetwork()
  const outcome = await importFolder(third, oldFolder)
  const found = (what: string, field: RegExp, kind = /./): number =>
    outcome.findings.filter((one) => one.type === what && field.test(one.field) && kind.test(one.kind)).length
  const compared = compareWithFolder(files, await third.answers(), outcome.findings)
  report('Records of the old folder', compared.records)
  report('values compared with our API', compared.fields)
  report('of these reported and stored in another form, or not stored', compared.reported)
  expectNone('values lost: neither stored nor reported', compared.lost)
  expectEqual('records without their _id', compared.records - compared.ids - oddities.otherApplication, 0)
  expectEqual('unknown fields reported', found('no place', /^legacyCode$/), oddities.unknown)
  expectEqual('invalid dates reported', found('refused', /^lease_start$/), oddities.badDates)
  expectEqual('unknown people at sites reported', found('not placed', /^$/, /site_person/), oddities.danglingPlaces)
  expectEqual('permissions of another application reported', found('not placed', /^$/, /permission/), oddities.otherApplication)
  expectEqual('broken files reported', found('not placed', /^$/, /file/), oddities.brokenFiles)
  const before = await lastChange(third)
  expectEqual('rows written by the same folder again', (await importFolder(third, oldFolder)).rowsToWrite, 0)
  expectEqual('history entries of these', (await lastChange(third)) - before, 0)

  log(`${CHANGED} values changed in the folder`)
  const sites = files.get('sites_pop.json') as Record<string, unknown>[]
  for (const [n, site] of sites.slice(0, CHANGED).entries()) site['displayName'] = `Renamed ${n}`
  await writeLegacyResponses(oldFolder, new Map([['sites_pop.json', sites]]))
  await importFolder(third, oldFolder)
  const { changes, most } = await changedIn(third, before)
  expectEqual('records changed by it', changes, CHANGED)
  expectEqual('most changes of one record', most, 1)
  await third.close()

  log(`kill -9 while it writes, ${KILLED} times`)
  const fourth = await openEmptyNetwork()
  const environment = { DATABASE_URL: toDatabaseUrl(fourth.connection), DATA_DIR: join(folder, 'killed') }
  let killed = 0
  const empty = await fourth.history()
  const large = await largeFolder()
  for (let round = 0; round < KILLED; round++) {
    const running = startProgram('node_modules/.bin/node', ['scripts/homeroom.mjs', 'import', 'legacy', large], environment)
    await running.waitForLine(/Writing:/)
    running.child.kill('SIGKILL')
    if ((await running.ended).signal === 'SIGKILL') killed++
  }
  expectEqual('imports killed while they wrote', killed, KILLED)
  expectEqual(
    'rows of them that stayed',
    ((await fourth.pool.query<{ n: number }>(HISTORY_OF_IMPORTS)).rows[0]?.n ?? -1) + (await fourth.history()) - empty,
    0,
  )

  log(`${LARGE.sites} sites and ${LARGE.people} people`)
  const started = Date.now()
  const whole = startProgram('node_modules/.bin/node', ['scripts/homeroom.mjs', 'import', 'legacy', large], environment)
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, Math.round(readMemoryMegabytes(whole.child.pid)))), 500)
  const { code } = await whole.ended
  clearInterval(watch)
  if (code !== 0) log(whole.output())
  expectEqual('exit code of the large import', code ?? -1, 0)
  report(
    `Seconds for ${LARGE.sites.toLocaleString('en-US')} sites and ${LARGE.people.toLocaleString('en-US')} people`,
    Math.round((Date.now() - started) / 1000),
  )
  report('MB of memory at most', memory)
  const { rows } = await fourth.pool.query<{ sites: number; places: number }>(
    'select (select count(*)::int from site) as sites, (select count(*)::int from site_person) as places',
  )
  expectEqual('sites afterwards', rows[0]?.sites ?? 0, LARGE.sites)
  expectEqual('roles at sites afterwards', rows[0]?.places ?? 0, LARGE.people)
  await fourth.close()

  await administrator.end()
  await own.stop()
  await removeFolder(folder)
})
