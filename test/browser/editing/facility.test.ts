import type { BrowserContext, Locator, Page } from '@playwright/test'

import { updateFacility } from '../../../src/records/facility/contract.ts'
import type { FacilityChange } from '../../../src/records/facility/contract.ts'
import { FACILITY_FIELDS, SHOWN_FACILITY_FIELDS } from '../../../src/records/facility/fields.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { factsIn, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

type Name = (typeof SHOWN_FACILITY_FIELDS)[number]

/** A value for every field; a missing one does not compile. */
const filled: Record<Name, string | boolean> = {
  lease_holder: 'Lancaster Learning LLC',
  agreement_type: 'Triple net',
  leaseTerm: '5 years',
  lease_start: '2024-07-01',
  lease_end: '2029-06-30',
  option_renew: 'Two options,\nfive years each',
  base_rent: '$4,200 a month',
  lease_notes: 'Notice is due in writing.',
  original_lease_holder: 'Avenue L Partners',
  original_lease_holder_released: 'Yes, 2024',
  guarantor: 'Quartz Guarantee Inc.',
  original_guarantor_released: 'No',
  county: 'Los Angeles',
  apn: '3122-004-017',
  sq_footage: '6,400',
  phone_2: '661-555-0199',
  partnership: true,
  signage_language: 'One sign at the street,\none at the door',
  fac_notes: 'The back door sticks.',
}

