import type { NetConnectOpts } from 'node:net'

import type { Db } from '../../../src/database/connection.server.ts'
import { fetchJson, toRequest } from '../../support/api-client.ts'
import { createCookieClient, type CookieClient } from '../../support/cookie-client.ts'
import { startDatabase, withConnection } from '../../support/database.ts'
import { getFreePort } from '../../support/free-port.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { startOidcProvider, createProviderUser } from '../../support/oidc-provider.ts'
import { respondWith, startPhotoDirectory } from '../../support/photo-directory.ts'
import { createPlainImage } from '../../support/pictures.ts'
import { getAuthHeaders, signIn as signInAtProvider } from '../../support/provider-sign-in.ts'
import { type KnownValues, readKnownValues } from '../../support/read-paths.ts'
import { createServer, type Environment, type TestServer } from '../../support/server.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'

/** A signed-in user, and the browser used to sign in. */
export interface SignedInClient {
  readonly browser: CookieClient
  readonly headers: Readonly<Record<string, string>>
}

/** Values for the calls' parameters, read from the database next to the server, and people whose photos are requested. */
export interface Known extends KnownValues {
  readonly photographed: readonly string[]
}

const readKnown = async (db: Db, url: string, { headers }: SignedInClient): Promise<Known> => {
  const body = { location: 'A site', correctText: 'The first request.' }
  await fetchJson(`${url}/locations-api/site_send_change`, toRequest('POST', headers, body))
  const people = await db.selectFrom('person').select('_id').where('email', 'is not', null).execute()
  return { ...(await readKnownValues(db)), photographed: people.map(({ _id }) => _id) }
}

/** A server and all its dependencies, each behind a fault proxy; a signed-in client; and the records to request. */
export type ServerWithProxies = Awaited<ReturnType<typeof startServerWithProxies>>
export type Dependency = keyof ServerWithProxies['proxies']

const at = (port: number): NetConnectOpts => ({ host: '127.0.0.1', port })
const atPortOf = (url: string) => (): NetConnectOpts => at(Number(new URL(url).port))

export const startServerWithProxies = async (sites: number) => {
  await using resources = new AsyncDisposableStack()
  const database = resources.use(await startDatabase())
  const socket: NetConnectOpts = { path: `${database.connection.host}/.s.PGSQL.${database.connection.port}` }
  const mail = resources.use(await startMailServer())
  const directory = await startPhotoDirectory()
  resources.defer(directory.close)
  directory.respond = respondWith(await createPlainImage(120, 120).jpeg().toBuffer())
  let providerPort = 0
  const startProxy = async (target: () => NetConnectOpts): Promise<FaultProxy> => resources.use(await startFaultProxy(target))
  const proxies = {
    mail: await startProxy(atPortOf(mail.url)),
    hr: await startProxy(() => socket),
    directory: await startProxy(atPortOf(directory.url)),
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
  const visit = (): CookieClient => createCookieClient(url)
  const signIn = async (): Promise<SignedInClient> => {
    const browser = visit()
    return { browser, headers: getAuthHeaders(await signInAtProvider(browser)) }
  }
  const me = await signIn()
  // Read from the database, not through its proxy.
  const known = await withConnection(database.connection, (db) => readKnown(db, url, me))
  const started = resources.move()
  return {
    url,
    server,
    proxies,
    me,
    known,
    /** The number of mails that have arrived. */
    countMails: (): number => mail.received.length,
    visit,
    signIn,
    /** Another server on the same database, with the same PUBLIC_URL and additional settings. */
    startAnother: (environment: Environment): Promise<TestServer> => start(started, environment),
    [Symbol.asyncDispose]: (): Promise<void> => started.disposeAsync(),
  }
}
