import { mkdir } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'

import type { ServedPart } from '../../src/platform/server/environment.ts'
import { startPrivateDatabase } from '../../src/platform/server/private-database.ts'
import { toDatabaseUrl } from './database.setup.ts'
import { getFreePort } from './free-port.ts'
import { type RunningProgram, startProgram } from './server-process.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

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
  const server = createServer(pass)
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
export interface SplitDeployment {
  /** The public origin. */
  readonly url: string
  /** Each server's own URL, which only the proxy uses. */
  readonly addressOf: (part: ServedPart) => string
  readonly servers: Readonly<Record<ServedPart, RunningProgram>>
  /** The folder that mails are written to. */
  readonly dataDir: string
  readonly stopPart: (part: ServedPart) => Promise<void>
  readonly startPart: (part: ServedPart) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts the built app as three servers at the same time on an empty database, behind a proxy. */
export const startSplitDeployment = async (environment: Record<string, string>): Promise<SplitDeployment> => {
  const folder = await createTemporaryFolder()
  const dataDir = join(folder, 'data')
  const database = await startPrivateDatabase({ dataDir: join(folder, 'database'), as: 'guest', writeLine: () => {}, durable: false })
  await mkdir(dataDir)
  const ports: Record<ServedPart, number> = { web: await getFreePort(), app: await getFreePort(), locations: await getFreePort() }
  const proxy = await startProxy((part) => ports[part])
  const url = `http://127.0.0.1:${proxy.port}`
  const start = (part: ServedPart): RunningProgram =>
    startProgram(process.execPath, ['src/main.server.ts'], {
      ...environment,
      SERVE: part,
      PORT: String(ports[part]),
      PUBLIC_URL: url,
      DATABASE_URL: toDatabaseUrl(database.connection),
      DATA_DIR: dataDir,
    })
  const servers: Record<ServedPart, RunningProgram> = { web: start('web'), app: start('app'), locations: start('locations') }
  const end = async (part: ServedPart): Promise<void> => {
    servers[part].child.kill('SIGTERM')
    await servers[part].ended
  }
  const stop = async (): Promise<void> => {
    await proxy.stop()
    await Promise.all(PARTS.map(end))
    await database.stop()
    await removeFolder(folder)
  }
  try {
    await Promise.all(PARTS.map((part) => servers[part].waitForLine(/^Ready: /m)))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    addressOf: (part) => `http://127.0.0.1:${ports[part]}`,
    servers,
    dataDir,
    stopPart: end,
    startPart: async (part) => {
      servers[part] = start(part)
      await servers[part].waitForLine(/^Ready: /m)
    },
    stop,
  }
}
