import type { NetConnectOpts } from 'node:net'

import { createCookieClient, type CookieClient } from '../../support/cookie-client.ts'
import { startDatabase, withConnection } from '../../support/database.ts'
import { getFreePort } from '../../support/free-port.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { startOidcProvider, createProviderUser } from '../../support/oidc-provider.ts'
import { respondWith, startPhotoDirectory } from '../../support/photo-directory.ts'
import { createPlainImage } from '../../support/pictures.ts'
import { getAuthHeaders, signIn } from '../../support/provider-sign-in.ts'
import { createServer, type Environment, type TestServer } from '../../support/server.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { type Known, readKnown, type SignedInClient } from './probes.ts'

export const DEPENDENCIES = ['mail', 'hr', 'directory', 'provider', 'database'] as const
export type Dependency = (typeof DEPENDENCIES)[number]

/** A server and all its dependencies, each behind a fault proxy. */
export interface ServerWithProxies extends AsyncDisposable {
  readonly url: string
  readonly server: TestServer
  readonly proxies: Readonly<Record<Dependency, FaultProxy>>
  /** The number of mails that have arrived. */
  readonly countMails: () => number
  readonly visit: () => CookieClient
  readonly signIn: () => Promise<SignedInClient>
  /** Reads the values for requests from the database, not through its proxy. */
  readonly readKnown: (client: SignedInClient) => Promise<Known>
  /** Another server on the same database, with the same PUBLIC_URL and additional settings. */
  readonly startAnother: (environment: Environment) => Promise<TestServer>
}

const at = (port: number): NetConnectOpts => ({ host: '127.0.0.1', port })

export const startServerWithProxies = async (sites: number): Promise<ServerWithProxies> => {
  await using resources = new AsyncDisposableStack()
  const database = resources.use(await startDatabase())
  const socket: NetConnectOpts = { path: `${database.connection.host}/.s.PGSQL.${database.connection.port}` }
  const mail = resources.use(await startMailServer())
  const photo = await createPlainImage(120, 120).jpeg().toBuffer()
  const directory = await startPhotoDirectory()
  resources.defer(directory.close)
  directory.respond = respondWith(photo)
  let providerPort = 0
  const startProxy = async (target: () => NetConnectOpts): Promise<FaultProxy> => resources.use(await startFaultProxy(target))
  const proxies = {
    mail: await startProxy(() => at(Number(new URL(mail.url).port))),
    hr: await startProxy(() => socket),
    directory: await startProxy(() => at(Number(new URL(directory.url).port))),
    provider: await startProxy(() => at(providerPort)),
    database: await startProxy(() => socket),
  }
  const accounts = await startOidcProvider(`http://127.0.0.1:${proxies.provider.port}`)
  resources.defer(accounts.close)
  providerPort = accounts.port
  accounts.currentUser = createProviderUser({ address: 'super@network.test' })

  const port = String(await getFreePort())
  const url = `http://127.0.0.1:${port}`
  const start = async (stack: AsyncDisposableStack, environment: Environment): Promise<TestServer> => {
    const server = stack.use(
      await createServer({
        ...accounts.environment,
        SERVE: 'web,app,locations',
        PUBLIC_URL: url,
        DATABASE_URL: `postgres://homeroom@127.0.0.1:${proxies.database.port}/homeroom`,
        HR_URL: `postgres://homeroom@127.0.0.1:${proxies.hr.port}/homeroom`,
        GRAPH_URL: `http://127.0.0.1:${proxies.directory.port}/v1.0`,
        SMTP_URL: `smtp://127.0.0.1:${proxies.mail.port}`,
        CHANGE_REQUESTS_TO: 'changes@network.test',
        SUPPORT_REQUESTS_TO: 'support@network.test',
        SUPER_ADMINS: 'super@network.test',
        SAMPLE: String(sites),
        ...environment,
      }),
    )
    await server.start()
    return server
  }
  const server = await start(resources, { PORT: port })
  // Servers stop in time only if they reach their dependencies.
  resources.defer(async () => {
    for (const proxy of Object.values(proxies)) await proxy.setFault('none')
  })
  const started = resources.move()
  const visit = (): CookieClient => createCookieClient(url)
  return {
    url,
    server,
    proxies,
    countMails: () => mail.received.length,
    visit,
    signIn: async () => {
      const browser = visit()
      return { browser, headers: getAuthHeaders(await signIn(browser)) }
    },
    readKnown: (client) => withConnection(database.connection, (db) => readKnown(db, url, client)),
    startAnother: (environment) => start(started, environment),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
