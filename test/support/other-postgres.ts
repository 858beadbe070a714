import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { getFreePort } from './free-port.ts'
import { REPOSITORY } from './server-process.ts'

// A PostgreSQL other than the private one, with its own cluster in a temporary folder, reached over TCP with a password, like DATABASE_URL in
// production. `npm run test:all` uses the oldest supported one from an npm package; tests that need the command line tools (pg_basebackup, pg_dump)
// use the system's.

const SYSTEM_FOLDER = '/usr/lib/postgresql'
const MIN_VERSION = 15

export interface OtherPostgres {
  readonly version: number
  readonly bin: string
}

/** The oldest supported PostgreSQL, from the packages of this checkout; undefined if npm has none for the platform. */
export const findPackagedPostgres = (): OtherPostgres | undefined => {
  const bin = join(REPOSITORY, 'node_modules', `postgres-${MIN_VERSION}-${process.platform}-${process.arch}`, 'native', 'bin')
  return existsSync(join(bin, 'initdb')) ? { version: MIN_VERSION, bin } : undefined
}

/** The oldest supported PostgreSQL installed on this machine, if any; tests install no system packages. */
export const findSystemPostgres = (): OtherPostgres | undefined =>
  (existsSync(SYSTEM_FOLDER) ? readdirSync(SYSTEM_FOLDER) : [])
    .map(Number)
    .filter((version) => version >= MIN_VERSION && existsSync(join(SYSTEM_FOLDER, String(version), 'bin', 'initdb')))
    .toSorted((a, b) => a - b)
    .map((version) => ({ version, bin: join(SYSTEM_FOLDER, String(version), 'bin') }))[0]

/** Starts a cluster in a temporary folder, without durability. The superuser's password is "homeroom". */
export const startOtherPostgres = async (
  { version, bin }: OtherPostgres,
  superuser = 'homeroom',
): Promise<{ url: string; version: number; stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-other-'))
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  const as = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
  // The user that runs it may not have access to the checkout.
  const programs = as.uid !== undefined && bin.startsWith(REPOSITORY) ? join(folder, 'native', 'bin') : bin
  if (programs !== bin) await cp(join(bin, '..'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  const cluster = join(folder, 'cluster')
  const password = join(folder, 'password')
  await mkdir(cluster)
  await writeFile(password, 'homeroom\n')
  await chmod(folder, 0o755)
  if (as.uid !== undefined) for (const path of [cluster, password]) await chown(path, as.uid, as.gid)

  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', cluster, '-U', superuser, `--pwfile=${password}`, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...as, cwd: '/', env, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb of PostgreSQL ${version} failed: ${made.stderr}`)
  const port = await getFreePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    // As many as the private PostgreSQL of the tests allows: each test file has its own pool.
    'max_connections=200',
  ]
  const server = spawn(join(programs, 'postgres'), ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    ...as,
    cwd: '/',
    env,
    stdio: 'ignore',
  })
  const url = `postgres://${superuser}:homeroom@127.0.0.1:${port}/postgres`
  await untilReady(url)
  return {
    url,
    version,
    stop: async () => {
      const exited = once(server, 'exit')
      server.kill('SIGINT')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const untilReady = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await pause(100)
    }
  }
  throw new Error('The other PostgreSQL is not ready after 30 s')
}
