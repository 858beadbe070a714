import { Agent, createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

import type { ServedPart } from '../../src/platform/server/environment.ts'
import { startDatabase } from './database.ts'
import { createServer, type Environment, type TestServer } from './server.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

export const PARTS: readonly ServedPart[] = ['web', 'app', 'locations']

/** Which server handles a path: the table of docs/operators/split-deployment.md, which a reverse proxy in front of three servers implements. */
export const getPartForPath = (path: string): ServedPart => {
  if (path.startsWith('/locations-api/')) return 'locations'
  return /^\/(api|auth|calendar|log-error|local-provider|docs|openapi\.json)(\/|\?|$)/.test(path) ? 'app' : 'web'
}

/** Hop-by-hop headers, which are not forwarded. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Header names and values as received, without hop-by-hop headers. */
const passedOn = (raw: readonly string[]): string[] =>
  raw.flatMap((name, at) => (at % 2 === 0 && !OF_THE_CONNECTION.has(name.toLowerCase()) ? [name, raw[at + 1] ?? ''] : []))

/** A minimal reverse proxy: the path decides, and everything else is forwarded unchanged, including Host. */
const startProxy = async (portOf: (part: ServedPart) => number): Promise<{ port: number; stop: () => Promise<void> }> => {
  const agent = new Agent({ keepAlive: true })
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url = '/', rawHeaders } = incoming
    const headers = passedOn(rawHeaders)
    if (incoming.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked')
    const onward = request({ agent, host: '127.0.0.1', port: portOf(getPartForPath(url)), method, path: url, headers })
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.rawHeaders))
      pipeline(answer, outgoing, () => undefined)
    })
    onward.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('The part that answers this is away')
    })
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
  const server = createHttpServer(pass)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
      agent.destroy()
    })
  return { port: (server.address() as AddressInfo).port, stop }
}

/** Three servers behind one origin, with one database. */
export interface SplitDeployment extends AsyncDisposable {
  /** The public origin. */
  readonly url: string
  readonly servers: Readonly<Record<ServedPart, TestServer>>
  /** The folder that mails are written to. */
  readonly dataDir: string
  readonly stop: () => Promise<void>
}

/** Starts the built app as three servers at the same time on an empty database, behind a proxy. */
export const startSplitDeployment = async (environment: Environment): Promise<SplitDeployment> => {
  await using resources = new AsyncDisposableStack()
  const dataDir = resources.use(await openTemporaryFolder()).path
  const DATABASE_URL = resources.use(await startDatabase()).url
  const proxy = await startProxy((part) => Number(servers[part].environment.PORT))
  resources.defer(proxy.stop)
  const url = `http://127.0.0.1:${proxy.port}`
  const createPart = async (SERVE: ServedPart): Promise<TestServer> =>
    resources.use(await createServer({ ...environment, SERVE, PUBLIC_URL: url, DATABASE_URL, DATA_DIR: dataDir }))
  const servers = { web: await createPart('web'), app: await createPart('app'), locations: await createPart('locations') }
  await Promise.all(PARTS.map((part) => servers[part].start()))
  const started = resources.move()
  const stop = (): Promise<void> => started.disposeAsync()
  return { url, servers, dataDir, stop, [Symbol.asyncDispose]: stop }
}