const openForm = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/fac/${site.slug}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Edit Facility: ${site.displayName}` })).toBeVisible()
}
const field = (page: Page, name: Name): Locator => page.getByLabel(FACILITY_FIELDS[name].label, { exact: true })
const openEnded = (page: Page): Locator => page.getByRole('checkbox', { name: 'Open Ended' })
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save Changes' })
const saved = async (page: Page, site: Site): Promise<void> => {
  await save(page).click()
  await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
}
const stored = async (context: BrowserContext, site: Site) => (await sendCall(context, readSite, { slug: site.slug })).facility_info
const facts = async (page: Page): Promise<Record<string, string>> => Object.fromEntries(await factsIn(page, 'main'))
const siteWith = async (context: BrowserContext, facility: FacilityChange): Promise<Site> => {
  const site = await newSite(context)
  await sendCall(context, updateFacility, { id: site._id }, facility)
  return site
}

test('every field is filled in, read back as typed, shown on the page, and cleared again', async ({ page, context }) => {
  test.slow()
  const site = await newSite(context)
  await openForm(page, site)
  for (const name of SHOWN_FACILITY_FIELDS) {
    const value = filled[name]
    if (typeof value === 'boolean') await field(page, name).setChecked(value)
    else await field(page, name).fill(value)
  }
  await expect(page.getByText(`${SHOWN_FACILITY_FIELDS.length} unsaved changes`)).toBeVisible()
  await saved(page, site)
  expect(await stored(context, site)).toMatchObject({ ...filled, lease_end_open: false })
  expect(await facts(page)).toMatchObject({
    'Lease holder': 'Lancaster Learning LLC',
    'Agreement type': 'Triple net',
    'Lease term': '5 years',
    'Lease start': '07/01/2024',
    'Lease end': expect.stringMatching(/^06\/30\/2029/),
    'Option to renew': 'Two options, five years each',
    'Base rent': '$4,200 a month',
    'Lease notes': 'Notice is due in writing.',
    'Original lease holder': 'Avenue L Partners',
    'Original lease holder released': 'Yes, 2024',
    Guarantor: 'Quartz Guarantee Inc.',
    'Original guarantor released': 'No',
    County: 'Los Angeles',
    'APN (parcel number)': '3122-004-017',
    'Square footage': '6,400',
    'Second phone': '661-555-0199',
    Partnership: 'Yes',
    'Signage language': 'One sign at the street, one at the door',
    'Facility notes': 'The back door sticks.',
  })

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  for (const name of SHOWN_FACILITY_FIELDS) {
    const value = filled[name]
    if (typeof value === 'boolean') {
      await expect(field(page, name)).toBeChecked({ checked: value })
      await field(page, name).uncheck()
    } else {
      await expect(field(page, name)).toHaveValue(value)
      await field(page, name).fill('')
    }
  }
  await saved(page, site)
  const cleared = SHOWN_FACILITY_FIELDS.map((name) => [name, name === 'partnership' ? false : null])
  expect(await stored(context, site)).toMatchObject({ ...Object.fromEntries(cleared), lease_end_open: false })
  expect(await facts(page)).toMatchObject({ County: 'None provided', 'Lease end': 'None provided', Partnership: 'No' })
})

test('Open Ended and the lease end exclude each other, and only changes are sent', { tag: '@all' }, async ({ page, context }) => {
  await test.step('Open Ended disables and clears the lease end; turning it off enables it', async () => {
    const site = await siteWith(context, { lease_start: '2024-07-01', lease_end: '2029-06-30' })
    await openForm(page, site)
    await expect(field(page, 'lease_end')).toHaveValue('2029-06-30')
    await openEnded(page).check()
    await expect(field(page, 'lease_end')).toBeDisabled()
    await expect(field(page, 'lease_end')).toHaveValue('')
    await saved(page, site)
    expect((await facts(page))['Lease end']).toBe('Open Ended')
    expect(await stored(context, site)).toMatchObject({ lease_start: '2024-07-01', lease_end: null, lease_end_open: true })

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(field(page, 'lease_end')).toBeDisabled()
    await openEnded(page).uncheck()
    await expect(field(page, 'lease_end')).toBeEnabled()
    await field(page, 'lease_end').fill('2030-12-31')
    await saved(page, site)
    expect((await facts(page))['Lease end']).toMatch(/^12\/31\/2030/)
    expect(await stored(context, site)).toMatchObject({ lease_end: '2030-12-31', lease_end_open: false })
  })

  await test.step('turning Open Ended off immediately restores the lease end', async () => {
    const site = await siteWith(context, { lease_end: '2029-06-30' })
    await openForm(page, site)
    await openEnded(page).check()
    await expect(page.getByText('1 unsaved change', { exact: true })).toBeVisible()
    await openEnded(page).uncheck()
    await expect(field(page, 'lease_end')).toBeEnabled()
    await expect(field(page, 'lease_end')).toHaveValue('2029-06-30')
    await expect(page.getByText(/unsaved change/)).toHaveCount(0)
  })

  await test.step('a lease end typed before Open Ended was checked is discarded', async () => {
    const site = await newSite(context)
    await openForm(page, site)
    await field(page, 'lease_end').fill('2031-01-31')
    await openEnded(page).check()
    await saved(page, site)
    expect(await stored(context, site)).toMatchObject({ lease_end: null, lease_end_open: true })
  })

  await test.step('only changes are sent', async () => {
    const site = await siteWith(context, { county: 'Kern', lease_holder: 'Avenue L Partners' })
    await openForm(page, site)
    await field(page, 'county').fill('Los Angeles')
    const sending = page.waitForRequest((request) => request.method() === 'PATCH')
    await saved(page, site)
    expect((await sending).postDataJSON()).toEqual({ county: 'Los Angeles' })
  })
})

test(
  'changes of two people are merged or compared, and axe finds nothing in the form',
  { tag: '@all' },
  async ({ page, context, pageErrors }) => {
    test.slow()
    await test.step('fields that only one of two people changed are merged', async () => {
      const site = await newSite(context)
      await openForm(page, site)
      await field(page, 'county').fill('Los Angeles')
      await sendCall(context, updateFacility, { id: site._id }, { guarantor: 'Quartz Guarantee Inc.', lease_end_open: true })
      pageErrors.expect(/412/)
      pageErrors.expect(/PATCH/)
      await saved(page, site)
      await expect(page.getByText('Saved. Changes that Level 6 made in the meantime were kept too')).toBeVisible()
      expect(await stored(context, site)).toMatchObject({ county: 'Los Angeles', guarantor: 'Quartz Guarantee Inc.', lease_end_open: true })
      expect(await facts(page)).toMatchObject({ County: 'Los Angeles', Guarantor: 'Quartz Guarantee Inc.', 'Lease end': 'Open Ended' })
    })

    await test.step('a field that both changed shows both values, one is chosen, and all other changes are saved', async () => {
      const site = await siteWith(context, { county: 'Kern', lease_start: '2024-07-01' })
      await openForm(page, site)
      await field(page, 'county').fill('Los Angeles')
      await field(page, 'lease_start').fill('2025-07-01')
      await field(page, 'apn').fill('3122-004-017')
      await sendCall(context, updateFacility, { id: site._id }, { county: 'Ventura', lease_start: '2026-07-01', sq_footage: '6,400' })
      pageErrors.expect(/412/)
      pageErrors.expect(/PATCH/)
      await save(page).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Level 6 saved this while you were editing' })).toBeVisible()
      const county = page.getByRole('group', { name: /^County/ })
      const start = page.getByRole('group', { name: /^Lease start/ })
      await expect(county).toContainText('OriginalKern')
      await expect(start).toContainText('Original07/01/2024')
      await county.getByRole('radio', { name: /Your version/ }).check()
      await start.getByRole('radio', { name: /Level 6/ }).check()
      await page.getByRole('button', { name: 'Save Combined Version' }).click()
      await expect(page.getByRole('heading', { level: 1, name: site.displayName, exact: true })).toBeVisible()
      expect(await stored(context, site)).toMatchObject({
        county: 'Los Angeles',
        lease_start: '2026-07-01',
        apn: '3122-004-017',
        sq_footage: '6,400',
      })
    })

    await test.step('axe finds nothing in the form with a change and an error', async () => {
      await openForm(page, await siteWith(context, { lease_end: '2029-06-30' }))
      await openEnded(page).check()
      await field(page, 'county').fill('C'.repeat(301))
      await save(page).click()
      await expect(page.locator('[data-field="county"]')).toContainText('Use at most 300 characters')
      await expectAccessible(page)
    })
  },
)
