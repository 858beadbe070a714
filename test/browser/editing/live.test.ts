import type { Browser, BrowserContext, Page } from '@playwright/test'

import { readUser } from '../../../src/features/access/session/contract.ts'
import { planChange } from '../../../src/features/changing/changesets/contract.ts'
import { createComment } from '../../../src/features/changing/comments/contract.ts'
import { sendChangeRequest } from '../../../src/features/changing/requests/contract.ts'
import { updateSite } from '../../../src/records/sites/contract.ts'
import { baseUrl, expect, test } from '../fixtures.ts'
import { newSite, sendCall } from '../records.ts'

// Two browsers side by side: what one saves, the other shows without being loaded again.

test.use({ level: 6 })

type StateOf = (level: number) => Promise<Awaited<ReturnType<BrowserContext['storageState']>>>
const openOther = async (browser: Browser, stateOf: StateOf, level = 5): Promise<BrowserContext> =>
  browser.newContext({ baseURL: baseUrl(), storageState: await stateOf(level), reducedMotion: 'reduce' })
/** Shown within two seconds of the save. */
const SOON = { timeout: 2000 }
/** What is on the page must still be there: a page that was loaded again has lost it. */
const keepMark = (page: Page) => page.evaluate(() => void Object.assign(self, { isSamePage: true }))
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in self)
/** The page learns of changes once its stream is open. */
const openLive = async (page: Page, path: string): Promise<void> => {
  const stream = page.waitForResponse(/\/api\/live/)
  await page.goto(path)
  await stream
}

test('a page shows a save of another browser, marks the fact and says who saved', async ({ page, context, browser, stateOf }) => {
  const other = await openOther(browser, stateOf)
  const site = await newSite(context)
  await openLive(page, `/location/${site.slug}`)
  await keepMark(page)
  await page.getByRole('heading', { name: 'Closures', exact: true }).scrollIntoViewIfNeeded()
  const { name } = await sendCall(other, readUser)
  const heading = page.getByRole('heading', { name: 'Closures', exact: true })
  const before = await heading.boundingBox()
  await sendCall(other, updateSite, { id: site._id }, { address: { closures: 'Closed on Fridays' } })
  const text = page.getByText('Closed on Fridays', { exact: true })
  await expect(text).toBeVisible(SOON)
  await expect(text).toHaveAttribute('data-just-changed', /\d/)
  await expect(page.getByRole('status').filter({ hasText: `Changed by ${name} just now` })).toBeVisible()
  expect(await heading.boundingBox()).toEqual(before)
  // Only what changed is marked.
  await expect(page.locator('[data-just-changed]')).toHaveCount(1)
  await expect(page.locator('[data-just-changed]')).toHaveCount(0, { timeout: 8000 })
  await expect(page.getByText('just now')).toHaveCount(0)
  expect(await isSamePage(page)).toBe(true)
  await other.close()
})

test('a list shows a save and a new record in place', async ({ page, context, browser, stateOf }) => {
  const other = await openOther(browser, stateOf)
  const site = await newSite(context)
  await openLive(page, `/locations?q=${encodeURIComponent(site.displayName)}`)
  await expect(page.getByText(site.displayName).first()).toBeVisible()
  await keepMark(page)
  await sendCall(other, updateSite, { id: site._id }, { displayName: `${site.displayName} North` })
  await expect(page.getByText(`${site.displayName} North`).first()).toBeVisible(SOON)
  const second = await newSite(other, { displayName: `${site.displayName} South` })
  await expect(page.getByText(second.displayName).first()).toBeVisible(SOON)
  expect(await isSamePage(page)).toBe(true)
  await other.close()
})

test('a comment and a planned change of someone else appear', async ({ page, context, browser, stateOf }) => {
  const other = await openOther(browser, stateOf, 6)
  const site = await newSite(context)
  await openLive(page, `/location/${site.slug}`)
  await expect(page.getByRole('heading', { name: 'Comments', exact: true })).toBeVisible()
  await keepMark(page)
  await sendCall(other, createComment, { kind: 'site', id: site._id }, { text: 'The gate is closed on Mondays' })
  await expect(page.getByText('The gate is closed on Mondays')).toBeVisible(SOON)
  const day = `${new Date().getFullYear() + 1}-07-01`
  await sendCall(other, planChange, {}, { kind: 'site', _id: site._id, day, changes: { 'address.closures': 'Closed on Fridays' } })
  await expect(page.getByText('Closed on Fridays').first()).toBeVisible(SOON)
  expect(await isSamePage(page)).toBe(true)
  await other.close()
})

test('the menu counts a request that has just been sent', async ({ page, context, browser, stateOf }) => {
  const other = await openOther(browser, stateOf, 10)
  const site = await newSite(context)
  await openLive(page, '/')
  const entry = page.locator('#menu').getByRole('link', { name: /^Requests/ })
  const readCount = async () => Number(/\d+/.exec((await entry.textContent()) ?? '')?.[0] ?? 0)
  await expect(entry).toBeAttached()
  const before = await readCount()
  await sendCall(other, sendChangeRequest, {}, { site: site._id, correctText: 'The gate is blue now' })
  await expect.poll(readCount, SOON).toBeGreaterThan(before)
  await other.close()
})

