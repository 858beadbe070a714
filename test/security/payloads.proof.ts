import { chromium } from '@playwright/test'

import playwright from '../../playwright.config.ts'
import { calls } from '../../src/app/routes.server.ts'
import { runProof } from '../support/proof.ts'
import { startServer } from '../support/server.ts'
import { findUntestedCalls, idOf } from './payloads/api-storage.ts'
import { countFormulas } from './payloads/exported-files.ts'
import { findUnvisitedRoutes } from './payloads/pages.ts'
import { PAYLOADS } from './payloads/payloads.ts'
import { showPayloads, storePayloads } from './payloads/run.ts'
import { runControl } from './payloads/unsafe-page.ts'

// Texts that would execute, in every text field of every record, and every page that shows them: nothing executes and no request leaves.

await runProof('payloads', async ({ log, report, expectEqual, expectNone, expectAtLeast }) => {
  expectNone('Routes of the app that are not visited', findUnvisitedRoutes())
  expectNone('Calls that take a text and are not tried', findUntestedCalls(calls))
  // Where it is noon: reminders, which are mails with an HTML part, are sent from the morning on.
  const hoursToNoon = 12 - new Date().getUTCHours()
  const timeZone = `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`
  await using server = await startServer({ TIME_ZONE: timeZone })
  await using browser = await chromium.launch(playwright.use?.launchOptions)
  const { harmless, underPolicy } = await runControl(browser, server.url, PAYLOADS)
  report('Payloads', PAYLOADS.length)
  for (const kind of harmless) log(`  harmless on the unsafe page: ${kind}`)
  expectAtLeast('Of them, that run or send a request on a page that prints them unescaped', PAYLOADS.length - harmless.length, 27)
  expectEqual('Of them, that run on that page under the policy of the app', underPolicy.runs.length, 0)
  expectAtLeast('Violations of the policy there', underPolicy.violations.length, 1)

  const { stored, sets, columns } = await storePayloads(server, PAYLOADS)
  report('Sets of records of every kind, each with several payloads', sets.length)
  report('Text fields of the API', stored.fields.size)
  report('Pairs of field and payload that the API took', stored.stored.size)
  report('Pairs that a rule of the field refused', stored.refused.size)
  report('Columns filled without the API, as by an old import', columns)

  const { seen, user } = await showPayloads(browser, server, sets)
  report('Page views', seen.views)
  report('Of them, that show a payload as plain text', seen.withPayload)
  report('Inputs of forms that hold one', seen.inInputs)
  expectNone('Payloads that ran', seen.runs)
  expectNone('Requests that left the origin', seen.outside)
  expectNone('Violations of the content policy', seen.violations)
  expectNone('Uncaught errors', seen.errors)
  expectNone('Addresses on pages that are neither relative nor http(s), mailto or tel', seen.links)
  expectNone('Pages that were not shown', seen.broken)

  const texts = PAYLOADS.map(({ text }) => text)
  const files = await countFormulas(
    server,
    user.headers,
    texts,
    sets.map((set) => idOf(set, 'charter')),
  )
  report('Cells of workbooks and CSV files that hold a payload', files.cells)
  expectEqual('Cells that a spreadsheet would evaluate', files.formulas, 0)
  const mails = await server.db.selectFrom('mail').select('html').execute()
  const parts = mails.flatMap(({ html }) => html ?? [])
  // A payload without a tag is safe as it is.
  const tags = texts.filter((text) => text.includes('<'))
  expectAtLeast('Mails written', mails.length, sets.length)
  expectAtLeast('Of them, with an HTML part', parts.length, 1)
  expectEqual('HTML parts that contain a payload unescaped', parts.filter((html) => tags.some((tag) => html.includes(tag))).length, 0)
})
