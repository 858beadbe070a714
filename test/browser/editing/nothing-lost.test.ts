import type { BrowserContext, Page } from '@playwright/test'

import { readSite, updateSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

/** Signed out. */
const SIGNED_OUT = { cookies: [], origins: [] }

const openForm = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/${site.slug}?edit=1`)
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${site.displayName}` })).toBeVisible()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const read = (context: BrowserContext, site: Site) => sendCall(context, readSite, { slug: site.slug })
const isSaved = (page: Page, site: Site) =>
  expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
const saveMeanwhile = async (context: BrowserContext, site: Site, address: object): Promise<void> => {
  await sendCall(context, updateSite, { id: site._id }, { address })
}

test.describe('two people editing one record', () => {
  test('fields that only one of them changed are merged', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    await saveMeanwhile(context, site, { fax: '6615550149' })
    pageErrors.expect(/412/)
    pageErrors.expect(/PATCH/)
    await save(page).click()
    await isSaved(page, site)
    await expect(page.getByText('Saved. Changes that Level 6 made in the meantime were kept too')).toBeVisible()
    expect((await read(context, site)).address).toMatchObject({ city: 'Palmdale', fax: '6615550149' })
  })

  test('a field that both changed shows both versions and the original, one is chosen, and nothing typed is lost', async ({
    page,
    context,
    pageErrors,
  }) => {
    test.slow()
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('Phone').fill('661-555-0142')
    await page.getByLabel('Closures').fill('Closed on Fridays in July.')
    await page.getByLabel('City').fill('Palmdale')
    await saveMeanwhile(context, site, { phone: '661-555-0181', closures: 'Closed on Mondays in July.', fax: '6615550149' })
    pageErrors.expect(/412/)
    pageErrors.expect(/PATCH/)
    await save(page).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Level 6 saved this while you were editing' })).toBeVisible()
    const phone = page.getByRole('group', { name: /^Phone/ })
    await expect(phone).toContainText('661-555-0142')
    await expect(phone).toContainText('661-555-0181')
    await expect(phone).toContainText('Original661-555-0140')
    const kept = page.getByRole('region', { name: 'Changed by only one of you. Both changes will be saved.' })
    await expect(kept.getByRole('listitem').filter({ hasText: 'City' })).toContainText('Palmdale')
    await expect(kept.getByRole('listitem').filter({ hasText: 'Fax' })).toContainText('661-555-0149')
    await expectAccessible(page)

    // Nothing is lost on the way back to the form.
    await page.getByRole('button', { name: 'Back to the Form' }).first().click()
    await expect(page.getByLabel('Phone')).toHaveValue('661-555-0142')
    await save(page).click()

    await phone.getByRole('radio', { name: /Your version/ }).check()
    await page
      .getByRole('group', { name: /^Closures/ })
      .getByRole('radio', { name: 'Both, combined' })
      .check()
    await page.getByLabel('Closures, combined').fill('Closed on Mondays and Fridays in July.')
    await page.getByRole('button', { name: 'Save Combined Version' }).click()
    await isSaved(page, site)
    expect((await read(context, site)).address).toMatchObject({
      phone: '661-555-0142',
      closures: 'Closed on Mondays and Fridays in July.',
      city: 'Palmdale',
      fax: '6615550149',
    })
  })
})

