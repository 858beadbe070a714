import type { BrowserContext, Locator, Page } from '@playwright/test'

import { listCharters } from '../../../src/records/charters/contract.ts'
import { updateEnrollment } from '../../../src/records/enrollment/contract.ts'
import { listRegions } from '../../../src/records/regions/contract.ts'
import { readSettings, saveSettings } from '../../../src/records/settings/contract.ts'
import type { Settings } from '../../../src/records/settings/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

// The settings are shared by everyone: these tests run one at a time, and restore what they change.
test.describe.configure({ mode: 'default' })

const openPage = async (page: Page): Promise<void> => {
  await visit(page, '/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
}
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Close notice' }).click()
}
const field = (page: Page, path: string): Locator => page.locator(`[data-field="${path}"]`)
const programs = (page: Page): Locator => page.getByRole('list', { name: 'Program types' }).getByRole('textbox')
const namesOf = ({ programTypes }: Settings): string[] => programTypes.map(({ name }) => name)

test.describe('level 5', () => {
  test.use({ level: 5 })
  let before: Settings
  let context: BrowserContext

  test.beforeEach(async ({ context: own }) => {
    context = own
    before = await sendCall(own, readSettings)
  })
  test.afterEach(async () => {
    const { organisation, defaults, programTypes, changeRequestsTo, supportRequestsTo } = before
    await sendCall(
      context,
      saveSettings,
      {},
      {
        organisation,
        defaultRegion: defaults.region?._id ?? null,
        defaultCharter: defaults.charter?._id ?? null,
        programTypes: programTypes.map(({ _id, name }) => ({ _id, name })),
        changeRequestsTo: changeRequestsTo.map(({ region, emails }) => ({ region, emails })),
        supportRequestsTo,
      },
    )
  })

  test('the region and the charter in the settings are the defaults of a new site', { tag: '@all' }, async ({ page }) => {
    const { defaults } = before
    const region = findRecord(
      await sendCall(context, listRegions),
      'other region',
      ({ name, _id }) => name === 'Ohio' && _id !== defaults.region?._id,
    )
    const charters = await sendCall(context, listCharters)
    const charter = findRecord(
      charters,
      'other charter',
      ({ _id, name }) => _id !== defaults.charter?._id && charters.filter((other) => other.name.includes(name)).length === 1,
    )
    await openPage(page)
    await field(page, 'defaultRegion').getByRole('combobox').selectOption({ label: region.name })
    await field(page, 'defaultCharter').getByRole('combobox').fill(charter.name)
    await page.getByRole('option', { name: charter.name, exact: true }).click()
    await save(page)
    expect((await sendCall(context, readSettings)).defaults).toMatchObject({ region: { _id: region._id }, charter: { _id: charter._id } })
    await visit(page, '/add_location')
    await expect(page.getByRole('heading', { level: 1, name: 'Add Resource Center' })).toBeVisible()
    await expect(page.getByLabel('Region')).toHaveValue(region._id)
    await expect(page.getByLabel('State')).toHaveValue('OH')
    await expect(field(page, 'charter').getByRole('combobox')).toHaveValue(charter.name)
  })

  test('program types, the name and the addresses are saved, or refused with a reason', async ({ page, pageErrors }) => {
    await test.step('a program type is added, renamed and removed', async () => {
      await openPage(page)
      await expect(programs(page)).toHaveCount(before.programTypes.length)
      await page.getByRole('button', { name: 'Add Program Type' }).click()
      await programs(page).last().fill('Quartz Night School')
      await save(page)
      expect(namesOf(await sendCall(context, readSettings)).toSorted()).toEqual([...namesOf(before), 'Quartz Night School'].toSorted())
      const added = findRecord(
        (await sendCall(context, readSettings)).programTypes,
        'program',
        ({ name }) => name === 'Quartz Night School',
      )

      const row = page.getByRole('list', { name: 'Program types' }).getByRole('listitem')
      await row
        .filter({ has: page.getByRole('button', { name: 'Remove Quartz Night School' }) })
        .getByRole('textbox')
        .fill('Quartz Evening School')
      await save(page)
      expect((await sendCall(context, readSettings)).programTypes).toContainEqual({ _id: added._id, name: 'Quartz Evening School' })
      const site = await newSite(context)
      await visit(page, `/location/enrollment/${site.slug}?edit=1`)
      await expect(page.getByLabel('Program', { exact: true }).getByRole('option', { name: 'Quartz Evening School' })).toBeAttached()

      await openPage(page)
      await page.getByRole('button', { name: 'Remove Quartz Evening School' }).click()
      await save(page)
      expect(namesOf(await sendCall(context, readSettings))).toEqual(namesOf(before))
    })

    await test.step('a program type in use at a site is refused with a message, and stays', async () => {
      const [program] = before.programTypes
      if (!program) throw new Error('The sample network has no program type')
      const site = await newSite(context)
      await sendCall(context, updateEnrollment, { id: site._id }, { programTypes: [{ _id: program._id }] })
      await openPage(page)
      await page.getByRole('button', { name: `Remove ${program.name}`, exact: true }).click()
      pageErrors.expect(/422/)
      pageErrors.expect(/PUT/)
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expect(field(page, 'programTypes')).toContainText(`${program.name} is used by a site and cannot be removed`)
      expect(namesOf(await sendCall(context, readSettings))).toEqual(namesOf(before))
      await page.getByRole('button', { name: 'Undo Program types' }).click()
      await expect(page.getByRole('button', { name: `Remove ${program.name}`, exact: true })).toBeVisible()
      await expect(page.getByText(/unsaved change/)).toHaveCount(0)
    })

    await test.step('a program type without a name, or that exists already, is refused', async () => {
      const [program] = before.programTypes
      if (!program) throw new Error('The sample network has no program type')
      await openPage(page)
      await page.getByRole('button', { name: 'Add Program Type' }).click()
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expect(field(page, 'programTypes')).toContainText('This field is required')
      await programs(page).last().fill(program.name.toUpperCase())
      pageErrors.expect(/422/)
      pageErrors.expect(/PUT/)
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expect(field(page, 'programTypes')).toContainText('This program is listed twice')
      expect(namesOf(await sendCall(context, readSettings))).toEqual(namesOf(before))
    })

    await test.step('the name, and the addresses for change requests by region and for support requests, are saved', async () => {
      const regions = await sendCall(context, listRegions)
      const ohio = findRecord(regions, 'region Ohio', ({ name }) => name === 'Ohio')
      await openPage(page)
      await page.getByLabel('Name of the organization').fill('Quartz Schools')
      await page.getByLabel('Ohio').fill('ohio@quartz.example, columbus@quartz.example')
      await page.getByLabel('All other regions').fill('everywhere@quartz.example')
      await page.getByLabel('Support requests').fill('nobody')
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expect(field(page, 'supportRequestsTo')).toContainText('Please provide a valid email address')
      await page.getByLabel('Support requests').fill('help@quartz.example;desk@quartz.example')
      await save(page)
      const read = await sendCall(context, readSettings)
      expect(read.organisation).toBe('Quartz Schools')
      expect(read.supportRequestsTo).toEqual(['help@quartz.example', 'desk@quartz.example'])
      expect(read.changeRequestsTo).toContainEqual({ region: ohio._id, emails: ['ohio@quartz.example', 'columbus@quartz.example'] })
      expect(read.changeRequestsTo).toContainEqual({ region: null, emails: ['everywhere@quartz.example'] })
      await page.reload()
      await expect(page.getByLabel('Ohio')).toHaveValue('ohio@quartz.example columbus@quartz.example')
      await expect(page.getByLabel('Support requests')).toHaveValue('help@quartz.example desk@quartz.example')
    })
  })

  test('axe finds nothing in the settings with errors and changes', async ({ page }) => {
    test.slow()
    await openPage(page)
    await page.getByRole('button', { name: 'Add Program Type' }).click()
    await page.getByLabel('Ohio').fill('nobody')
    await page.getByLabel('Support requests').fill('nobody')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.locator('#main').getByRole('alert').first()).toContainText('Please correct 3 fields')
    await expectAccessible(page)
  })
})

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('is sent home from the settings', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/settings')
    await expect(page).toHaveURL('/')
    await expect(page.getByText('Welcome, ')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0)
  })
})
