import type { BrowserContext, Locator, Page } from '@playwright/test'

import { createSisSite, readSisSite } from '../../../src/records/sis-sites/contract.ts'
import type { SisSite } from '../../../src/records/sis-sites/contract.ts'
import { listSites, readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { factsIn, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const NUMERIC = { sislc_id: 'SISLC ID', siteId: 'Site ID', homeSiteId: 'Home site ID', charterId: 'Charter ID' } as const
const CHECKS = {
  status: 'Active',
  activeSite: 'Active site',
  summer_district: 'Summer district',
  intersession: 'Intersession',
  home_study: 'Home study',
  nonAdaStudents: 'Non-ADA students',
  online_education: 'Online education',
  sgi: 'SGI',
} as const

const input = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })
/** The label of a required field ends with an asterisk. */
const nameInput = (page: Page): Locator => page.getByRole('textbox', { name: 'Name', exact: true })
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save Changes' })
const openNew = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/${site.slug}/sis`)
  await page.getByRole('button', { name: 'Add SIS Site' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Add SIS Site: ${site.displayName}` })).toBeVisible()
}
const openPage = async (page: Page, { site, _id, name }: SisSite): Promise<void> => {
  await visit(page, `/location/${site.slug}/sis/${_id}`)
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
}
const openForm = async (page: Page, sis: SisSite): Promise<void> => {
  await openPage(page, sis)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Edit ${sis.name}` })).toBeVisible()
}
const openChange = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Change Associated Site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Associated Site' })
  await expect(dialog).toBeVisible()
  return dialog
}
const ofSite = async (context: BrowserContext, site: Site): Promise<readonly SisSite[]> =>
  (await sendCall(context, readSite, { slug: site.slug })).sis_sites
const newSis = (context: BrowserContext, site: Site): Promise<SisSite> =>
  sendCall(context, createSisSite, {}, { site: site._id, name: 'Quartz Hill HS', sislc_id: '00417', type_array: ['Regular'] })

test('Add SIS Site: every field is filled in, read back as typed, and its card links to its page', async ({ page, context }) => {
  test.slow()
  const site = await newSite(context)
  await openNew(page, site)
  await nameInput(page).fill('Quartz Hill Elementary')
  for (const label of Object.values(NUMERIC)) {
    await input(page, label).pressSequentially('0a4')
    await expect(input(page, label)).toHaveValue('04')
    await input(page, label).pressSequentially('-')
    await expect(page.getByText('Only digits are allowed')).toBeVisible()
    await expect(input(page, label)).toHaveValue('04')
    await input(page, label).blur()
    await expect(page.getByText('Only digits are allowed')).toHaveCount(0)
  }
  await input(page, 'Site ID').fill('00300')
  await input(page, 'Charter name').fill('Quartz Charter')
  await input(page, 'Active date').fill('2031-07-01')
  await input(page, 'Inactive date').fill('2032-06-30')
  for (const type of ['Regular', 'Blended']) {
    await input(page, 'New type').fill(type)
    await input(page, 'New type').press('Enter')
  }
  await expect(page.getByRole('list', { name: 'Types' }).getByRole('listitem')).toHaveText(['Regular', 'Blended'])
  for (const label of Object.values(CHECKS)) await page.getByRole('checkbox', { name: label, exact: true }).check()
  await page.getByRole('button', { name: 'Add SIS Site' }).click()
  await expect(page.getByRole('link', { name: 'SIS 1', exact: true })).toBeVisible()
  const [added] = await ofSite(context, site)
  expect(added).toMatchObject({
    name: 'Quartz Hill Elementary',
    site: { _id: site._id },
    sislc_id: '04',
    siteId: '00300',
    homeSiteId: '04',
    charterId: '04',
    charterName: 'Quartz Charter',
    activeDate: '2031-07-01',
    inactiveDate: '2032-06-30',
    type_array: ['Regular', 'Blended'],
    ...Object.fromEntries(Object.keys(CHECKS).map((name) => [name, true])),
  })

  await page.getByRole('list', { name: 'SIS sites' }).getByRole('link', { name: 'Quartz Hill Elementary' }).click()
  await expect(page).toHaveURL(`/location/${site.slug}/sis/${added?._id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Quartz Hill Elementary' })).toBeVisible()
  expect(Object.fromEntries(await factsIn(page, 'main'))).toMatchObject({
    'SISLC ID': '04',
    'Site ID': '00300',
    'Charter name': 'Quartz Charter',
    'Active date': '07/01/2031',
    'Inactive date': '06/30/2032',
    Types: 'Regular, Blended',
    'Summer district': 'Yes',
    SGI: 'Yes',
  })
})

