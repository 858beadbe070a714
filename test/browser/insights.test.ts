import type { Page } from '@playwright/test'

import { deleteKeptInsight, listInsights, listKeptInsights, readInsight } from '../../src/app/insights/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 4 })

/** The card of an insight; its name is its title. */
const card = (page: Page, name: string) => page.locator(`article[id="${name}"]`)
const values = (page: Page, name: string) => card(page, name).locator('[data-spot]')
/** A picture is drawn when its values are there. */
const expectDrawn = async (page: Page, name: string): Promise<void> => {
  await expect(values(page, name).first()).toBeAttached({ timeout: 20_000 })
}
const focusedName = (page: Page): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
const openMenu = (page: Page, name: string) =>
  card(page, name)
    .getByRole('button', { name: /^More actions: / })
    .click()

test.describe('insights', () => {
  test('say what they found, follow the filters in the URL, and lead to the list behind', async ({ page, context }) => {
    const insights = await sendCall(context, listInsights)
    expect(insights.length).toBeGreaterThan(12)
    await visit(page, '/insights')
    await expect(page.getByRole('heading', { level: 1, name: 'Insights', exact: true })).toBeVisible()
    for (const { name, title } of insights) await expect(card(page, name).getByRole('heading', { level: 3 })).toHaveText(title ?? '')
    await expectDrawn(page, 'vacancies')
    await expectAccessible(page)

    await page.getByLabel('Region', { exact: true }).selectOption('Ohio')
    await expect(page).toHaveURL(/[?&]region=ohio/)
    const ohio = await sendCall(context, readInsight, { name: 'vacancies' })
    await expect(card(page, 'vacancies').getByRole('heading', { level: 3 })).not.toHaveText(ohio.title)
    const link = card(page, 'vacancies').getByRole('heading', { level: 3 }).getByRole('link')
    const to = await link.getAttribute('href')
    await link.click()
    await expect(page).toHaveURL((url) => `${url.pathname}${url.search}` === to)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/\/insights\?.*region=ohio/)
  })

  test('are read by keyboard from value to value, as a table, and lead to the list of a day', async ({ page, context }) => {
    const insight = await sendCall(context, readInsight, { name: 'site-openings' })
    await visit(page, '/insights?topic=Sites')
    await expectDrawn(page, 'site-openings')
    // One tab stop for the whole picture.
    await expect(card(page, 'site-openings').locator('[data-spot][tabindex="0"]')).toHaveCount(1)
    await card(page, 'site-openings').locator('[data-spot][tabindex="0"]').focus()
    await page.keyboard.press('Home')
    const first = await focusedName(page)
    expect(first).toMatch(/^[A-Z][a-z]{2} \d{4}, .+: \d+ sites/)
    await page.keyboard.press('ArrowRight')
    expect(await focusedName(page)).not.toBe(first)
    await page.keyboard.press('ArrowLeft')
    expect(await focusedName(page)).toBe(first)
    await page.keyboard.press('ArrowDown')
    expect(await focusedName(page)).toContain(insight.series[1]?.label ?? 'a second series')
    await page.keyboard.press('End')
    expect(await focusedName(page)).not.toBe(first)
    await expect(card(page, 'site-openings').locator('[data-picture="no"]')).toBeVisible()

    await card(page, 'site-openings')
      .getByRole('button', { name: /^Table: / })
      .click()
    const table = card(page, 'site-openings').getByRole('table')
    await expect(table.getByRole('columnheader')).toHaveText(['Period', ...insight.series.map(({ label }) => label)])
    await expect(table.locator('tbody tr')).toHaveCount(new Set(insight.series.flatMap(({ points }) => points.map(({ on }) => on))).size)
    await expectAccessible(page)

    // A point leads to the list of its day.
    await expectDrawn(page, 'site-status')
    await values(page, 'site-status').first().focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(({ pathname, searchParams }) => pathname === '/locations' && searchParams.get('on') !== null)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

  test('go to the home page and into the monthly email, and out of both', async ({ page, context }) => {
    for (const { _id } of await sendCall(context, listKeptInsights)) await sendCall(context, deleteKeptInsight, { id: _id })
    const { label } = findRecord(await sendCall(context, listInsights), 'vacancies', ({ name }) => name === 'vacancies')
    await visit(page, '/insights?topic=Staffing')
    await expectDrawn(page, 'vacancies')
    await openMenu(page, 'vacancies')
    await page.getByRole('menuitem', { name: 'Pin to home', exact: true }).click()
    await expect(page.getByText(`${label} is on your home page.`)).toBeVisible()
    await visit(page, '/')
    await expect(page.getByRole('heading', { name: 'Insights', exact: true })).toBeVisible()
    await expectDrawn(page, 'vacancies')
    await expectAccessible(page)
    await openMenu(page, 'vacancies')
    await page.getByRole('menuitem', { name: 'Unpin from home', exact: true }).click()
    await expect(card(page, 'vacancies')).toHaveCount(0)

    await visit(page, '/insights')
    await page.getByRole('button', { name: 'Monthly email', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Monthly email', exact: true })
    await dialog.getByRole('checkbox', { name: label, exact: true }).click()
    await expect(dialog.getByRole('checkbox', { name: label, exact: true })).toBeChecked()
    await expect
      .poll(async () => (await sendCall(context, listKeptInsights)).map(({ place, name }) => [place, name]))
      .toEqual([['mail', 'vacancies']])
    await expectAccessible(page, { resize: false })
    await dialog.getByRole('checkbox', { name: label, exact: true }).click()
    await expect.poll(async () => sendCall(context, listKeptInsights)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  test('are copied as a picture with their title, or downloaded where copying is refused', async ({ page }) => {
    await page.addInitScript(() => {
      // The browser of the tests has no permission for the clipboard.
      Object.defineProperty(navigator.clipboard, 'write', { value: () => Promise.reject(new Error('refused')) })
    })
    await page.goto('/insights?topic=Staffing')
    await expectDrawn(page, 'vacancies')
    await openMenu(page, 'vacancies')
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Copy picture', exact: true }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/\.png$/)
    const stream = await file.createReadStream()
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const png = Buffer.concat(chunks)
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    // Twice the size on the screen, with the heading above.
    expect(png.readUInt32BE(16)).toBeGreaterThan(600)
    expect(png.length).toBeGreaterThan(5000)
  })

  test('say so where there is nothing to draw, and where a picture could not be loaded', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 500/)
    pageErrors.expect(/GET \/api\/insights\/:name failed/)
    await page.route(/\/api\/insights\/site-status(\?|$)/, (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ error: 'Something went wrong' }) }),
    )
    await page.goto('/insights?topic=Sites')
    await expect(card(page, 'site-status').getByRole('button', { name: 'Retry', exact: true })).toBeVisible({ timeout: 20_000 })
    await page.unroute(/\/api\/insights\/site-status(\?|$)/)
    await card(page, 'site-status').getByRole('button', { name: 'Retry', exact: true }).click()
    await expectDrawn(page, 'site-status')
    await visit(page, '/insights?from=1990-01-01&to=1990-12-31&topic=Sites')
    await expect(card(page, 'site-status').getByText(/^The history begins on \d\d\/\d\d\/\d{4}\./)).toBeVisible({ timeout: 20_000 })
  })
})
