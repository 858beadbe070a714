import type { BrowserContext, Page } from '@playwright/test'

import { applyBulkChange, listPlannedChanges } from '../../../src/features/changing/changesets/contract.ts'
import { addMember } from '../../../src/records/charter-affairs/contract.ts'
import { createPerson, listRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite, updateSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { affairOf, input, open, recorded } from '../affair-form.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newCharter, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const planned = (page: Page) => page.getByRole('region', { name: 'Planned changes', exact: true })
const row = (page: Page, text: string) => planned(page).getByRole('listitem').filter({ hasText: text })
const listPlans = async (context: BrowserContext, _id: string) =>
  (await sendCall(context, listPlannedChanges)).filter(({ record }) => record._id === _id)

test('a change is planned for a later date, shown at the field and on the page, and kept or canceled', async ({ page, context }) => {
  const site = await newSite(context)
  await visit(page, `/location/${site.slug}`)
  await page.getByRole('button', { name: 'Edit Site', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Save for Later', exact: true })).toHaveCount(0)
  await page.getByLabel('Address line 1').fill('99 New Street')
  await page.getByLabel('ZIP code').fill('1')
  await page.getByRole('button', { name: 'Save for Later', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save 2 changes for a later day', exact: true })
  await expect(dialog.getByLabel('Effective date')).toHaveValue(/^\d{4}-07-01$/)
  await dialog.getByLabel('Effective date').fill('2020-07-01')
  await dialog.getByRole('button', { name: 'Save for 07/01/2020', exact: true }).click()
  await expect(dialog.getByText('Choose a later day')).toBeVisible()
  await dialog.getByLabel('Effective date').fill('2099-07-01')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save for 07/01/2099', exact: true }).click()
  // The form's rules still apply.
  await expect(page.getByLabel('ZIP code')).toBeFocused()
  await page.getByLabel('ZIP code').fill('93536')
  await page.getByRole('button', { name: 'Save for Later', exact: true }).click()
  await page.getByLabel('Effective date').fill('2099-07-01')
  await page.getByRole('button', { name: 'Save for 07/01/2099', exact: true }).click()
  await expect(page.getByText('1 change planned for 07/01/2099.')).toBeVisible()
  const line = row(page, 'From 07/01/2099')
  await expect(line).toContainText('Address line 1 will be 99 New Street (now 12 Avenue L)')
  await expect(line).toContainText(/Planned by .+ on \d\d\/\d\d\/\d{4}/)
  expect((await sendCall(context, readSite, { slug: site._id })).address.address_1).toBe('12 Avenue L')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Edit Site', exact: true }).click()
  await expect(page.locator('[data-field="address.address_1"]')).toContainText(/From 07\/01\/2099: 99 New Street, planned by /)
  await page.getByRole('button', { name: 'Cancel Edit', exact: true }).click()

  await sendCall(context, updateSite, { id: site._id }, { address: { address_1: '5 Other Road' } })
  await page.reload()
  await expect(line).toContainText('(now 5 Other Road)')
  await expect(line).toContainText('Address line 1 is different now. Keep this plan?')
  await expectAccessible(page)
  await line.getByRole('button', { name: 'Keep Plan', exact: true }).click()
  await expect(line).not.toContainText('Keep this plan?')
  await line.getByRole('button', { name: 'Cancel Change', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Change', exact: true }).click()
  await expect(planned(page)).toHaveCount(0)
  expect(await listPlans(context, site._id)).toEqual([])
})

test(
  'a planned change of many records is canceled for one or for all; the person’s role shows its end',
  { tag: '@all' },
  async ({ page, context }) => {
    const word = letters()
    const role = findRecord(await sendCall(context, listRoles), 'Principal', ({ name }) => name === 'Principal')
    const [micah, orla] = [
      await sendCall(context, createPerson, {}, { name: `Micah ${word}`, email: `${letters()}@school.example` }),
      await sendCall(context, createPerson, {}, { name: `Orla ${word}`, email: `${letters()}@school.example` }),
    ]
    const sites = [await newSite(context), await newSite(context), await newSite(context)]
    for (const { _id } of sites) await sendCall(context, addSiteStaff, { id: _id }, { person: micah._id, role_match: role._id })
    const ids = sites.map(({ _id }) => _id)
    await sendCall(context, applyBulkChange, {}, { kind: 'site', ids, changes: { [`roles.${role._id}`]: [orla._id] }, day: '2099-07-01' })
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, `/location/${sites[0]!.slug}`)
    const line = row(page, `Principal will be ${orla.name}`)
    await expect(line).toContainText(`(now ${micah.name})`)
    await expect(line).toContainText(', with 2 other sites')
    await expect(line.getByRole('link', { name: orla.name, exact: true })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Principal, until 06/30/2099' })).toContainText(micah.name)
    await expectAccessible(page)
    await line.getByRole('button', { name: 'Cancel Change', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Only here, or at all 3 sites?', exact: true })
    await expect(dialog.getByRole('button', { name: 'Keep It', exact: true })).toBeFocused()
    await dialog.getByRole('button', { name: 'Only Here', exact: true }).click()
    await expect(planned(page)).toHaveCount(0)
    await visit(page, `/location/staff/${sites[1]!.slug}`)
    await expect(page.getByText('Principal, until 06/30/2099')).toBeVisible()
    await row(page, orla.name).getByRole('button', { name: 'Cancel Change', exact: true }).click()
    await page.getByRole('button', { name: 'At All 2 Sites', exact: true }).click()
    await expect(planned(page)).toHaveCount(0)
    for (const { _id } of sites) expect(await listPlans(context, _id)).toEqual([])
  },
)

test('the other forms plan changes for a later date too', { tag: '@all' }, async ({ page, context }) => {
  const site = await newSite(context)
  const charter = await newCharter(context)
  const person = await sendCall(context, createPerson, {}, { name: `Juno ${letters()}`, email: `${letters()}@school.example` })
  for (const [address, edit, label, value] of [
    [`/location/fac/${site.slug}`, /^Edit/, 'Lease holder', 'Quartz LLC'],
    [`/staff/${person.slug}`, 'Edit Info', 'Phone', '661-555-0199'],
    [`/charterview/${charter.slug}`, /^Edit/, 'Grade levels', 'K-8'],
  ] as const) {
    await visit(page, address)
    await page.getByRole('button', { name: edit, exact: true }).click()
    await page
      .getByRole('textbox', { name: new RegExp(`^${label}`) })
      .first()
      .fill(value)
    await page.getByRole('button', { name: 'Save for Later', exact: true }).click()
    await page.getByLabel('Effective date').fill('2099-07-01')
    await page.getByRole('button', { name: 'Save for 07/01/2099', exact: true }).click()
    await expect(row(page, label), `${address} shows the planned change`).toContainText(value)
  }
})

test.describe('a charter-affairs officer', () => {
  test.use({ level: 5 })

  test('plans a field of a charter affair, but not while a member is changed', { tag: '@all' }, async ({ page, context }) => {
    const charter = await recorded(context, { overview: { corporation: 'Juniper Schools' } })
    await sendCall(context, addMember, { id: charter._id }, { board_member_name: 'Wendell Obi' })
    await open(page, charter)
    await input(page, 'overview.corporation').fill('Juniper Academies')
    const later = page.getByRole('button', { name: 'Save for Later', exact: true })
    await expect(later).toBeVisible()
    const member = page.locator('textarea[name^="authorizer_board_member."]').first()
    const before = await member.inputValue()
    await member.fill('Someone Else')
    await expect(later).toHaveCount(0)
    await member.fill(before)
    await later.click()
    await page.getByLabel('Effective date').fill('2099-07-01')
    await page.getByRole('button', { name: 'Save for 07/01/2099', exact: true }).click()
    await expect(row(page, 'will be Juniper Academies')).toContainText('(now Juniper Schools)')
    expect((await affairOf(context, charter)).overview).toMatchObject({ corporation: 'Juniper Schools' })
    await expectAccessible(page)
    await open(page, charter)
    await expect(page.locator('[data-field="overview.corporation"]')).toContainText('From 07/01/2099: Juniper Academies')
  })
})
