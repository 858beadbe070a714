import { listSiteSummaries, readSite } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, getToken, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { sendCall } from './records.ts'

test.use({ level: 6 })

const DAY = '2026-03-02'

test('a list and its records are shown as of a past day, with links that stay there, and lead back to today', async ({ page }) => {
  await visit(page, '/locations')
  await page.getByRole('button', { name: 'As Of…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Show a past day', exact: true })
  await dialog.getByLabel('As of the end of *').fill('2999-01-01')
  await dialog.getByRole('button', { name: /^Show/ }).click()
  await expect(dialog.getByText('Choose a day before today')).toBeVisible()
  await dialog.getByLabel('As of the end of *').fill(DAY)
  await dialog.getByRole('button', { name: 'Show 03/02/2026', exact: true }).click()
  const banner = page.getByText('As of March 2, 2026. Nothing can be changed here.')
  await expect(banner).toBeVisible()
  await expect(page).toHaveURL(`/locations?on=${DAY}`)

  await page.locator('main').getByRole('link').filter({ hasText: 'Resource Center' }).first().click()
  await expect(page).toHaveURL(new RegExp(`/location/[^?]+\\?on=${DAY}`))
  await expect(banner).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const name of ['Edit Site', 'Request a Change', 'History', 'Everything is right'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Back to Today', exact: true }).click()
  await expect(page).toHaveURL(/\/location\/[^?]+$/)
  await expect(page.getByRole('button', { name: 'Edit Site', exact: true })).toBeVisible()
  await expect(banner).toHaveCount(0)
})

test('a page shows what the records said on that day, and search finds it', async ({ page, context }) => {
  const then = await sendCall(context, listSiteSummaries)
  const slug = then.find(({ status }) => status === 'ACTIVE')?.slug ?? ''
  const site = await sendCall(context, readSite, { slug })
  const past = await page.request.get(`/locations-api/siteslugprograms/${slug}?on=${DAY}`, {
    headers: { authorization: `Bearer ${await getToken(context)}` },
  })
  const { address, displayName } = (await past.json()) as typeof site
  await visit(page, `/location/${slug}?on=${DAY}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(displayName)
  await expect(
    page
      .locator('main')
      .getByRole('link', { name: address.phone ?? '' })
      .first(),
  ).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(displayName)
  await expect(page.getByRole('dialog', { name: 'Search', exact: true }).getByRole('row', { selected: true })).toContainText(displayName)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`on=${DAY}`))
})

test('a page that cannot show the past shows today', async ({ page }) => {
  await visit(page, `/regions?on=${DAY}`)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Nothing can be changed here.')).toHaveCount(0)
})

test('a day before the history says when it begins', async ({ page, pageErrors }) => {
  pageErrors.expect(/422|The history begins on/)
  await page.goto('/locations?on=1999-01-01')
  await expect(page.getByText(/The history begins on/)).toBeVisible()
})