test.describe('unsaved changes', () => {
  test('survive a reload and are offered again', async ({ page, context }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect(page.getByLabel('City')).toHaveValue('Lancaster')
    const offer = page.getByRole('region', { name: 'Unsaved changes' })
    await expect(offer).toContainText('City')
    await offer.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByLabel('City')).toHaveValue('Palmdale')
    await save(page).click()
    await isSaved(page, site)
    expect((await read(context, site)).address.city).toBe('Palmdale')
    // Saved changes are no longer offered.
    await page.getByRole('button', { name: 'Edit Site' }).click()
    await expect(offer).toHaveCount(0)
  })

  test('survive a crashed tab and are merged with what someone saved since', { tag: '@all' }, async ({ page, context }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    await page.close({ runBeforeUnload: false })
    await saveMeanwhile(context, site, { fax: '6615550149' })
    const again = await context.newPage()
    await openForm(again, site)
    await again.getByRole('button', { name: 'Restore' }).click()
    await expect(again.getByLabel('Fax')).toHaveValue('661-555-0149')
    await save(again).click()
    await isSaved(again, site)
    expect((await read(context, site)).address).toMatchObject({ city: 'Palmdale', fax: '6615550149' })
  })

  test('are shown next to what someone saved since, before anything is saved', { tag: '@all' }, async ({ page, context }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('Phone').fill('661-555-0142')
    await page.close({ runBeforeUnload: false })
    await saveMeanwhile(context, site, { phone: '661-555-0181' })
    // The offer remains while something else is typed and the tab is closed again.
    const second = await context.newPage()
    await openForm(second, site)
    await second.getByLabel('City').fill('Palmdale')
    await second.close({ runBeforeUnload: false })
    const third = await context.newPage()
    await openForm(third, site)
    await third.getByRole('button', { name: 'Restore' }).click()
    await expect(third.getByRole('group', { name: /^Phone/ })).toContainText('661-555-0181')
    await third.getByRole('button', { name: 'Keep All of Theirs' }).click()
    await third.getByRole('button', { name: 'Save Combined Version' }).click()
    await isSaved(third, site)
    expect((await read(context, site)).address).toMatchObject({ phone: '661-555-0181', city: 'Palmdale' })
  })

  test('are resumed from the page with one click', { tag: '@all' }, async ({ page, context }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    await page.getByRole('button', { name: 'Cancel Edit' }).click()
    const hint = page.getByRole('region', { name: 'Unsaved changes' })
    await expect(hint).toContainText(/from \d\d\/\d\d\/\d{4} at \d{1,2}:\d\d [AP]M/)
    await hint.getByRole('button', { name: 'Resume Editing' }).click()
    await expect(page.getByLabel('City')).toHaveValue('Palmdale')
    await save(page).click()
    await isSaved(page, site)
    expect((await read(context, site)).address.city).toBe('Palmdale')
    await expect(hint).toHaveCount(0)
  })

  test('are deleted once the form is saved, resumed or not', { tag: '@all' }, async ({ page, context }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    await page.getByRole('button', { name: 'Cancel Edit' }).click()
    await page.getByRole('button', { name: 'Edit Site' }).click()
    await page.getByLabel('City').fill('Mojave')
    await save(page).click()
    await isSaved(page, site)
    const hint = page.getByRole('region', { name: 'Unsaved changes' })
    await expect(hint).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Edit Site' })).toBeVisible()
    await expect(hint).toHaveCount(0)
    await page.getByRole('button', { name: 'Edit Site' }).click()
    await expect(page.getByLabel('City')).toHaveValue('Mojave')
    await expect(hint).toHaveCount(0)
  })

  test(
    'survive a lost connection: the form stays, and saves once it is restored',
    { tag: '@all' },
    async ({ page, context, pageErrors }) => {
      const site = await newSite(context)
      await openForm(page, site)
      await page.getByLabel('City').fill('Palmdale')
      pageErrors.expect(/ERR_INTERNET_DISCONNECTED/)
      pageErrors.expect(/Failed to send error log/)
      pageErrors.expect(/PATCH/)
      await context.setOffline(true)
      await save(page).click()
      await expect(page.getByRole('button', { name: 'Error: The connection was lost' })).toBeVisible()
      await expect(page.getByLabel('City')).toHaveValue('Palmdale')
      await context.setOffline(false)
      await save(page).click()
      await isSaved(page, site)
    },
  )

  test('are listed before leaving, and kept', async ({ page, context }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expect(dialog).toContainText('LancasterPalmdale')
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByLabel('City')).toHaveValue('Palmdale')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL('/')
    await openForm(page, site)
    await expect(page.getByRole('region', { name: 'Unsaved changes' })).toBeVisible()
  })
})

test.describe('a session that ends during editing', () => {
  test('opens a sign-in window over the form, and the form is saved', async ({ browser, baseURL }) => {
    // A separate session, since the test ends it.
    const context = await browser.newContext({ baseURL: baseURL ?? '', storageState: SIGNED_OUT })
    const page = await context.newPage()
    const signIn = async (on: Page) => {
      await on.locator('input[name=login]').fill('level6@sample.test')
      await on.locator('input[name=login]').press('Enter')
    }
    await visit(page, '/login')
    await page.getByRole('button', { name: 'Login Using O365' }).click()
    await signIn(page)
    await expect(page.getByText('Welcome, ')).toBeVisible()
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Palmdale')
    await context.clearCookies()
    await save(page).click()
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    await expect(ended).toContainText('Your changes are still here')
    await expectAccessible(page)
    const opening = context.waitForEvent('page')
    await ended.getByRole('button', { name: 'Sign In Again' }).click()
    const window = await opening
    await signIn(window)
    await isSaved(page, site)
    expect((await read(context, site)).address.city).toBe('Palmdale')
    await context.close()
  })
})

test('unsaved changes are deleted at sign-out', { tag: '@all' }, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', storageState: SIGNED_OUT })
  const page = await context.newPage()
  await visit(page, '/login')
  await page.getByRole('button', { name: 'Login Using O365' }).click()
  await page.locator('input[name=login]').fill('level6@sample.test')
  await page.locator('input[name=login]').press('Enter')
  await expect(page.getByText('Welcome, ')).toBeVisible()
  const site = await newSite(context)
  await openForm(page, site)
  await page.getByLabel('City').fill('Palmdale')
  const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')).length)
  expect(await drafts()).toBe(1)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  // Asks before a sign-out deletes drafts.
  const confirmation = page.getByRole('dialog', { name: 'Sign out without saving?' })
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('City')).toHaveValue('Palmdale')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await confirmation.getByRole('button', { name: 'Sign Out' }).click()
  await page.waitForURL('**/login*')
  expect(await drafts()).toBe(0)
  await context.close()
})
