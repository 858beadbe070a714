import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream'
import { fileURLToPath } from 'node:url'

import { createServer, type Plugin, type ViteDevServer } from 'vite'

import { readConfiguration } from '../src/platform/server/configuration.ts'
import { isLoopback } from '../src/platform/server/loopback.ts'
import { startPrivateDatabase } from '../src/platform/server/private-database.ts'
import { BARE_POLICY, securityHeaders } from '../src/platform/server/security-headers.ts'
import { formatStartupError, StartupError, toListenError } from '../src/platform/server/startup-errors.ts'
import { getFreePort } from '../test/support/free-port.ts'

// `npm run dev`: Vite listens on the port and serves the web app's source files. Everything else, including the page with its policy and nonce, comes
// from the real server, which restarts when one of its files changes.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const SERVER = join('src', 'main.server.ts')
const SERVER_HOST = '127.0.0.1'
/** How long a request waits for a starting server: longer than a start takes on a busy machine. */
const MAX_WAIT_MS = 30_000
const RETRY_MS = 25
/** Editors save several files at once, or one file in several writes. */
const DEBOUNCE_MS = 50
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Source files, Vite's prebundled packages, its own modules, and the files of `public`. */
const isWebFile = (url: string): boolean => {
  const { pathname } = new URL(url, 'http://localhost')
  return /^\/(?:src\/|node_modules\/|@)/.test(pathname) || (pathname !== '/' && existsSync(join(ROOT, 'public', pathname)))
}

/** Contracts belong to both sides. */
const isServerFile = (path: string): boolean =>
  /^(?:src|sample)\/.*\.(?:ts|sql)$/.test(path) && !/\/web\/|\.web\.ts$|\.test\.ts$/.test(path)

const stop = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
}

/** Forwards a request to the server, and waits if it is restarting. Requests that may already have changed something are not sent twice. */
const forward = (port: number, incoming: IncomingMessage, response: ServerResponse, until = Date.now() + MAX_WAIT_MS): void => {
  const { method = 'GET', url, headers } = incoming
  const isRead = method === 'GET' || method === 'HEAD'
  let isConnected = false
  const outgoing = request({ host: SERVER_HOST, port, method, path: url, headers, agent: false })
  outgoing.once('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true
      if (isRead) outgoing.end()
      else incoming.pipe(outgoing)
    }),
  )
  outgoing.once('response', (answer) => {
    if (response.destroyed) return void outgoing.destroy() // the browser is gone
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    pipeline(answer, response, () => {})
  })
  outgoing.on('error', () => {}) // later errors of this request add nothing
  outgoing.once('error', () => {
    if (response.headersSent || response.destroyed) response.destroy()
    else if (Date.now() < until && (isRead || !isConnected)) setTimeout(forward, RETRY_MS, port, incoming, response, until)
    else response.writeHead(503, { 'content-type': 'text/plain' }).end('The server does not answer; see what it has printed\n')
  })
}

const forwardToServer = (port: number): Plugin => ({
  name: 'forward-to-server',
  configureServer({ middlewares }) {
    middlewares.use((incoming, response, next) => (isWebFile(incoming.url ?? '/') ? next() : forward(port, incoming, response)))
  },
})

/** The server sends this page, with its nonce and configuration, instead of the built one. */
const writePage = async (vite: ViteDevServer): Promise<void> => {
  const html = await vite.transformIndexHtml('/', await readFile(join(ROOT, 'index.html'), 'utf8'))
  await writeFile(join(DIST, 'index.html'), html)
}

const startVite = async (host: string, port: number, serverPort: number): Promise<ViteDevServer> => {
  const vite = await createServer({
    root: ROOT,
    appType: 'custom',
    clearScreen: false,
    logLevel: 'warn',
    plugins: [forwardToServer(serverPort)],
    server: {
      host,
      port,
      strictPort: true,
      cors: false,
      // Worktrees may share `node_modules` through a link.
      fs: { allow: [ROOT, realpathSync(join(ROOT, 'node_modules'))] },
      headers: { ...Object.fromEntries(securityHeaders(false)), 'content-security-policy': BARE_POLICY },
    },
  })
  await vite.listen().catch((error: unknown) => {
    throw toListenError(error, host, port)
  })
  return vite
}

const main = async (): Promise<void> => {
  const { databaseUrl, dataDir, host, port, publicUrl } = readConfiguration(process.env)
  // The server behind this proxy sees every request as local, and Vite serves any source file.
  if (!isLoopback(host)) throw new StartupError(`"npm run dev" serves this machine only, and HOST is ${host}; take "npm start"`)
  await rm(DIST, { recursive: true, force: true }) // "npm start" builds again
  await mkdir(DIST)
  const serverPort = await getFreePort()
  const vite = await startVite(host, port, serverPort)
  await writePage(vite)
  // Opened here as well, so that the database keeps running while the server restarts.
  const database = databaseUrl === undefined ? await startPrivateDatabase({ dataDir, as: 'guest', writeLine: print }) : undefined
  const environment = {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'),
    ...process.env,
    HOST: SERVER_HOST,
    PORT: String(serverPort),
    PUBLIC_URL: publicUrl,
  }
  const startServer = (): ChildProcess => spawn(process.execPath, [SERVER], { cwd: ROOT, stdio: 'inherit', env: environment })
  let server = startServer()
  let isEnding = false
  let restarting: Promise<void> = Promise.resolve()
  const restart = async (): Promise<void> => {
    if (isEnding) return
    await stop(server)
    server = startServer()
  }
  let timer: NodeJS.Timeout | undefined
  vite.watcher.on('all', (_event, path) => {
    if (path === join(ROOT, 'index.html')) void writePage(vite)
    if (!isServerFile(relative(ROOT, path))) return
    clearTimeout(timer)
    timer = setTimeout(() => (restarting = restarting.then(restart)), DEBOUNCE_MS)
  })

  const end = async (): Promise<void> => {
    if (isEnding) return
    isEnding = true
    await restarting
    await stop(server)
    await vite.close()
    await rm(DIST, { recursive: true, force: true })
    await database?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
}

main().catch((error: unknown) => {
  process.stderr.write(`${formatStartupError(error)}\n`)
  process.exit(1)
})
