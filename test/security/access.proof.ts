import { chromium } from '@playwright/test'

import playwright from '../../playwright.config.ts'
import { calls } from '../../src/app/routes.server.ts'
import { can } from '../../src/contract/capabilities.ts'
import { openHttpClient } from '../support/http-requests.ts'
import { startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { runProof } from '../support/proof.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { findCall } from '../support/schema-fields.ts'
import { AccessReport, checkCallAccess } from './access/call-access.ts'
import { type Credential, createCredentials } from './access/credentials.ts'
import { PAGES, readAppPages, checkPageHtml, checkPagesInBrowser } from './access/pages.ts'
import { METHODS, collectRoutes, findUnknownRoutes, checkPathSpellings, checkMethods } from './access/routes.ts'
import { createTestNetwork } from './access/test-network.ts'
import { createValidRequest } from './access/valid-requests.ts'
import { Attempts, reportAttempts } from './attempts.ts'
import type { PageRecords } from './page-paths.ts'

/** The credentials that a browser can store; the others differ from these only in headers, which pages do not send. */
const OPENS_PAGES = /^(nothing|a session (of level|that has expired|ended|of someone who)|the cookie without|the token without its cookie)/

const BROWSER_WINDOWS = 4

await runProof('access', async (proof) => {
  const { log, report, expectEqual, expectNone } = proof
  const { made, routes } = await collectRoutes(() => startAppWithDatabase({ METRICS_TOKEN: 'a token of the proof, long enough' }))
  await using app = made
  const { url, context, make } = app
  using client = openHttpClient(url)
  const { send } = client
  const target = { context, make, send }
  const network = await createTestNetwork(target)
  const credentials = await createCredentials(target)

  report('Calls', calls.length)
  report('Kinds of credential', credentials.length)
  const access = new AccessReport()
  for (const call of calls) await checkCallAccess(call, credentials, network, access)
  report('Calls sent with a credential, over the network', access.sent)
  report('of them to be refused, with real ids and a valid body', access.refused)
  expectNone('Responses that differ from the table of capabilities', access.mismatches)
  expectNone('Refused calls that changed a table (every row of every table compared)', access.changed)
  expectEqual('Calls that succeed with the same ids and body at a level that may make them', access.succeeded, calls.length)

  report('Routes the server registers', routes.size)
  expectNone('Routes that are neither a call nor listed by name', findUnknownRoutes(routes))
  const pages = Object.keys(PAGES).filter((page) => page !== '/$')
  const { paths, attempts } = await checkMethods(send, routes, pages, [{}, network.owner.headers])
  report('Paths under every method', paths)
  const withMethods = `Requests with a method that the path does not have (of ${METHODS.join(', ')})`
  reportAttempts(proof, withMethods, attempts, 'answered with anything but 404 or 405')
  const spellings = 'Calls sent without a session with another spelling of their path'
  reportAttempts(proof, spellings, await checkPathSpellings(send), 'answered with data of the network')

  const appPages = readAppPages()
  const different = Object.keys({ ...PAGES, ...appPages }).filter((page) => PAGES[page] !== appPages[page])
  report('Pages of the web app', Object.keys(PAGES).length)
  expectNone('Pages whose guard differs from the written list of pages', different)
  const html = 'Pages requested from the server, with every credential'
  reportAttempts(proof, html, await checkPageHtml(send, credentials), 'with anything but the same empty app')

  const idFor = async (name: string, user = network): Promise<string> =>
    String((await createValidRequest(findCall(name), user)).params?.['id'])
  const records: PageRecords = {
    region: network.region.slug,
    charter: network.charter.slug,
    brand: network.brand._id,
    site: network.site.slug,
    sis: await idFor('GET /locations-api/sis/:id'),
    person: network.person.slug,
    account: network.owner.account,
    changeset: await idFor('GET /api/changesets/:id'),
    webhook: await idFor('GET /api/webhooks/:id'),
    // A suggestion is shown only to its sender and to administrators; without an id the page is the list.
    proposal: '',
  }
  /** A preview of a sheet is shown only to the user who uploaded it. */
  const createSheetFor = ({ isCookieAlone, level, headers }: Credential): Promise<string> => {
    const mayUpload = !isCookieAlone && level !== null && can(level, 'manage the network')
    const owner = { ...network.owner, headers: { authorization: '', cookie: '', ...headers } }
    return idFor('GET /api/sheets/preview/:id', mayUpload ? { ...network, owner } : network)
  }
  // The longest first.
  const inBrowser = credentials
    .filter(({ name }) => OPENS_PAGES.test(name))
    .toSorted((a, b) => Number(b.level === 1 || b.level === 10) - Number(a.level === 1 || a.level === 10))
  await using browser = await chromium.launch(playwright.use?.launchOptions)
  const opened = new Attempts()
  await runConcurrently(inBrowser, BROWSER_WINDOWS, async (credential) => {
    await checkPagesInBrowser(browser, url, credential, { ...records, sheet: await createSheetFor(credential) }, opened)
    log(`      pages opened with ${credential.name}`)
  })
  const inChromium = `Pages opened in Chromium, with ${inBrowser.length} credentials`
  reportAttempts(proof, inChromium, opened, 'that ended elsewhere than the table of capabilities says')
})
