import type { BrowserContext, Page } from '@playwright/test'

import { previewSheet } from '../../../src/features/changing/sheets/contract.ts'
import { readCharterAffair } from '../../../src/records/charter-affairs/contract.ts'
import type { Charter } from '../../../src/records/charters/contract.ts'
import { expect, getToken, test } from '../fixtures.ts'
import { newCharter, sendCall } from '../records.ts'

test.use({ level: 5 })

/** Enough rows that saving takes several seconds. */
const MANY = 3000
const APPLY = '**/api/sheets/preview/*/apply'

/** Uploads a sheet with many new districts of a charter, and opens its preview. */
const openPreview = async (page: Page, context: BrowserContext, charter: Charter, count: number) => {
  const rows = Array.from({ length: count }, (_, nth) => `,${charter.name},Center ${nth}\r\n`)
  const response = await context.request.fetch(previewSheet.path.replace(':kind', 'districts'), {
    method: 'POST',
    headers: { authorization: `Bearer ${await getToken(context)}` },
    multipart: {
      file: { name: 'Districts.csv', mimeType: 'text/csv', buffer: Buffer.from(`_id,Charter,Center name\r\n${rows.join('')}`) },
    },
  })
  const { _id, newRows } = (await response.json()) as { _id: string; newRows: number }
  expect(newRows).toBe(count)
  await page.goto(`/sheets/${_id}`)
}
const countDistricts = async (context: BrowserContext, { _id }: Charter) =>
  (await sendCall(context, readCharterAffair, { id: _id })).charter_affair_info[0]?.center_district.length ?? 0

const saving = (page: Page) => page.getByRole('dialog', { name: /^Saving/ })
const bar = (page: Page) => saving(page).getByRole('progressbar')
const stop = (page: Page) => saving(page).getByRole('button', { name: 'Stop', exact: true })
const save = (page: Page) => page.getByRole('button', { name: /^Save [\d,]+ changes?/ }).click()
const stopped = (page: Page) => page.getByRole('alert').filter({ hasText: 'The saving was stopped. Nothing was saved.' })
/** The number of saved records in the progress bar; 0 before the first. */
const readSaved = async (page: Page): Promise<number> =>
  Number(
    (await bar(page)
      .getAttribute('value', { timeout: 500 })
      .catch(() => null)) ?? 0,
  )

test(
  'saving a large sheet shows its progress, can be stopped with nothing saved, and continues after a reload',
  { tag: '@all' },
  async ({ page, context, pageErrors }) => {
    test.slow()
    pageErrors.expect(/status of 409/)
    pageErrors.expect(/POST \/api\/sheets\/preview\/:id\/apply failed/)
    const charter = await newCharter(context)
    await openPreview(page, context, charter, MANY)

    // Stopped before the server has started.
    await page.route(APPLY, async (route) => {
      await stop(page).click()
      await route.continue()
    })
    await save(page)
    await expect(stopped(page)).toBeVisible({ timeout: 30_000 })
    await expect(saving(page)).toHaveCount(0)
    await page.unroute(APPLY)

    // Stopped in the middle.
    await save(page)
    await expect(saving(page)).toContainText(`Saving ${MANY.toLocaleString('en-US')} changes`)
    await expect.poll(() => readSaved(page), { message: 'records that are saved so far', intervals: [50] }).toBeGreaterThan(0)
    await expect(saving(page).getByRole('status')).toHaveText(/^[\d,]+ of 3,000 records$/)
    await expect(saving(page)).toContainText(charter.name)
    await expect(saving(page)).toContainText(/(a few|about \d+) seconds left/)
    await stop(page).click()
    await expect(stopped(page)).toBeVisible({ timeout: 30_000 })
    expect(await countDistricts(context, charter), 'districts that were saved although it was stopped').toBe(0)

    // The bar moves, and saving continues after the page is closed.
    await save(page)
    await expect.poll(() => readSaved(page), { message: 'records that are saved so far', intervals: [50] }).toBeGreaterThan(0)
    const before = await readSaved(page)
    await page.reload()
    await expect(stop(page)).toBeVisible()
    await expect.poll(() => readSaved(page), { message: 'records that are saved after the page was loaded again' }).toBeGreaterThan(before)
    await expect(page.getByRole('heading', { level: 1, name: '3,000 changes are saved', exact: true })).toBeVisible({ timeout: 60_000 })
    expect(await countDistricts(context, charter)).toBe(MANY)
  },
)

test('a save that completes before it is stopped is reported as saved', async ({ page, context, pageErrors }) => {
  pageErrors.expect(/status of 409/)
  pageErrors.expect(/POST \/api\/sheets\/preview\/:id\/stop failed/)
  const charter = await newCharter(context)
  await openPreview(page, context, charter, 1)
  // The save is complete, but its response is still pending.
  await page.route(APPLY, async (route) => {
    const response = await route.fetch()
    const refused = page.waitForResponse((one) => one.url().endsWith('/stop'))
    await stop(page).click()
    expect((await refused).status()).toBe(409)
    await route.fulfill({ response })
  })
  await save(page)
  await expect(page.getByRole('heading', { level: 1, name: '1 change is saved', exact: true })).toBeVisible()
  await expect(page.getByText('This was saved before it could be stopped.')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toHaveCount(0)
  expect(await countDistricts(context, charter)).toBe(1)
})
