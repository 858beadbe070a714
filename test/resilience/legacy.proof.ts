import { join } from 'node:path'

import { sql } from 'kysely'

import { loadSample } from '../../sample/load.server.ts'
import { countRows, getLastChange } from '../support/database.ts'
import { compareWithFolder } from '../support/legacy-comparison.ts'
import { toLegacyFolder } from '../support/legacy-data.ts'
import {
  importLegacyFolder,
  type LegacyResponses,
  readLegacyResponses,
  listResponseDifferences,
  writeLegacyFolder,
} from '../support/legacy-responses.ts'
import { type AppWithDatabase, startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { readMemoryMegabytes } from '../support/process-memory.ts'
import { runProof } from '../support/proof.ts'
import { type RunningProgram, startProgram } from '../support/server-process.ts'
import { openTemporaryFolder } from '../support/temporary-folder.ts'

const SITES = 120
/** `-- --large` uses the largest network. */
const LARGE = process.argv.includes('--large') ? { sites: 10_000, people: 100_000 } : { sites: 1000, people: 10_000 }
const CHANGED = 25
const KILLED = 3

/** A server on an empty database, without a sample network. */
const startEmptyNetwork = (): Promise<AppWithDatabase> => startAppWithDatabase({ SERVE: 'app,locations' })

/** The large network: few charters, so that the folder is created quickly, and many people at each site. */
const buildLargeNetwork = (): LegacyResponses => {
  const build = <T extends object>(kind: string, count: number, fields: (n: number) => T): ({ _id: string } & T)[] =>
    Array.from({ length: count }, (_, n) => ({ _id: `${kind}${String(n).padStart(23, '0')}`, ...fields(n) }))
  const ofBrand = { brandName: 'One Brand', status: 'ACTIVE' }
  const charters = build('c', LARGE.sites / 10, (n) => ({ name: `Charter ${n}`, slug: `charter-${n}`, ...ofBrand }))
  const names = ['Principal', 'Registrar', 'Counselor', 'Site Utility', 'Compliance']
  const roles = build('e', names.length, (n) => ({ name: names[n] }))
  const people = build('d', LARGE.people, (n) => ({
    name: `Person Number ${n}`,
    slug: `person-${n}`,
    email: `person${n}@school.test`,
    phone: `209-555-${String(n % 10_000).padStart(4, '0')}`,
    __v: 0,
  }))
  const staff = build('a', LARGE.people, (n) => ({ person: people[n], role_match: roles[n % roles.length]?._id }))
  const staffPerSite = LARGE.people / LARGE.sites
  const sites = build('f', LARGE.sites, (n) => ({
    name: `Site ${n}`,
    displayName: `Site ${n} Resource Center`,
    slug: `site-${n}`,
    status: 'ACTIVE',
    charter: charters[n % charters.length],
    address: { address_1: `${n} Main Street`, city: 'Lodi', state: 'CA', zip: '95240', phone: '209-555-0142' },
    people: staff.slice(n * staffPerSite, (n + 1) * staffPerSite),
    facility_info: { county: 'San Joaquin', lease_holder: 'A Landlord', lease_start: '2020-07-01', partnership: false },
    enrollment_info: { about: 'A place to learn.', registrationEmail: [`site${n}@school.test`] },
  }))
  const files = { 'charters_pop.json': charters, 'roles.json': roles, 'people.json': people, 'sites_pop.json': sites }
  return new Map<string, unknown>(Object.entries(files))
}

/** The number of records changed after a change, and the most changes of one of them. */
const countChangedRecords = async ({ context: { db } }: AppWithDatabase, since: number): Promise<{ records: number; most: number }> => {
  const { rows } = await sql<{ records: number; most: number }>`
    select count(*)::int as records, coalesce(max(n), 0)::int as most
    from (select record, "table", count(*) as n from change where _id > ${since} group by 1, 2) as counted`.execute(db)
  return rows[0] ?? { records: 0, most: 0 }
}

await runProof('legacy', async ({ log, report, expectEqual, expectNone }) => {
  await using folder = await openTemporaryFolder()
  log(`A sample network of ${SITES} sites`)
  await using first = await startEmptyNetwork()
  await loadSample({ db: first.context.db, sites: SITES })
  const ours = await readLegacyResponses(first)

  log('Our own responses, moved into an empty database')
  const ownFolder = join(folder.path, 'own')
  await writeLegacyFolder(ownFolder, ours, first)
  await using second = await startEmptyNetwork()
  await importLegacyFolder(second, ownFolder)
  const differences = listResponseDifferences(ours, await readLegacyResponses(second), ['version', 'grantedAt', 'grantedBy'])
  report('Responses of our own API imported', ours.size)
  expectNone('values answered differently, apart from version, grantedAt and grantedBy', differences)
  expectEqual('rows written by the same folder again', (await importLegacyFolder(second, ownFolder)).rowsToWrite, 0)

  log('The same network as the old program would have answered it')
  const { files, oddities } = toLegacyFolder(ours)
  const oldFolder = join(folder.path, 'old')
  await writeLegacyFolder(oldFolder, files)
  await using third = await startEmptyNetwork()
  const outcome = await importLegacyFolder(third, oldFolder)
  const found = (what: string, field: RegExp, kind = /./): number =>
    outcome.findings.filter((one) => one.type === what && field.test(one.field) && kind.test(one.kind)).length
  const compared = compareWithFolder(files, await readLegacyResponses(third), outcome.findings)
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
  const before = await getLastChange(third.context.db)
  expectEqual('rows written by the same folder again', (await importLegacyFolder(third, oldFolder)).rowsToWrite, 0)
  expectEqual('history entries of these', (await getLastChange(third.context.db)) - before, 0)

  log(`${CHANGED} values changed in the folder`)
  const sites = files.get('sites_pop.json') as Record<string, unknown>[]
  for (const [n, site] of sites.slice(0, CHANGED).entries()) site['displayName'] = `Renamed ${n}`
  await writeLegacyFolder(oldFolder, new Map([['sites_pop.json', sites]]))
  await importLegacyFolder(third, oldFolder)
  const { records, most } = await countChangedRecords(third, before)
  expectEqual('records changed by it', records, CHANGED)
  expectEqual('most changes of one record', most, 1)

  log(`kill -9 while it writes, ${KILLED} times`)
  await using fourth = await startEmptyNetwork()
  const { db } = fourth.context
  const large = join(folder.path, 'large')
  await writeLegacyFolder(large, buildLargeNetwork())
  const startImport = (): RunningProgram =>
    startProgram(process.execPath, ['scripts/homeroom.mjs', 'import', 'legacy', large], {
      DATABASE_URL: fourth.database.url,
      DATA_DIR: join(folder.path, 'killed'),
    })
  const changesBefore = await countRows(db, 'change')
  let killed = 0
  for (let round = 0; round < KILLED; round++) {
    const running = startImport()
    await running.waitForLine(/Writing:/)
    running.child.kill('SIGKILL')
    if ((await running.ended).signal === 'SIGKILL') killed++
  }
  expectEqual('imports killed while they wrote', killed, KILLED)
  expectEqual('rows of them that stayed', (await countRows(db, 'change')) - changesBefore, 0)

  log(`${LARGE.sites} sites and ${LARGE.people} people`)
  const started = Date.now()
  const whole = startImport()
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, Math.round(readMemoryMegabytes(whole.child.pid)))), 500)
  const { code } = await whole.ended
  clearInterval(watch)
  if (code !== 0) log(whole.output())
  expectEqual('exit code of the large import', code ?? -1, 0)
  const size = `${LARGE.sites.toLocaleString('en-US')} sites and ${LARGE.people.toLocaleString('en-US')} people`
  report(`Seconds for ${size}`, Math.round((Date.now() - started) / 1000))
  report('MB of memory at most', memory)
  expectEqual('sites afterwards', await countRows(db, 'site'), LARGE.sites)
  expectEqual('roles at sites afterwards', await countRows(db, 'site_person'), LARGE.people)
})
