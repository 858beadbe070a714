import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { buildWebApp } from '../../scripts/build.mjs'
import { packRelease, stageRelease, writeChecksums } from '../../scripts/release.ts'
import { stopServices } from '../support/fake-programs.ts'
import { getFreePort } from '../support/free-port.ts'
import { type HttpClient, openHttpClient } from '../support/http-requests.ts'
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import { findPackagedPostgres, findSystemPostgres, startOtherPostgres } from '../support/other-postgres.ts'
import { startReverseProxy } from '../support/reverse-proxy.ts'
import { REPOSITORY, startProgram } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// `homeroom upgrade` with a migration, on two servers behind a proxy, during continuous requests; then the rollback, which the migration prevents.
// The proxy is nginx with deploy/nginx.conf if it is installed, otherwise one that also tries the other server if one refuses a connection.

const REQUESTS = 10_000
const PARALLEL = 16
const NEXT_VERSION = '987.6.5'
const MIGRATION = '9999-upgrade.sql'
const PLATFORM = `${process.platform}-${process.arch}`
/** Like `keepalive_timeout` of deploy/nginx.conf. */
const IDLE_MS = 3000

let root: string
let ports: number[]
let provider: OidcProvider
let postgres: Awaited<ReturnType<typeof startOtherPostgres>>
let proxy: { port: number; stop: () => Promise<unknown> }
let client: HttpClient

/** Runs a program in the folder used as `/`. */
const run = async (program: string, ...args: readonly string[]): Promise<{ printed: string; code: number | null }> => {
  const environment = { PATH: `${root}/bin:/usr/bin:/bin`, ROOT: root, HOMEROOM_ENVIRONMENT: join(root, 'etc/homeroom/environment') }
  const running = startProgram(join(root, program), args, environment, { cwd: root })
  const { code } = await running.ended
  return { printed: running.output(), code }
}
const homeroom = (...args: readonly string[]) => run('homeroom/current/bin/homeroom', ...args)
const listUnits = (): string[] => ports.map((port) => `homeroom@${port}`)
const isReady = (port: number): Promise<boolean> => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)

/** Writes a unit, and the `systemctl` of test/support/fake-programs.ts that runs it. */
const installSystemctl = (): void => {
  for (const name of ['bin', 'etc/systemd/system']) mkdirSync(join(root, name), { recursive: true })
  const start = `${root}/homeroom/current/bin/homeroom start`
  const unit = `User=root\nWorkingDirectory=${root}\nEnvironment=PORT=%i\nExecStart=${start}\n`
  writeFileSync(join(root, 'etc/systemd/system/homeroom@.service'), unit)
  const program = fileURLToPath(new URL('../support/fake-programs.ts', import.meta.url))
  writeFileSync(join(root, 'bin/systemctl'), `#!/bin/sh\nexec ${process.execPath} ${program} systemctl "$@"\n`)
  chmodSync(join(root, 'bin/systemctl'), 0o755)
}

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path))

