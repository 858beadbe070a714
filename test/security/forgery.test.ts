import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { buildApp } from '../../src/app/app.server.ts'
import { getFreePort } from '../support/free-port.ts'
import { type HttpClient, openHttpClient } from '../support/http-requests.ts'
import { startListeningApp } from '../support/listening-app.ts'
import { startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import {
  checkCookies,
  type Target,
  tryBrokenRequests,
  tryForeignPages,
  tryForgedHosts,
  tryForwardedFor,
  tryRedirects,
} from './forgery/attacks.ts'
import { checkResponseHeaders } from './forgery/response-headers.ts'
import { checkStoredSecrets } from './forgery/stored-secrets.ts'

// The attacks of `npm run prove:forgery` that need no built web app.
vi.setConfig({ testTimeout: 180_000 })

let provider: OidcProvider
let local: Target
let proxied: Target
let localClient: HttpClient
let proxiedClient: HttpClient
const urlOf = ({ app }: { app: Target['app'] }): string => app.listeningOrigin

beforeAll(async () => {
  provider = await startOidcProvider()
  const [here, behind] = [
    await startListeningApp({ METRICS_TOKEN: 'a token of the tests' }),
    await startListeningApp({ ...provider.environment, PUBLIC_URL: 'https://homeroom.network.test', TRUST_PROXY: 'true' }),
  ]
  local = { ...here, url: urlOf(here) }
  proxied = { ...behind, url: urlOf(behind) }
  localClient = openHttpClient(local.url)
  proxiedClient = openHttpClient(proxied.url)
})
afterAll(async () => {
  localClient.close()
  proxiedClient.close()
  await provider.close()
})

test('no parameter, path or header leads to another site', async () => {
  expect((await tryRedirects(local, localClient.send, true)).wrong).toEqual([])
  expect((await tryForgedHosts(localClient.send)).wrong).toEqual([])
  expect((await tryForgedHosts(proxiedClient.send)).wrong).toEqual([])
})

describe('X-Forwarded-For', () => {
  test('is ignored where no proxy is trusted', async () => {
    expect((await tryForwardedFor(local, localClient.send)).wrong).toEqual([])
  })
  test('counts only for what the trusted proxy added', async () => {
    expect((await tryForwardedFor(proxied, proxiedClient.send, '203.0.113.9')).wrong).toEqual([])
  })
})

test('broken and smuggled requests have no effect', async () => {
  expect((await tryBrokenRequests(local)).wrong).toEqual([])
})

test('another site’s page has no effect, even with the cookies', async () => {
  expect((await tryForeignPages(local, localClient.send)).wrong).toEqual([])
})

test('every kind of response has every security header, and a policy without unsafe-', async () => {
  expect((await checkResponseHeaders(local, localClient.send)).wrong).toEqual([])
  expect((await checkResponseHeaders(proxied, proxiedClient.send)).wrong).toEqual([])
})

test('cookies over https are bound to their host and out of the reach of scripts', async () => {
  const { headers } = await proxiedClient.send('GET', '/auth/azure')
  const lines = [headers['set-cookie'] ?? []].flat()
  expect(lines).toHaveLength(1)
  expect(checkCookies(lines, proxied.context.configuration).wrong).toEqual([])
})

test('directory tokens are sealed, and a replaced SECRET_KEY breaks nothing', async () => {
  const server = await startListeningApp(provider.environment)
  const port = await getFreePort()
  const key = { secretKey: 'another secret key, just as long as it', publicUrl: `http://127.0.0.1:${port}` }
  const configuration = { ...server.context.configuration, ...key }
  const context = { ...server.context, configuration }
  const app = await buildApp(context)
  await app.listen({ host: '127.0.0.1', port })
  const other = { context, url: key.publicUrl }
  expect((await checkStoredSecrets({ context: server.context, url: urlOf(server) }, other, provider)).wrong).toEqual([])
  await app.close()
})
