import { chromium } from '@playwright/test'

import playwright from '../../playwright.config.ts'
import type { Call } from '../../src/contract/call.ts'
import { can } from '../../src/contract/capabilities.ts'
import { readSheetPreview } from '../../src/features/exchange/sheets/contract.ts'
import { readChangeset } from '../../src/features/record-tools/changesets/contract.ts'
import { calls } from '../../src/routes.server.ts'
import { openHttpClient } from '../support/http-requests.ts'
import { startAppWithDatabase } from '../support/listening-app-with-database.ts'
import { runProof } from '../support/proof.ts'
import { createAccessReport, checkCallAccess } from './access/call-access.ts'
import { createCredentials } from './access/credentials.ts'
import { PAGES, readAppPages, checkPageHtml, checkPagesInBrowser } from './access/pages.ts'
import { METHODS, collectRoutes, findUnknownRoutes, checkPathSpellings, checkMethods } from './access/routes.ts'
import { createTestNetwork, createValidRequest } from './access/valid-requests.ts'

/** The credentials that a browser can store; the others differ from these only in headers, which pages do not send. */
const OPENS_PAGES = /^(nothing|a session (of level|that has expired|ended|of somebody who)|the cookie without|the token without its cookie)/

await runProof('access', async ({ log, report, expectEqual, expectNone }) => {
  const { made, routes } = await collectRoutes(() => startAppWithDatabase({ METRICS_TOKEN: 'a token of the proof, long enough' }))
  const { send, close } = openHttpClient(made.url)
  try {
    const target = { context: made.context, make: made.make, send }
    const credentials = await createCredentials(target)
    const network = await createTestNetwork(target)

    report('Calls', calls.length)
    report('Kinds of credential', credentials.length)
    const access = createAccessReport()
    for (const call of calls) await checkCallAccess(call, credentials, network, access)
    report('Calls sent with a credential, over the network', access.sent)
    report('of them to be refused, with real ids and a valid body', access.refused)
    expectNone('Answers that differ from the table of capabilities', access.mismatches)
    expectNone('Refused calls that changed a table (every row of every table compared)', access.changed)
    expectEqual('Calls that succeed with the same ids and body at a level that may make them', access.succeeded, calls.length)

    report('Routes the server registers', routes.size)
    expectNone('Routes that are neither a call nor listed by name', findUnknownRoutes(routes))
    const pages = Object.keys(PAGES).filter((page) => page !== '/$')
    let requests = 0
    const wrong: string[] = []
    for (const headers of [{}, network.owner.headers]) {
      const walked = await checkMethods(send, routes, pages, headers)
      requests += walked.requests
      wrong.push(...walked.wrong)
      if (headers === network.owner.headers) report('Paths under every method', walked.paths)
    }
    report(`Requests with a method that the path does not have (of ${METHODS.join(', ')})`, requests)
    expectNone('of them answered with anything but 404 or 405', wrong)
    const disguised = await checkPathSpellings(send)
    report('Calls sent without a session with another spelling of their path', disguised.requests)
    expectNone('of them answered with data of the network', disguised.wrong)

    const appPages = readAppPages()
    const different = Object.keys({ ...PAGES, ...appPages }).filter((page) => PAGES[page] !== appPages[page])
    report('Pages of the web app', Object.keys(PAGES).length)
    expectNone('Pages whose guard differs from the specification', different)
    const text = await checkPageHtml(send, credentials)
    report('Pages requested from the server, with every credential', text.requests)
    expectNone('of them with anything but the same empty app', text.wrong)

    const sis = await made.make.sisSite({ site: network.site._id })
    const idFor = async (call: Call, user = network): Promise<string> => String((await createValidRequest(call, user)).params?.['id'])
    const changeset = await idFor(readChangeset)
    const records = (page: string, sheet: string): string => {
      const slugs: Record<string, string> = {
        region: network.region.slug,
        charter: network.charter.slug,
        charterview: network.charter.slug,
        charter_affair: network.charter.slug,
        brand: network.brand._id,
        brandview: network.brand._id,
        location: network.site.slug,
        staff: network.person.slug,
        accounts: network.owner.account,
        sheets: sheet,
        changes: changeset,
      }
      if (page === '/$') return '/nothing/there'
      return page.replace('sis/$id', `sis/${sis._id}`).replace(/\$\w+/, encodeURIComponent(slugs[page.split('/')[1] ?? ''] ?? ''))
    }
    const inBrowser = credentials.filter(({ name }) => OPENS_PAGES.test(name))
    const browser = await chromium.launch(playwright.use?.launchOptions)
    try {
      let opened = 0
      const unexpected: string[] = []
      const waiting = [...inBrowser]
      // The longest first.
      waiting.sort((a, b) => Number(b.level === 1 || b.level === 10) - Number(a.level === 1 || a.level === 10))
      const work = async (): Promise<void> => {
        for (let credential = waiting.shift(); credential; credential = waiting.shift()) {
          // A preview of a sheet is shown only to the user who uploaded it.
          const mayUpload = !credential.isCookieAlone && credential.level !== null && can(credential.level, readSheetPreview.capability)
          const user = mayUpload
            ? { ...network, owner: { ...network.owner, headers: { authorization: '', cookie: '', ...credential.headers } } }
            : network
          const sheet = await idFor(readSheetPreview, user)
          const walked = await checkPagesInBrowser(browser, made.url, credential, (page) => records(page, sheet))
          opened += walked.opened
          unexpected.push(...walked.wrong)
          log(`      pages opened with ${credential.name}`)
        }
      }
      await Promise.all([work(), work(), work(), work()])
      report(`Pages opened in Chromium, with ${inBrowser.length} credentials`, opened)
      expectNone('of them that ended elsewhere than the table of capabilities says', unexpected)
    } finally {
      await browser.close()
    }
  } finally {
    close()
    await made.stop()
  }
})
