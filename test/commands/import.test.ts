import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'homeroom-import-command-'))
const dataDir = join(folder, 'data')
const files = join(folder, 'my files')
const HEADER = 'NCES_ID,SCHOOL_NAME,STATUS,CITY,STATE'
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeAll(async () => {
  await chmod(folder, 0o711) // for the user that runs the database where the tests run as root
  await mkdir(files)
  await writeFile(join(files, 'two.csv'), `${HEADER}\n01,First School,Open,Fresno,CA\n02,Second School,Open,Reno,NV\n`)
  const rows = Array.from({ length: 20_000 }, (_, n) => `L${n},School ${n},Open,Austin,TX`)
  await writeFile(join(files, 'large.csv'), [HEADER, ...rows].join('\n'))
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the import as npm does, called from the folder with the files. `during` sees all that was printed so far. */
const run = (words: readonly string[], environment: Record<string, string> = {}, during?: (printed: string, child: ChildProcess) => void) =>
  new Promise<Ended>((resolve) => {
    const { DATABASE_URL: _, ...inherited } = process.env
    const child = spawn(process.execPath, ['scripts/homeroom.mjs', 'import', ...words], {
      cwd: CHECKOUT,
      env: { ...inherited, DATA_DIR: dataDir, INIT_CWD: files, npm_lifecycle_event: 'import', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString()
      during?.(out, child)
    })
    child.stderr.on('data', (data: Buffer) => (err += data.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })

/** Looks into the private database, which runs for as long as that takes. */
const looking = async <T>(look: (client: pg.Client) => Promise<T>): Promise<T> => {
  const own = await startPrivateDatabase({ dataDir, as: 'server', say: () => {} })
  const client = new pg.Client(own.connection)
  await client.connect()
  try {
    return await look(client)
  } finally {
    await client.end()
    await own.stop()
  }
}
const ids = (like = '%') =>
  looking(async (client) => {
    const { rows } = await client.query<{ id: string }>('select directory_id as id from charter where directory_id like $1 order by 1', [
      like,
    ])
    return rows.map(({ id }) => id)
  })
const databaseRuns = async (): Promise<boolean> => (await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid')

test('with the server stopped an import starts the database, writes, reports what it refused and stops the database again', async () => {
  const { code, out, err } = await run(['charters', 'two.csv'])
  expect(err).toBe('')
  expect(code).toBe(0)
  expect(out).toMatch(/To add +1 \(1 charter, 1 site, and the brand Independent\)\n/)
  expect(out).toContain('  line 3  02: The state is none of CA, MI, OH, SC, TX: NV')
  expect(out).toMatch(/Added +1 /)
  expect(await databaseRuns()).toBe(false)
  expect(await readdir(join(dataDir, 'import-reports'))).toEqual([expect.stringMatching(/^two\.csv-.*\.csv$/)])
  expect(out).toContain(join(dataDir, 'import-reports'))
  expect(await ids()).toEqual(['01'])
})

test('a dry run leaves no report and no row', async () => {
  const { code, out } = await run(['charters', 'two.csv', '--region', 'Texas', '--dry-run'])
  expect(code).toBe(0)
  expect(out).toMatch(/To add +1 .*\nTo change +0\nTo leave +1\nTo refuse +0\n/)
  expect(out).toContain('Dry run: nothing was written')
  expect(await readdir(join(dataDir, 'import-reports'))).toHaveLength(1)
  expect(await ids()).toEqual(['01'])
})

test('a sheet is previewed, refused with its cells, and saved as one changeset', async () => {
  const [site] = await looking(async (client) => (await client.query<{ _id: string }>('select _id from site limit 1')).rows)
  const write = (city: string, zip: string) => writeFile(join(files, 'sites.csv'), `_id;City;ZIP code\r\n${site!._id};${city};${zip}\r\n`)
  await write('Clovis', '1')
  const refused = await run(['sheet', 'sites', 'sites.csv'])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('  C2: Enter exactly five digits')])
  await write('Clovis', '93612')
  const dry = await run(['sheet', 'sites', 'sites.csv', '--dry-run'])
  expect([dry.code, dry.out]).toEqual([
    0,
    expect.stringMatching(/Sites!B2 {2}First School, City: Fresno -> Clovis\n[^]*Dry run: nothing was written/),
  ])
  const saved = await run(['sheet', 'sites', 'sites.csv'])
  expect([saved.code, saved.out, saved.err]).toEqual([0, expect.stringContaining('Imported: 1 changed, 0 added'), ''])
  await looking(async (client) => {
    const { rows } = await client.query('select city, zip, "updatedBy" from site where _id = $1', [site!._id])
    expect(rows).toEqual([{ city: 'Clovis', zip: '93612', updatedBy: 'Import of sites.csv' }])
    expect((await client.query('select kind, title, account from changeset')).rows).toEqual([
      { kind: 'sheet', title: 'sites.csv', account: null },
    ])
  })
  expect((await run(['sheet', 'sites', 'sites.csv'])).out).toContain('Nothing to write')
  expect((await run(['sheet', 'towns', 'sites.csv'])).err).toContain('Name the kind of sheet: sites, ')
})

test('with the server running an import uses its database and leaves it running', async () => {
  await looking(async (client) => {
    await client.query('listen homeroom_record')
    // A notification begins with the table it is about.
    const changedTables: string[] = []
    client.on('notification', ({ payload = '' }) => changedTables.push(payload.split(' ', 1)[0] ?? ''))
    const { code, err } = await run(['charters', 'two.csv', '--region', 'Texas'])
    expect([code, err]).toEqual([0, ''])
    const { rows } = await client.query<{ count: number }>("select count(*)::int as count from site where directory_id in ('01', '02')")
    expect(rows).toEqual([{ count: 2 }])
    expect(changedTables).toEqual(expect.arrayContaining(['charter', 'site']))
  })
  expect(await databaseRuns()).toBe(false)
})

test('killed while it writes, an import has written nothing, and the next one goes through', async () => {
  let killed = false
  await run(['charters', 'large.csv'], {}, (printed, child) => {
    if (!killed && printed.includes('Writing:')) killed = child.kill('SIGKILL')
  })
  expect(killed).toBe(true)
  expect(await ids('L%')).toEqual([])
  const { code } = await run(['charters', 'two.csv'])
  expect(code).toBe(0)
  expect(await databaseRuns()).toBe(false)
})

test('stopped with Ctrl C while it writes, an import writes nothing and stops the database it started', async () => {
  let stopped = false
  const { code, err } = await run(['charters', 'large.csv'], {}, (printed, child) => {
    if (!stopped && printed.includes('Writing:')) stopped = child.kill('SIGINT')
  })
  expect([stopped, code, err]).toEqual([true, 1, 'Stopped; nothing was written\n'])
  expect(await databaseRuns()).toBe(false)
  expect(await ids('L%')).toEqual([])
})

test('--help tells how it goes, without a database', async () => {
  const { code, out } = await run(['--help'], { DATA_DIR: '/dev/null/nowhere' })
  expect(code).toBe(0)
  expect(out).toContain('Usage: homeroom import charters FILE')
  expect(out).toContain('CDSCode')
})

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['a file that is not there', ['charters', 'nowhere.csv'], {}, /^There is no file .*my files\/nowhere\.csv\n$/],
  ['a folder', ['charters', '.'], {}, /^.*my files is a folder, not a file\n$/],
  [
    'a wrong field',
    ['charters', 'two.csv', '--map', 'CITY=town'],
    {},
    /^--map "CITY=town": there is no field "town"; the fields are .*\n$/,
  ],
  [
    'a wrong column',
    ['charters', 'two.csv', '--map', 'Town=city'],
    {},
    /^.*two\.csv cannot be imported: there is no column "Town"\. .*\n$/,
  ],
  ['no words at all', [], {}, /^Name what to import: .*\n$/],
  [
    'a database that does not answer',
    ['charters', 'two.csv'],
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^The database of DATABASE_URL \(127\.0\.0\.1:1\/none\) cannot be used: .*\n$/,
  ],
  ['a wrong setting', ['charters', 'two.csv'], { PORT: 'high' }, /^PORT .*\n$/],
])('%s is one clear line and exit code 1', async (_, words, environment, message) => {
  const { code, err } = await run(words, environment)
  expect(err).toMatch(message)
  expect(code).toBe(1)
})
