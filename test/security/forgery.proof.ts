import { createCookieClient } from '../support/cookie-client.ts'
import { openHttpClient } from '../support/http-requests.ts'
import { startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { startOidcProvider } from '../support/oidc-provider.ts'
import { runProof } from '../support/proof.ts'
import { signIn } from '../support/provider-sign-in.ts'
import { type Attempts, reportAttempts } from './attempts.ts'
import { checkCookies, tryBrokenRequests, tryForeignPages, tryForgedHosts, tryForwardedFor, tryRedirects } from './forgery/attacks.ts'
import { checkResponseHeaders } from './forgery/response-headers.ts'
import { checkStoredSecrets } from './forgery/stored-secrets.ts'

await runProof('forgery', async (proof) => {
  const report = (what: string, attempts: Attempts, outcome: string): void => reportAttempts(proof, what, attempts, outcome)
  await using provider = await startOidcProvider()
  await using local = await startAppWithDatabase({ METRICS_TOKEN: 'a token of the proof, long enough' })
  // Configured for a proxy that terminates TLS, but called directly.
  const behindProxy = { PUBLIC_URL: 'https://homeroom.network.test', TRUST_PROXY: 'true' }
  await using proxied = await startAppWithDatabase({ ...provider.environment, ...behindProxy })
  await using work = await startAppWithDatabase(provider.environment)
  const anotherKey = { SECRET_KEY: 'another secret key, just as long as it' }
  await using otherKey = await startAppWithDatabase({ ...provider.environment, ...anotherKey }, work)
  using localClient = openHttpClient(local.url)
  using proxiedClient = openHttpClient(proxied.url)
  const [send, sendProxied] = [localClient.send, proxiedClient.send]

  const redirect = 'that redirect there'
  report('Addresses of another site in every place that a redirect could use', await tryRedirects(local, send), redirect)
  report('The same behind a proxy and with a provider of work accounts', await tryRedirects(proxied, sendProxied), redirect)
  const trusted = 'trusted or repeated'
  report('Requests with a forged Host, X-Forwarded-Host, Forwarded, X-Original-URL …', await tryForgedHosts(send), trusted)
  report('The same where a proxy is trusted', await tryForgedHosts(sendProxied), trusted)
  report('Requests with a forged X-Forwarded-For, no proxy trusted', await tryForwardedFor(local, send), 'trusted')
  report('The same, before what a trusted proxy adds', await tryForwardedFor(proxied, sendProxied, '203.0.113.9'), 'trusted')
  report('Broken and smuggled requests, upgrades, lines put into headers', await tryBrokenRequests(local), 'that had an effect')
  const accepted = 'accepted, or answered for another origin'
  report('Requests that another site’s page can cause, with cookies', await tryForeignPages(local, send), accepted)
  report('Kinds of answer, each with every security header and no `unsafe-`', await checkResponseHeaders(local, send), 'without')
  report('The same over https', await checkResponseHeaders(proxied, sendProxied), 'without')

  const open = 'open to scripts, other hosts or other sites'
  const answers = [await sendProxied('GET', '/auth/azure'), await sendProxied('GET', '/auth/logout')]
  const lines = answers.flatMap(({ headers }) => headers['set-cookie'] ?? [])
  report('Cookies set over https', checkCookies(lines, proxied.context.configuration), open)
  const { browser } = await signIn(createCookieClient(work.url))
  const workLines = [...browser.cookies.values()].map(({ line }) => line)
  report('Cookies of a sign-in over plain http', checkCookies(workLines, work.context.configuration), open)
  const statements = 'Statements about directory tokens, sessions and tickets in the database, and about a replaced SECRET_KEY'
  report(statements, await checkStoredSecrets(work, otherKey, provider), 'false')
})