/** Starts nginx with the release's configuration, but with other ports, without TLS, and without the server that redirects to it. */
const startNginx = async (program: string): Promise<typeof proxy> => {
  const port = await getFreePort()
  const [first = 0, second = 0] = ports
  const site = readFileSync(join(REPOSITORY, 'deploy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second}`)
    .replace(/^server \{\n {2}listen 80;\n.*?^\}\n/ms, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${root}/nginx-${name};`).join(' ')
  const main = `user root; daemon off; pid ${root}/nginx.pid; error_log stderr crit;\nevents {}\nhttp { access_log off; ${folders}\n${site}}\n`
  writeFileSync(join(root, 'nginx.conf'), main)
  const child = spawn(program, ['-p', root, '-c', join(root, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] })
  await waitUntil('nginx listens', () => fetch(`http://127.0.0.1:${port}/`).then(() => true))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { port, stop }
}

let turn = 0
/** Sends requests to both servers in turn. */
const startProxy = (): Promise<typeof proxy> =>
  nginx === undefined ? startReverseProxy(() => (turn++ % 2 === 0 ? ports : ports.toReversed()), IDLE_MS) : startNginx(nginx)

/** Installs this version, and builds the archive of one with another number and one more migration. */
const installReleases = async (): Promise<string> => {
  const versions = join(root, 'homeroom/versions')
  const first = join(versions, `homeroom-${packageJson.version}-${PLATFORM}`)
  await mkdir(versions, { recursive: true })
  await stageRelease(first)
  await symlink(`versions/homeroom-${packageJson.version}-${PLATFORM}`, join(root, 'homeroom/current'))
  const next = join(root, `homeroom-${NEXT_VERSION}-${PLATFORM}`)
  spawnSync('cp', ['-a', first, next])
  for (const name of ['package.json', 'release.json']) {
    const text = readFileSync(join(next, name), 'utf8')
    writeFileSync(join(next, name), text.replace(`"version": "${packageJson.version}"`, `"version": "${NEXT_VERSION}"`))
  }
  writeFileSync(join(next, 'src/database/migrations', MIGRATION), 'alter table site add column upgraded text;\n')
  const page = readdirSync(join(next, 'dist/assets')).find((name) => name.endsWith('.js')) ?? ''
  await rename(join(next, 'dist/assets', page), join(next, 'dist/assets/renamed.js'))
  writeChecksums(next)
  const archive = packRelease(next, root)
  await rm(next, { recursive: true })
  return archive
}

/** The status of a complete response through the proxy, or the reason there was none. */
const getStatus = (path: string): Promise<number | string> =>
  client.send('GET', path).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )

const isRoot = process.getuid?.() === 0
let archive: string

// Only root can upgrade.
beforeAll(async () => {
  if (!isRoot) return
  root = await mkdtemp(join(tmpdir(), 'homeroom-upgrade-'))
  await chmod(root, 0o755)
  buildWebApp(REPOSITORY, process.execPath)
  const found = findPackagedPostgres() ?? findSystemPostgres()
  if (!found) throw new Error('There is no PostgreSQL with passwords on this machine')
  ;[postgres, provider, ports, archive] = await Promise.all([
    startOtherPostgres(found),
    startOidcProvider(),
    Promise.all([getFreePort(), getFreePort()]),
    installReleases(),
  ])
  const settings = {
    ...provider.environment,
    PUBLIC_URL: 'http://127.0.0.1:3000',
    DATABASE_URL: postgres.url,
    DATA_DIR: join(root, 'data'),
    BACKUP_DIR: join(root, 'data/backups'),
    DRAIN_SECONDS: '4',
    SECRET_KEY: 'hT7/0Vb1qWk2+Zx9LmP4sRyEuC8jNaFd',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`)
  mkdirSync(join(root, 'etc/homeroom'), { recursive: true })
  writeFileSync(join(root, 'etc/homeroom/environment'), lines.join(''))
  installSystemctl()
  const started = await run('bin/systemctl', 'start', ...listUnits())
  if (started.code !== 0) throw new Error(started.printed)
  // Starts last, since a proxy that cannot reach a server avoids it for some seconds.
  proxy = await startProxy()
  client = openHttpClient(`http://127.0.0.1:${proxy.port}`, { maxSockets: PARALLEL })
}, 600_000)
afterAll(async () => {
  if (!isRoot) return
  client.close()
  await proxy.stop()
  await stopServices(root, listUnits())
  await Promise.all([postgres.stop(), provider.close()])
}, 120_000)

test.runIf(isRoot)(
  'no request of 10,000 fails during an upgrade with a migration',
  async () => {
    const page = await (await fetch(`http://127.0.0.1:${proxy.port}/`)).text()
    const scripts = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(scripts.length, page.slice(0, 300)).toBeGreaterThan(0)
    const paths = ['/', '/healthz', '/login', ...scripts]
    const expected = new Map<string, number | string>()
    for (const path of paths) expected.set(path, await getStatus(path))
    expect([...expected.values()].filter((status) => Number(status) >= 500 || typeof status === 'string')).toEqual([])

    const state = { isUpgraded: false, sent: 0 }
    const failures: string[] = []
    const get = async (): Promise<void> => {
      // Until the upgrade is over, and at least REQUESTS requests.
      while (!state.isUpgraded || state.sent < REQUESTS) {
        const path = paths[state.sent++ % paths.length] ?? '/'
        const status = await getStatus(path)
        if (status !== expected.get(path)) failures.push(`${path}: ${status}`)
        // Pauses during the upgrade, to leave CPU time for other programs.
        if (!state.isUpgraded) await pause(5)
      }
    }
    const requests = Promise.all(Array.from({ length: PARALLEL }, get))
    const upgrade = await homeroom('upgrade', archive)
    state.isUpgraded = true
    await requests
    expect(upgrade).toMatchObject({ code: 0 })
    expect(upgrade.printed).toContain(`Applied: ${MIGRATION}`)
    expect(upgrade.printed).toMatch(new RegExp(`^Homeroom ${NEXT_VERSION} runs`, 'm'))
    expect(state.sent).toBeGreaterThanOrEqual(REQUESTS)
    expect(failures).toEqual([])
  },
  600_000,
)

test.runIf(isRoot)(
  'a rollback over a migration is refused with what to do, and the new version runs on',
  async () => {
    const back = await homeroom('rollback')
    expect(back.code).toBe(1)
    expect(back.printed).toContain('belongs to a newer version of Homeroom')
    expect((await homeroom('version')).printed).toBe(`homeroom ${NEXT_VERSION}\n`)
    expect(await isReady(ports[0] ?? 0)).toBe(true)
    expect(existsSync(join(root, 'data/backups'))).toBe(true)
  },
  120_000,
)

test.runIf(isRoot)(
  'the way back over a migration: the backup of the upgrade in another database, then a rollback; the servers of the version before run',
  async () => {
    const backups = join(root, 'data/backups')
    const [backup = ''] = readdirSync(backups).filter((name) => name.endsWith('.backup'))
    await run('bin/systemctl', 'stop', ...listUnits())
    const restored = Object.assign(new URL(postgres.url), { pathname: '/homeroom_restored' }).href
    await postgres.query(`create database homeroom_restored encoding 'UTF8' template template0`)
    const file = join(root, 'etc/homeroom/environment')
    writeFileSync(file, readFileSync(file, 'utf8').replace(postgres.url, restored))
    const restore = await run('homeroom/previous/bin/homeroom', 'restore', join(backups, backup))
    expect(restore).toMatchObject({ code: 0, printed: expect.stringContaining('estored') })
    expect(await homeroom('rollback')).toMatchObject({ code: 0 })
    expect((await homeroom('version')).printed).toBe(`homeroom ${packageJson.version}\n`)
    expect(await run('bin/systemctl', 'start', ...listUnits())).toMatchObject({ code: 0 })
    expect(await Promise.all(ports.map(isReady))).toEqual([true, true])
    expect(await getStatus('/')).toBe(200)
  },
  300_000,
)

test.runIf(isRoot)(
  'an archive that was altered is refused, and nothing is installed',
  async () => {
    writeFileSync(`${archive}.sha256`, `${'0'.repeat(64)}  x\n`)
    const refused = await homeroom('upgrade', archive)
    expect(refused).toMatchObject({ code: 1, printed: expect.stringContaining('is not what') })
    expect(readdirSync(join(root, 'homeroom/versions'))).toHaveLength(2)
  },
  120_000,
)