test.describe('a form', () => {
  test('shows what someone else has just saved, and takes it over', async ({ page, context, browser, stateOf }) => {
    const other = await openOther(browser, stateOf)
    const site = await newSite(context)
    await openLive(page, `/location/${site.slug}?edit=1`)
    await page.getByLabel('City').fill('Palmdale')
    const { name } = await sendCall(other, readUser)
    await sendCall(other, updateSite, { id: site._id }, { address: { closures: 'Closed on Fridays' } })
    const news = page.getByRole('region', { name: 'Saved in the meantime', exact: true })
    await expect(news).toContainText(`${name} just saved this site`, SOON)
    await expect(news).toContainText('Closures')
    await expect(news).toContainText('Closed on Fridays')
    await expect(news).toContainText('Your changes stay as they are.')
    // Nothing changes below the hands of someone who types.
    await expect(page.getByLabel('Closures')).toHaveValue('')
    await news.getByRole('button', { name: 'Show in the Form', exact: true }).click()
    await expect(page.getByLabel('Closures')).toHaveValue('Closed on Fridays')
    await expect(page.getByLabel('City')).toHaveValue('Palmdale')
    await expect(news).toHaveCount(0)
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Saved.')).toBeVisible()
    await expect(page.getByText('Palmdale').first()).toBeVisible()
    await other.close()
  })

  test('compares a field that both changed, before it is saved', async ({ page, context, browser, stateOf }) => {
    const other = await openOther(browser, stateOf)
    const site = await newSite(context)
    await openLive(page, `/location/${site.slug}?edit=1`)
    await page.getByLabel('City').fill('Palmdale')
    await sendCall(other, updateSite, { id: site._id }, { address: { city: 'Rosamond' } })
    const news = page.getByRole('region', { name: 'Saved in the meantime', exact: true })
    await expect(news).toContainText('You changed City too.', SOON)
    await news.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(page.getByRole('heading', { name: /saved this while you were editing$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Keep All of Mine', exact: true }).click()
    await page.getByRole('button', { name: 'Save Combined Version', exact: true }).click()
    await expect(page.getByText('Palmdale').first()).toBeVisible()
    await other.close()
  })

  test('says who else has it open, and a page does not', async ({ page, context, browser, stateOf }) => {
    const other = await openOther(browser, stateOf)
    const site = await newSite(context)
    await openLive(page, `/location/${site.slug}?edit=1`)
    const editors = page.getByText(/(is|are) editing this site$/)
    const [{ name }, { name: ownName }] = [await sendCall(other, readUser), await sendCall(context, readUser)]
    const theirs = await other.newPage()
    await openLive(theirs, `/location/${site.slug}`)
    await page.waitForResponse(/\/api\/live\/forms/)
    await expect(editors).toHaveCount(0)
    await expect(theirs.getByText(/editing this site$/)).toHaveCount(0)
    await theirs.getByRole('button', { name: 'Edit Site', exact: true }).click()
    await expect(editors).toHaveText(`${name} is editing this site`, { timeout: 4000 })
    await expect(theirs.getByText(/editing this site$/)).toHaveText(`${ownName} is editing this site`, { timeout: 4000 })
    // A second tab of one's own is no one else.
    const second = await context.newPage()
    await openLive(second, `/location/${site.slug}?edit=1`)
    await expect(second.getByText(/editing this site$/)).toHaveText(`${name} is editing this site`, { timeout: 6000 })
    await theirs.getByRole('button', { name: 'Cancel Edit', exact: true }).click()
    await expect(editors).toHaveCount(0, SOON)
    await theirs.getByRole('button', { name: 'Edit Site', exact: true }).click()
    await expect(editors).toHaveText(`${name} is editing this site`, { timeout: 4000 })
    // A closed laptop says nothing.
    await other.setOffline(true)
    await expect(editors).toHaveCount(0, { timeout: 10_000 })
    await second.close()
    await other.close()
  })
})

test('tabs of one browser share one stream, which another tab takes over', async ({ page, context, browser, stateOf }) => {
  const other = await openOther(browser, stateOf)
  const site = await newSite(context)
  const streams: string[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/live') streams.push(request.url())
  })
  await openLive(page, `/location/${site.slug}`)
  const second = await context.newPage()
  await second.goto(`/location/${site.slug}`)
  await sendCall(other, updateSite, { id: site._id }, { address: { closures: 'Closed on Fridays' } })
  for (const tab of [page, second]) await expect(tab.getByText('Closed on Fridays', { exact: true })).toBeVisible({ timeout: 4000 })
  expect(streams).toHaveLength(1)
  await page.close()
  await expect.poll(() => streams.length).toBe(2)
  await sendCall(other, updateSite, { id: site._id }, { address: { closures: 'Closed on Mondays' } })
  await expect(second.getByText('Closed on Mondays', { exact: true })).toBeVisible(SOON)
  await other.close()
})

test('a page that was cut off shows what it missed', async ({ page, context, browser, stateOf, pageErrors }) => {
  pageErrors.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK|ConnectionLost|Failed to (fetch|send)/)
  const other = await openOther(browser, stateOf)
  const site = await newSite(context)
  await openLive(page, `/location/${site.slug}`)
  await context.setOffline(true)
  await sendCall(other, updateSite, { id: site._id }, { address: { closures: 'Closed on Fridays' } })
  await context.setOffline(false)
  await expect(page.getByText('Closed on Fridays', { exact: true })).toBeVisible({ timeout: 5000 })
  await other.close()
})
