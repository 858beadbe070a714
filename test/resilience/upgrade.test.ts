import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { buildWebApp } from '../../scripts/build.mjs'
import { packRelease, stageRelease, writeChecksums } from '../../scripts/release.ts'
import { getFreePort } from '../support/free-port.ts'
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import { findPackagedPostgres, findSystemPostgres, startOtherPostgres } from '../support/other-postgres.ts'
import { REPOSITORY } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// `homeroom upgrade` with a migration, on two servers behind a proxy, during continuous requests; then the rollback, which the migration prevents.
// The proxy is nginx with deploy/nginx.conf if it is installed. Otherwise a proxy that behaves the same: it tries the other server if one refuses a
// connection, and avoids that one for a while.

const REQUESTS = 10_000
const PARALLEL = 16
const NEXT_VERSION = '987.6.5'
const MIGRATION = '9999-upgrade.sql'
const PLATFORM = `${process.platform}-${process.arch}`
const FAIL_TIMEOUT_MS = 5000
const IDLE_MS = 3000

let root: string
let ports: number[]
let provider: OidcProvider
let postgres: { url: string; stop: () => Promise<void> }
let stopProxy: () => Promise<unknown>
let proxyPort: number
const servers = new Map<number, ChildProcess>()
const environment = (): NodeJS.ProcessEnv => ({
  PATH: `${root}/bin:/usr/bin:/bin`,
  LANG: 'C.UTF-8',
  HOMEROOM_ENVIRONMENT: join(root, 'environment'),
})

const startServer = (port: number): void => {
  const child = spawn(join(root, 'homeroom/current/bin/homeroom'), ['start'], {
    cwd: root,
    env: { ...environment(), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  servers.set(port, child)
}
const stopServer = async (port: number): Promise<void> => {
  const child = servers.get(port)
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** A `systemctl` for this test: calls this process over HTTP to list and restart the servers. */
const startSystemctl = async (): Promise<Server> => {
  const server = createServer((call, response) => {
    const [verb = '', unit = ''] = (call.url ?? '').slice(1).split('/')
    const port = Number(/@(\d+)/.exec(unit)?.[1])
    const answer = async (): Promise<string> => {
      if (verb === 'list-units') return ports.map((one) => `homeroom@${one}.service loaded active running Homeroom`).join('\n')
      await stopServer(port)
      startServer(port)
      return ''
    }
    void answer().then((text) => response.end(`${text}\n`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const at = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  await mkdir(join(root, 'bin'))
  const program = join(root, 'bin/systemctl')
  const script = `fetch('${at}/' + process.argv[1] + '/' + process.argv.at(-1)).then((answer) => answer.text()).then((text) => process.stdout.write(text))`
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} -e "${script}" "$@"\n`)
  chmodSync(program, 0o755)
  return server
}

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path))

/** Starts nginx with the release's configuration, but with other ports, without TLS, and without the server that redirects to it. */
const startNginx = async (program: string): Promise<void> => {
  proxyPort = await getFreePort()
  const [first = 0, second = 0] = ports
  const site = readFileSync(join(REPOSITORY, 'deploy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${second}`)
    .replace(/^server \{\n {2}listen 80;\n.*?^\}\n/ms, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${proxyPort};`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${root}/nginx-${name};`).join(' ')
  const main = `user root; daemon off; pid ${root}/nginx.pid; error_log stderr crit;\nevents {}\nhttp { access_log off; ${folders}\n${site}}\n`
  writeFileSync(join(root, 'nginx.conf'), main)
  const child = spawn(program, ['-p', root, '-c', join(root, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] })
  stopProxy = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await waitUntil('nginx listens', async () => {
    const status = await getStatus('/')
    return typeof status === 'number'
  })
}

const startProxy = async (): Promise<void> => {
  if (nginx !== undefined) return startNginx(nginx)
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  const failedAt = new Map<number, number>()
  let turn = 0
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, left: number[]): void => {
    const [port, ...others] = left
    if (port === undefined) return void outgoing.writeHead(502).end()
    const call = request({ host: '127.0.0.1', port, agent, path: incoming.url, method: incoming.method, headers: incoming.headers })
    call.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    call.once('error', () => {
      failedAt.set(port, Date.now())
      if (outgoing.headersSent) outgoing.destroy()
      else forward(incoming, outgoing, others)
    })
    call.end()
  }
  const proxy = createServer((incoming, outgoing) => {
    const [first = 0, second = 0] = ports
    const inTurn = turn++ % 2 === 0 ? [first, second] : [second, first]
    const isAlone = (port: number): boolean => Date.now() - (failedAt.get(port) ?? 0) < FAIL_TIMEOUT_MS
    forward(incoming, outgoing, [...inTurn.filter((port) => !isAlone(port)), ...inTurn.filter(isAlone)])
  })
  stopProxy = () => {
    proxy.closeAllConnections()
    return new Promise((resolve) => {
      proxy.close(resolve)
    })
  }
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  proxyPort = typeof address === 'object' && address ? address.port : 0
}

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

const homeroom = async (...args: string[]): Promise<{ printed: string; code: number }> => {
  const child = spawn(join(root, 'homeroom/current/bin/homeroom'), args, { cwd: root, env: environment() })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (more: Buffer) => (printed += more.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { printed, code }
}

const clients = new Agent({ keepAlive: true, maxSockets: PARALLEL })
/** The status of a complete response through the proxy, or the reason there was none. */
const getStatus = (path: string): Promise<number | string> =>
  new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port: proxyPort, path, agent: clients }, (answer) => {
      answer.once('error', (error) => resolve(error.message))
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.resume()
    })
    call.once('error', (error) => resolve(error.message))
    call.end()
  })

const isRoot = process.getuid?.() === 0
let archive: string
let systemctl: Server

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
  writeFileSync(
    join(root, 'environment'),
    Object.entries(settings)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  )
  systemctl = await startSystemctl()
  for (const port of ports) startServer(port)
  for (const port of ports) await waitUntil('a server is ready', () => isReady(port), { timeoutMs: 120_000 })
  // Starts last, since a proxy that cannot reach a server avoids it for some seconds.
  await startProxy()
}, 600_000)
afterAll(async () => {
  if (!isRoot) return
  for (const port of ports) await stopServer(port)
  clients.destroy()
  await stopProxy()
  systemctl.close()
  await Promise.all([postgres.stop(), provider.close()])
  await rm(root, { recursive: true, force: true })
}, 120_000)

test.runIf(isRoot)(
  'no request of 10,000 fails during an upgrade with a migration',
  async () => {
    const page = await (await fetch(`http://127.0.0.1:${proxyPort}/`)).text()
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
    for (const port of ports) await stopServer(port)
    const restored = Object.assign(new URL(postgres.url), { pathname: '/homeroom_restored' }).href
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(`create database homeroom_restored encoding 'UTF8' template template0`)
    await client.end()
    const file = join(root, 'environment')
    writeFileSync(file, readFileSync(file, 'utf8').replace(postgres.url, restored))
    const child = spawnSync(join(root, 'homeroom/previous/bin/homeroom'), ['restore', join(backups, backup)], {
      cwd: root,
      env: environment(),
      encoding: 'utf8',
    })
    expect([child.status, child.stdout + child.stderr]).toEqual([0, expect.stringContaining('estored')])
    expect(await homeroom('rollback')).toMatchObject({ code: 0 })
    expect((await homeroom('version')).printed).toBe(`homeroom ${packageJson.version}\n`)
    for (const port of ports) await waitUntil('a server is ready', () => isReady(port), { timeoutMs: 120_000 })
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
