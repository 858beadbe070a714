import type { NetConnectOpts } from 'node:net'
import { join } from 'node:path'

import { startPrivateDatabase } from '../../../src/platform/server/private-database.ts'
import { createCookieClient, type CookieClient } from '../../support/cookie-client.ts'
import { getFreePort } from '../../support/free-port.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { startOidcProvider, createProviderUser } from '../../support/oidc-provider.ts'
import { respondWith, startPhotoDirectory } from '../../support/photo-directory.ts'
import { createPlainImage } from '../../support/pictures.ts'
import { getAuthHeaders, signIn } from '../../support/provider-sign-in.ts'
import { type RunningProgram, startProgram } from '../../support/server-process.ts'
import { createTemporaryFolder, removeFolder } from '../../support/temporary-folder.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import type { SignedInClient } from './probes.ts'

export const DEPENDENCIES = ['mail', 'hr', 'directory', 'provider', 'database'] as const
export type Dependency = (typeof DEPENDENCIES)[number]

/** A server and all its dependencies, each behind a fault proxy. */
export interface ServerWithProxies {
  readonly url: string
  readonly server: RunningProgram
  readonly proxies: Readonly<Record<Dependency, FaultProxy>>
  /** The number of mails that have arrived. */
  readonly countMails: () => number
  readonly visit: () => CookieClient
  readonly signIn: () => Promise<SignedInClient>
  /** Another server on the same database, with the same PUBLIC_URL and additional settings. */
  readonly startAnother: (environment: Record<string, string>) => Promise<{ url: string; server: RunningProgram }>
  readonly stop: () => Promise<void>
}

const at = (port: number): NetConnectOpts => ({ host: '127.0.0.1', port })

export const startServerWithProxies = async (sites: number): Promise<ServerWithProxies> => {
  const folder = await createTemporaryFolder()
  const own = await startPrivateDatabase({ dataDir: join(folder, 'database'), as: 'guest', writeLine: () => {}, durable: false })
  const socket: NetConnectOpts = { path: `${own.connection.host}/.s.PGSQL.${own.connection.port}` }
  const mail = await startMailServer()
  const photo = await createPlainImage(120, 120).jpeg().toBuffer()
  const directory = await startPhotoDirectory()
  directory.respond = respondWith(photo)
  let providerPort = 0
  const proxies = {
    mail: await startFaultProxy(() => at(Number(new URL(mail.url).port))),
    hr: await startFaultProxy(() => socket),
    directory: await startFaultProxy(() => at(Number(new URL(directory.url).port))),
    provider: await startFaultProxy(() => at(providerPort)),
    database: await startFaultProxy(() => socket),
  }
  const accounts = await startOidcProvider(`http://127.0.0.1:${proxies.provider.port}`)
  providerPort = accounts.port
  accounts.currentUser = createProviderUser({ address: 'super@network.test' })

  const port = await getFreePort()
  const url = `http://127.0.0.1:${port}`
  const environment = {
    ...accounts.environment,
    PUBLIC_URL: url,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: `postgres://homeroom@127.0.0.1:${proxies.database.port}/homeroom`,
    HR_URL: `postgres://homeroom@127.0.0.1:${proxies.hr.port}/homeroom`,
    GRAPH_URL: `http://127.0.0.1:${proxies.directory.port}/v1.0`,
    SMTP_URL: `smtp://127.0.0.1:${proxies.mail.port}`,
    CHANGE_REQUESTS_TO: 'changes@network.test',
    SUPPORT_REQUESTS_TO: 'support@network.test',
    SUPER_ADMINS: 'super@network.test',
    SAMPLE: String(sites),
  }
  const others: RunningProgram[] = []
  const start = async (more: Record<string, string>): Promise<RunningProgram> => {
    const server = startProgram(process.execPath, ['src/main.server.ts'], { ...environment, ...more })
    others.push(server)
    await server.waitForLine(/^Ready: /m)
    return server
  }
  const stop = async (): Promise<void> => {
    for (const proxy of Object.values(proxies)) await proxy.setFault('well')
    for (const { child, ended } of others) {
      child.kill('SIGTERM')
      await ended
    }
    for (const proxy of Object.values(proxies)) await proxy.stop()
    await mail.stop()
    await directory.close()
    await accounts.close()
    await own.stop()
    await removeFolder(folder)
  }
  const server = await start({ PORT: String(port) }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
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
    startAnother: async (more) => {
      const another = await getFreePort()
      return { url: `http://127.0.0.1:${another}`, server: await start({ ...more, PORT: String(another) }) }
    },
    stop,
  }
}
