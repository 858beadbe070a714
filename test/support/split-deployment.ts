import type { ServedPart } from '../../src/platform/server/environment.ts'
import { startDatabase } from './database.ts'
import { startReverseProxy } from './reverse-proxy.ts'
import { createServer, type Environment, type TestServer } from './server.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

export const PARTS: readonly ServedPart[] = ['web', 'app', 'locations']

/** Which server handles a path: the table of docs/operators/split-deployment.md, which a reverse proxy in front of three servers implements. */
export const getPartForPath = (path: string): ServedPart => {
  if (path.startsWith('/locations-api/')) return 'locations'
  return /^\/(api|auth|calendar|dav|dav-profile|\.well-known|scim|log-error|local-provider|docs|openapi\.json)(\/|\?|$)/.test(path)
    ? 'app'
    : 'web'
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
  const proxy = await startReverseProxy((path) => [Number(servers[getPartForPath(path)].environment.PORT)])
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
