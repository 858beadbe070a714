import type { Page } from '@playwright/test'

import { readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const openForm = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/${site.slug}`)
  await page.getByRole('button', { name: 'Edit Site' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${site.displayName}` })).toBeVisible()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const summary = (page: Page) => page.locator('#main').getByRole('alert').first()

test('changes are marked, and saved or canceled; errors are shown at their fields', async ({ page, context }) => {
  await test.step('a change is marked, can be compared and undone, and is saved; the form closes', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('Phone').fill('6615550181')
    await page.getByLabel('Phone').blur()
    await expect(page.getByLabel('Phone')).toHaveValue('661-555-0181')
    await page.getByLabel('City').fill('Palmdale')
    await expect(page.getByText('2 unsaved changes')).toBeVisible()
    await expect(page.getByText('Was: Lancaster')).toBeVisible()

    await page.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: '2 unsaved changes' })
    await expect(review.getByRole('listitem').filter({ hasText: 'Phone' })).toContainText('661-555-0140661-555-0181')
    await review.getByRole('button', { name: 'Undo City' }).click()
    await page.getByRole('button', { name: 'Back to the Form' }).click()
    await expect(page.getByLabel('City')).toHaveValue('Lancaster')

    await page.keyboard.press('Control+s')
    await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: '661-555-0181' }).first()).toBeVisible()
    expect((await sendCall(context, readSite, { slug: site.slug })).address).toMatchObject({ phone: '661-555-0181', city: 'Lancaster' })
  })

  await test.step('Cancel Edit returns without saving; unsaved changes are offered again', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('Description').fill('Second floor.')
    await page.getByRole('button', { name: 'Cancel Edit' }).click()
    await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Edit Site' }).click()
    await expect(page.getByLabel('Description')).toHaveValue('')
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByLabel('Description')).toHaveValue('Second floor.')
  })

  await test.step('errors are shown at each field, and the first one gets the focus', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    for (const label of ['Address line 1', 'City', 'ZIP code', 'Phone', 'Display name']) await page.getByLabel(label).fill('')
    await page.getByLabel('ZIP code').fill('9353x6')
    // The ZIP code allows only digits; removed characters are reported.
    await expect(page.getByLabel('ZIP code')).toHaveValue('93536')
    await page.getByLabel('ZIP code').pressSequentially('a')
    await expect(page.getByText('Only digits are allowed')).toBeVisible()
    await page.getByLabel('ZIP code').fill('9353')
    await page.getByLabel('End time').selectOption('11:00AM')
    await page.getByLabel('Start time').selectOption('11:30AM')
    await save(page).click()
    await expect(page.getByLabel('Phone')).toBeFocused()
    await expect(summary(page)).toContainText('Please correct 6 fields')
    await expect(page.locator('[data-field="address.city"]')).toContainText('This field is required')
    await expect(page.locator('[data-field="address.zip"]')).toContainText('Enter exactly five digits')
    await expect(page.locator('[data-field="address.end_time"]')).toContainText('End time must be later than start time')
    await summary(page).getByRole('link', { name: 'Display name' }).click()
    await expect(page.getByLabel('Display name')).toBeFocused()
    expect((await sendCall(context, readSite, { slug: site.slug })).version).toBe(site.version)
  })

  await test.step('selecting a region sets the state', async () => {
    await openForm(page, await newSite(context))
    await page.getByLabel('Region').selectOption({ label: 'Ohio' })
    await expect(page.getByLabel('State')).toHaveValue('OH')
    await page.getByLabel('Region').selectOption({ label: 'California' })
    await expect(page.getByLabel('State')).toHaveValue('CA')
  })

  await test.step('a closed site shows its status during editing', async () => {
    const site = await newSite(context, { status: 'CLOSED - TEMPORARILY' })
    await openForm(page, site)
    await expect(page.getByText('This Location is Closed')).toBeVisible()
  })
})

test(
  'a refusal by the server leaves the form unchanged, with its message in the banner',
  { tag: '@all' },
  async ({ page, context, pageErrors }) => {
    const site = await newSite(context)
    await openForm(page, site)
    await page.getByLabel('City').fill('Rosamond')
    pageErrors.expect(/503/)
    pageErrors.expect(/PATCH/)
    await page.route('**/locations-api/sites/*', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', json: { title: 'The database is away', status: 503 } }),
    )
    await save(page).click()
    await expect(page.getByRole('button', { name: 'Error: The database is away' })).toBeVisible()
    await expect(page.getByLabel('City')).toHaveValue('Rosamond')
    await page.unroute('**/locations-api/sites/*')
    await save(page).click()
    await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
  },
)

test('axe finds nothing in the form with errors and changes, or in its windows', async ({ page, context }) => {
  test.slow()
  await openForm(page, await newSite(context))
  await page.getByLabel('City').fill('')
  await page.getByLabel('Description').fill('Second floor.')
  await save(page).click()
  await expect(summary(page)).toContainText('Please correct 1 field')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Review' }).click()
  await expectAccessible(page)
})
