import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { chromium } from '@playwright/test'

import { findChromium } from '../../scripts/chromium.mjs'
import { calls } from '../../src/routes.server.ts'
import { prove } from '../support/proof.ts'
import { startOwnServer } from '../support/server-with-database.ts'
import { forgotten } from './payloads/api-storage.ts'
import { formulasIn, mailsWithMarkup } from './payloads/exported-files.ts'
import { routesLeftOut } from './payloads/pages.ts'
import { PAYLOADS } from './payloads/payloads.ts'
import { showPayloads, storePayloads } from './payloads/run.ts'
import { controlledBy } from './payloads/unsafe-page.ts'
import type { Seen } from './payloads/watched-browser.ts'

// Texts that would run, in every text field of every record, and every page that shows them: nothing runs and nothing leaves.

await prove('payloads', async ({ say, tell, mustBe, atLeast }) => {
  mustBe('Routes of the app that are not looked at', routesLeftOut().length, 0)
  mustBe('Calls that take a text and are not tried', forgotten(calls).length, 0)
  const server = await startOwnServer()
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const control = await controlledBy(browser, server.url, PAYLOADS)
    tell('Payloads', PAYLOADS.length)
    for (const kind of control.harmless) say(`  harmless on the careless page: ${kind}`)
    atLeast('Of them, that run or reach out on a page that writes them down as they are', PAYLOADS.length - control.harmless.length, 27)
    mustBe('Of them, that run on that page under the policy of the app', control.ran, 0)
    atLeast('Violations of the policy seen there', control.violations, 1)

    const { stored, sets, columns } = await storePayloads(server, PAYLOADS)
    tell('Sets of records of every kind, each with several payloads', sets.length)
    tell('Text fields of the API', stored.fields.size)
    tell('Pairs of field and payload that the API took', stored.stored.size)
    tell('Pairs that a rule of the field refused', stored.refused.size)
    tell('Columns filled past the API, as by an old import', columns)

    const { looked, seen, somebody } = await showPayloads(browser, server, sets)
    tell('Page views', looked.views)
    tell('Of them, that show a payload as the text it is', looked.withPayload)
    tell('Inputs of forms that hold one', looked.inInputs)
    const count = (of: keyof Seen): number => {
      const found = seen.flatMap((one) => one[of])
      for (const one of [...new Set(found)].slice(0, 20)) say(`  ${of}: ${one}`)
      return found.length
    }
    mustBe('Payloads that ran', count('runs'), 0)
    mustBe('Requests that left the origin', count('outside'), 0)
    mustBe('Violations of the content policy', count('violations'), 0)
    mustBe('Errors nobody caught', count('errors'), 0)
    mustBe('Addresses on pages that are neither relative nor http(s), mailto or tel', count('links'), 0)
    for (const one of looked.broken) say(`  not shown: ${one}`)
    mustBe('Pages that were not shown', looked.broken.length, 0)

    const files = await formulasIn(
      server,
      somebody.headers,
      PAYLOADS.map(({ text }) => text),
    )
    tell('Cells of workbooks and CSV files that hold a payload', files.cells)
    mustBe('Cells that a spreadsheet would compute', files.formulas, 0)
    const folder = join(server.dataDir, 'mail')
    const mails = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')))
    atLeast('Mails written', mails.length, sets.length)
    mustBe('Mails with a part that is not plain text', mailsWithMarkup(mails), 0)
  } finally {
    await browser.close()
    await server.stop()
  }
})
