import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

// A PostgreSQL of the system (Debian's, 15 or newer; the oldest there is) with a cluster of our own in a temporary folder, reached
// over TCP with a password: what DATABASE_URL is in production.

const FOLDER = '/usr/lib/postgresql'
const OLDEST = 15

export interface OtherPostgres {
  readonly version: number
  readonly bin: string
}

/** The oldest supported PostgreSQL of this machine, if it has one; a test installs no system package. */
export const findOtherPostgres = (): OtherPostgres | undefined =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .map(Number)
    .filter((version) => version >= OLDEST && existsSync(join(FOLDER, String(version), 'bin', 'initdb')))
    .toSorted((a, b) => a - b)
    .map((version) => ({ version, bin: join(FOLDER, String(version), 'bin') }))[0]

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address !== 'object' || address === null) throw new Error('No free port')
  return address.port
}

/** Starts a cluster in a temporary folder; durable against nothing. The password of its superuser is "homeroom". */
export const startOtherPostgres = async (
  { version, bin }: OtherPostgres,
  superuser = 'homeroom',
): Promise<{ url: string; version: number; stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'homeroom-other-'))
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
  const as = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {}
  const cluster = join(folder, 'cluster')
  const password = join(folder, 'password')
  await mkdir(cluster)
  await writeFile(password, 'homeroom\n')
  await chmod(folder, 0o755)
  if (as.uid !== undefined) for (const path of [cluster, password]) await chown(path, as.uid, as.gid)

  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', superuser, `--pwfile=${password}`, '--auth=scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...as, cwd: '/', env, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb of PostgreSQL ${version} failed: ${made.stderr}`)
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
  ]
  const server = spawn(join(bin, 'postgres'), ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], {
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
      const gone = once(server, 'exit')
      server.kill('SIGINT')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const untilReady = async (url: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
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
