import { createCookieClient } from '../support/cookie-client.ts'
import { startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { startOidcProvider } from '../support/oidc-provider.ts'
import { runProof } from '../support/proof.ts'
import { signIn } from '../support/provider-sign-in.ts'
import {
  openClient,
  type AttackReport,
  tryBrokenRequests,
  tryCookies,
  tryForeignPages,
  tryForgedHosts,
  tryForwardedFor,
  tryRedirects,
} from './forgery/attacks.ts'
import { checkResponseHeaders } from './forgery/response-headers.ts'
import { checkStoredSecrets } from './forgery/stored-secrets.ts'

await runProof('forgery', async ({ report, expectNone }) => {
  const reportAttack = (what: string, { tried, wrong }: AttackReport, succeeded: string): void => {
    report(what, tried)
    expectNone(`of them ${succeeded}`, wrong)
  }
  const provider = await startOidcProvider()
  const local = await startAppWithDatabase({ METRICS_TOKEN: 'a token of the proof, long enough' })
  // Configured for a proxy that terminates TLS, but called directly.
  const public_ = await startAppWithDatabase({ ...provider.environment, PUBLIC_URL: 'https://homeroom.network.test', TRUST_PROXY: 'true' })
  const work = await startAppWithDatabase(provider.environment)
  const otherKey = await startAppWithDatabase({ ...provider.environment, SECRET_KEY: 'another secret key, just as long as it' }, work)
  const [localClient, publicClient] = [openClient(local), openClient(public_)]
  try {
    reportAttack(
      'Addresses of another site in every place that a redirect could use',
      await tryRedirects(local, localClient.send),
      'that redirect there',
    )
    reportAttack(
      'The same behind a proxy and with a provider of work accounts',
      await tryRedirects({ ...public_, url: public_.url }, publicClient.send),
      'that redirect there',
    )
    reportAttack(
      'Requests with a forged Host, X-Forwarded-Host, Forwarded, X-Original-URL …',
      await tryForgedHosts(localClient.send),
      'trusted or repeated',
    )
    reportAttack('The same where a proxy is trusted', await tryForgedHosts(publicClient.send), 'trusted or repeated')
    reportAttack('Requests with a forged X-Forwarded-For, no proxy trusted', await tryForwardedFor(local, localClient.send, 0), 'trusted')
    reportAttack('The same, before what a trusted proxy adds', await tryForwardedFor(public_, publicClient.send, 1), 'trusted')
    reportAttack('Broken and smuggled requests, upgrades, lines put into headers', await tryBrokenRequests(local), 'that had an effect')
    reportAttack(
      'Requests that another site’s page can cause, with cookies',
      await tryForeignPages(local, localClient.send),
      'accepted, or answered for another origin',
    )
    reportAttack(
      'Kinds of answer, each with every security header and no `unsafe-`',
      await checkResponseHeaders(local, localClient.send),
      'without',
    )
    reportAttack('The same over https', await checkResponseHeaders({ ...public_ }, publicClient.send), 'without')

    const lines: string[] = []
    for (const path of ['/auth/azure', '/auth/logout']) {
      const { headers } = await publicClient.send('GET', path)
      lines.push(...[headers['set-cookie'] ?? []].flat())
    }
    reportAttack('Cookies set over https', tryCookies(lines, public_.context.configuration), 'open to scripts, other hosts or other sites')
    const { browser } = await signIn(createCookieClient(work.url))
    reportAttack(
      'Cookies of a sign-in over plain http',
      tryCookies(
        [...browser.cookies.values()].map(({ line }) => line),
        work.context.configuration,
      ),
      'open to scripts, other hosts or other sites',
    )
    reportAttack(
      'Statements about directory tokens, sessions and tickets in the database, and about a replaced SECRET_KEY',
      await checkStoredSecrets(work, otherKey, provider),
      'false',
    )
  } finally {
    localClient.close()
    publicClient.close()
    for (const context of [otherKey, work, public_, local]) await context.stop()
    await provider.close()
  }
})