test('a SIS site needs a name, and editing sends only what was changed', { tag: '@all' }, async ({ page, context }) => {
  await test.step('a SIS site without a name is not added', async () => {
    const site = await newSite(context)
    await openNew(page, site)
    await page.getByRole('button', { name: 'Add SIS Site' }).click()
    await expect(page.locator('[data-field="name"]')).toContainText('This field is required')
    await expect(nameInput(page)).toBeFocused()
    expect(await ofSite(context, site)).toEqual([])
  })

  await test.step('Edit changes every field, and sends only what was changed', async () => {
    const site = await newSite(context)
    const sis = await newSis(context, site)
    await openForm(page, sis)
    await expect(input(page, 'SISLC ID')).toHaveValue('00417')
    await nameInput(page).fill('Quartz Hill Middle')
    for (const label of Object.values(NUMERIC)) await input(page, label).fill('0023')
    await input(page, 'Charter name').fill('Quartz Charter')
    await input(page, 'Active date').fill('2031-07-01')
    await input(page, 'Inactive date').fill('2032-06-30')
    await page.getByRole('button', { name: 'Remove Regular' }).click()
    // A typed value is added when the field loses focus.
    await input(page, 'New type').fill('Blended')
    const before: Readonly<Record<string, unknown>> = { ...sis }
    for (const [name, label] of Object.entries(CHECKS))
      await page.getByRole('checkbox', { name: label, exact: true }).setChecked(before[name] !== true)
    await save(page).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Quartz Hill Middle', exact: true })).toBeVisible()
    const edited = await sendCall(context, readSisSite, { id: sis._id })
    expect(edited).toMatchObject({
      name: 'Quartz Hill Middle',
      ...Object.fromEntries(Object.keys(NUMERIC).map((name) => [name, '0023'])),
      charterName: 'Quartz Charter',
      activeDate: '2031-07-01',
      inactiveDate: '2032-06-30',
      type_array: ['Blended'],
      ...Object.fromEntries(Object.keys(CHECKS).map((name) => [name, before[name] !== true])),
    })

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    for (const label of [...Object.values(NUMERIC), 'Charter name', 'Active date', 'Inactive date']) await input(page, label).fill('')
    const sending = page.waitForRequest((request) => request.method() === 'PUT')
    await save(page).click()
    expect(Object.keys((await sending).postDataJSON() as object).toSorted()).toEqual(
      [...Object.keys(NUMERIC), 'charterName', 'activeDate', 'inactiveDate'].toSorted(),
    )
    await expect(page.getByRole('heading', { level: 1, name: 'Quartz Hill Middle', exact: true })).toBeVisible()
    expect(await sendCall(context, readSisSite, { id: sis._id })).toMatchObject({
      ...Object.fromEntries(Object.keys(NUMERIC).map((name) => [name, null])),
      charterName: null,
      activeDate: null,
      inactiveDate: null,
      type_array: ['Blended'],
    })
  })
})

test.describe('Change Associated Site', () => {
  test('finds another site, and moves the SIS site there', { tag: '@all' }, async ({ page, context }) => {
    await test.step('finds at most ten, ignoring case, without the current one; nothing happens until one is chosen', async () => {
      const site = await newSite(context)
      await openForm(page, await newSis(context, site))
      expect((await sendCall(context, listSites)).filter(({ displayName }) => /e/i.test(displayName)).length).toBeGreaterThan(10)
      const dialog = await openChange(page)
      const search = dialog.getByLabel('Search sites')
      const results = dialog.getByRole('radio')
      await expect(results).toHaveCount(0)
      await search.fill('E')
      await expect(results).toHaveCount(10)
      const other = await results.first().getAttribute('aria-label')
      await search.fill((other ?? '').toUpperCase())
      await expect(dialog.getByRole('radio', { name: other ?? '', exact: true }).first()).toBeVisible()
      await search.fill(site.displayName)
      await expect(dialog.getByRole('status')).toHaveText('No sites match this name.')
      await dialog.getByRole('button', { name: 'Change Location' }).click()
      await expect(dialog).toBeVisible()
      await search.press('Enter')
      await expect(dialog).toBeVisible()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByText(/unsaved change/)).toHaveCount(0)
    })

    await test.step('moves it: its page is under the other site afterward', async () => {
      const [site, other] = [await newSite(context), await newSite(context)]
      const sis = await newSis(context, site)
      await openForm(page, sis)
      const dialog = await openChange(page)
      await dialog.getByLabel('Search sites').fill(other.displayName.toUpperCase())
      await dialog.getByRole('radio', { name: other.displayName }).check()
      await dialog.getByRole('button', { name: 'Change Location' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.locator('[data-field="site"]')).toContainText(`Was: ${site.displayName}`)
      const sending = page.waitForRequest((request) => request.method() === 'PUT')
      await save(page).click()
      expect((await sending).postDataJSON()).toEqual({ site: other._id })
      await expect(page).toHaveURL(`/location/${other.slug}/sis/${sis._id}`)
      await expect(page.getByRole('heading', { level: 1, name: sis.name, exact: true })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: other.displayName })).toBeVisible()
      expect(await ofSite(context, site)).toEqual([])
      expect(await ofSite(context, other)).toMatchObject([{ _id: sis._id }])
    })
  })
})

test('Remove asks first, and axe finds nothing in the forms and windows', async ({ page, context }) => {
  test.slow()
  await test.step('Remove asks first, then removes the SIS site', async () => {
    const site = await newSite(context)
    const sis = await newSis(context, site)
    await openPage(page, sis)
    const dialog = page.getByRole('dialog', { name: `Remove ${sis.name}?` })
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(dialog).toContainText(site.displayName)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await ofSite(context, site)).toHaveLength(1)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page).toHaveURL(`/location/${site.slug}/sis`)
    await expect(page.getByText('No SIS sites to display')).toBeVisible()
    expect(await ofSite(context, site)).toEqual([])
  })

  await test.step('axe finds nothing in the forms and windows', async () => {
    const site = await newSite(context)
    await openNew(page, site)
    await input(page, 'SISLC ID').fill('a')
    await page.getByRole('button', { name: 'Add SIS Site' }).click()
    await expect(page.locator('[data-field="name"]')).toContainText('This field is required')
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await openForm(page, await newSis(context, site))
    const changing = await openChange(page)
    await changing.getByLabel('Search sites').fill('e')
    await changing.getByRole('radio').first().check()
    await expectAccessible(page)
    await changing.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel Edit' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
  })
})
