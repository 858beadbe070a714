import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type PrivateDatabase, startPrivateDatabase } from './private-database.ts'

/** Whether a process is running; zombies do not count. */
const isAlive = (pid: number): boolean =>
  !/^(Z.*)?$/.test(spawnSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' }).stdout.trim())

/** Tests that create clusters, kill servers and wait for them to come back run in `npm run test:all`. */
const isThorough = process.env['TEST_ALL'] === '1'
const asRoot = process.getuid?.() === 0
let seed: string
let folder: string
let dataDir: string
let lines: string[]
const started: PrivateDatabase[] = []

beforeAll(async () => {
  // Creating a cluster takes a second; most tests start with a copy of one.
  seed = await mkdtemp(join(tmpdir(), 'homeroom-private-'))
  await chmod(seed, 0o711)
  const database = await startPrivateDatabase({ dataDir: join(seed, 'data'), as: 'guest', writeLine: () => {}, durable: false })
  await database.stop()
})
afterAll(() => rm(seed, { recursive: true, force: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeroom-private-'))
  await chmod(folder, 0o711)
  dataDir = join(folder, 'data')
  lines = []
})
afterEach(async () => {
  for (const database of started.splice(0)) await database.stop()
  await rm(folder, { recursive: true, force: true })
})

const start = async (as: 'server' | 'guest' = 'server'): Promise<PrivateDatabase> => {
  const database = await startPrivateDatabase({ dataDir, as, writeLine: (line) => lines.push(line), durable: false })
  started.push(database)
  return database
}
const copySeed = (): void => {
  spawnSync('cp', ['-a', join(seed, 'data'), dataDir])
}
const query = async <T extends object>({ connection }: PrivateDatabase, statement: string): Promise<T[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  return client
    .query<T>(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}
const pidOf = async (): Promise<number> => Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

describe('the private database', () => {
  test('is PostgreSQL in UTF-8 that sorts accented letters correctly, with the extensions of the search', async () => {
    const database = await start()
    const [row] = await query<Record<string, unknown>>(database, `create extension pg_trgm; create extension unaccent; select 1`).then(() =>
      query<Record<string, unknown>>(
        database,
        `select lower('ÉÑŽ') as lower, unaccent('Peña') as plain, similarity('дом', 'дом') as alike, current_setting('fsync') as fsync`,
      ),
    )
    expect(row).toMatchObject({ lower: 'éñž', plain: 'Pena', alike: 1 })
  })

  test('keeps its data over a stop and a start', async () => {
    copySeed()
    const first = await start()
    await query(first, 'create table kept (what text); insert into kept values (1)')
    await first.stop()
    expect(await query(await start(), 'select what from kept')).toEqual([{ what: '1' }])
  })

  test('writes to disk before it confirms, unless a test disables this', async () => {
    copySeed()
    started.push(await startPrivateDatabase({ dataDir, as: 'server', writeLine: () => {} }))
    const [database] = started
    expect(
      await query(database!, `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit') order by 1`),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
  })

  test('listens on no network address, and its socket is in a folder accessible only to its own user', async () => {
    copySeed()
    const { connection } = await start()
    expect(connection.host).toMatch(/^\//)
    const [row] = await query<{ addresses: string }>(started[0]!, `select current_setting('listen_addresses') as addresses`)
    expect(row).toEqual({ addresses: '' })
  })

  test('refuses other users of the machine, even with the correct role name', async () => {
    copySeed()
    const database = await start()
    await query(database, 'select 1')
    await expect(query({ ...database, connection: { ...database.connection, user: 'postgres' } }, 'select 1')).rejects.toThrow(
      /no pg_hba.conf entry|peer/i,
    )
    const rules = await readFile(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')
    expect(rules).toBe('local all homeroom peer map=homeroom\n')
  })

  test('is deleted after it was stopped', async () => {
    copySeed()
    const database = await start()
    const pid = await pidOf()
    expect(isAlive(pid)).toBe(true)
    await database.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('puts its socket elsewhere if the path of the data folder is too long', async () => {
    dataDir = join(folder, 'a-rather-long-name-of-a-folder'.repeat(3), 'data')
    const { connection, stop } = await start()
    const socketFolder = String(connection.host)
    expect(Buffer.byteLength(`${socketFolder}/.s.PGSQL.5432`)).toBeLessThanOrEqual(103)
    await stop()
    await expect(readdir(socketFolder)).rejects.toThrow('ENOENT')
  })
})

describe('two processes on one data folder', () => {
  test('a second server is refused with a message, and the first continues', async () => {
    copySeed()
    const first = await start()
    await expect(start()).rejects.toThrow(/Another Homeroom server \(process \d+\) works with the database in .*; stop it or set DATA_DIR/)
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('an import runs while a server does, and the process that ends last stops the database', async () => {
    copySeed()
    const server = await start('server')
    const guest = await start('guest')
    const pid = await pidOf()
    await server.stop()
    expect(isAlive(pid)).toBe(true)
    expect(await query(guest, 'select 1 as one')).toEqual([{ one: 1 }])
    await guest.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test.runIf(isThorough)('five concurrent first starts create one database', { timeout: 120_000 }, async () => {
    const databases = await Promise.all(Array.from({ length: 5 }, () => start('guest')))
    await query(databases[0] as PrivateDatabase, 'create table met (what text)')
    for (const database of databases) expect(await query(database, 'select * from met')).toEqual([])
    expect((await readdir(dataDir)).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})

describe.runIf(isThorough)('after a crash', () => {
  /** A server in a separate process, killed without warning. */
  const startAndKill = async (): Promise<void> => {
    const program = `
      import { startPrivateDatabase } from ${JSON.stringify(new URL('./private-database.ts', import.meta.url).href)}
      await startPrivateDatabase({ dataDir: process.argv[1], as: 'server', writeLine: () => {}, durable: false })
      process.stdout.write('ready')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  test('the next start takes over the database that a killed server left running', async () => {
    copySeed()
    await startAndKill()
    const pid = await pidOf()
    expect(isAlive(pid)).toBe(true)
    await start()
    expect(await pidOf()).toBe(pid)
  })

  test('a pid file of a database that was also killed does not prevent the start', async () => {
    copySeed()
    await startAndKill()
    const pid = await pidOf()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    const database = await start()
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await pidOf()).not.toBe(pid)
  })

  test('a pid file with the process id of another program does not prevent the start, and that program keeps running', async () => {
    copySeed()
    const database = await start()
    await database.stop()
    const file = join(dataDir, 'postgres', 'postmaster.pid')
    await writeFile(file, `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n${database.connection.host}\n\n`)
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await pidOf()).not.toBe(process.pid)
  })

  test('a database that stops while the server runs is started again', async () => {
    copySeed()
    const database = await start()
    const pid = await pidOf()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(() => query(database, 'select 1 as one').catch(() => undefined), { timeout: 15_000 }).toEqual([{ one: 1 }])
    expect(lines).toContain('The private database has ended; starting it again')
  })

  test.skipIf(process.platform !== 'linux')('a database process that outlives a killed database does not prevent the start', async () => {
    copySeed()
    const database = await start()
    const client = new pg.Client(database.connection)
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const orphan = rows[0]?.pid ?? 0
    // Like a process that waits for another killed one: it does not notice that its server is gone.
    process.kill(orphan, 'SIGSTOP')
    process.kill(await pidOf(), 'SIGKILL')
    await expect.poll(() => query(database, 'select 1 as one').catch(() => undefined), { timeout: 15_000 }).toEqual([{ one: 1 }])
    expect(isAlive(orphan)).toBe(false)
  })

  test('the remains of an unfinished database creation are removed', async () => {
    // The number of a live process, since another container has its own numbering.
    await mkdir(join(dataDir, `postgres-unfinished-${process.pid}-left`), { recursive: true })
    await start()
    expect((await readdir(dataDir)).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})

describe('an invalid setup is reported in one line', () => {
  test('a data folder that is a file', async () => {
    await writeFile(dataDir, '')
    await expect(start()).rejects.toThrow(/^DATA_DIR .* cannot be written: /)
  })

  test('a folder with other contents', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'holiday.txt'), 'sun')
    await expect(start()).rejects.toThrow(/holds something that is not a PostgreSQL database/)
  })

  test('a database of another PostgreSQL version', async () => {
    copySeed()
    await (await start()).stop()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '9.6\n')
    await expect(start()).rejects.toThrow(/is of PostgreSQL 9.6, and this version of Homeroom brings \d+/)
  })

  test.runIf(isThorough && asRoot)(
    'as root, with a data folder that the database’s user cannot enter: the database is elsewhere, and the folder records where',
    async () => {
      const closed = join(folder, 'closed')
      await mkdir(closed, { mode: 0o700 })
      dataDir = join(closed, 'data')
      const first = await start()
      expect(lines).toEqual([expect.stringMatching(/may not enter .*: the database is kept in \/var\/lib\/homeroom\//)])
      await query(first, 'create table kept (what text)')
      await first.stop()
      expect(await query(await start(), 'select * from kept')).toEqual([])
      expect(lines).toHaveLength(1)
      const location = (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim()
      for (const database of started.splice(0)) await database.stop()
      await rm(join(location, '..'), { recursive: true })
      await expect(start()).rejects.toThrow(/but that folder does not exist\. Restore the folder/)
    },
  )
})
