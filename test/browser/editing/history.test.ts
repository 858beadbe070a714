import type { BrowserContext, Locator, Page } from '@playwright/test'

import { readHistory } from '../../../src/features/changing/history/contract.ts'
import { listBrands } from '../../../src/records/brands/contract.ts'
import { listCharters } from '../../../src/records/charters/contract.ts'
import { updateFacility } from '../../../src/records/facility/contract.ts'
import { listPeople, listRoles } from '../../../src/records/people/contract.ts'
import { listRegions } from '../../../src/records/regions/contract.ts'
import { createSisSite, deleteSisSite } from '../../../src/records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { createSite, listSites, readSite, updateSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, sendCall } from '../records.ts'

test.use({ level: 6 })

let made = 0
/** A new site, so that changes affect no other test. */
const makeSite = async (context: BrowserContext): Promise<Site> => {
  const name = `History ${process.pid} ${(made += 1)}`
  const like = findRecord(
    await sendCall(context, listSites),
    'site with charter and region',
    ({ charter, region }) => charter !== null && region !== null,
  )
  return sendCall(
    context,
    createSite,
    {},
    {
      name,
      displayName: name,
      charter: like.charter?._id ?? '',
      region: like.region?._id ?? '',
      address: { address_1: '1 Elm Street', city: 'Lodi', zip: '95240', phone: '209-555-0140' },
      enrollment_info: { registrationEmail: ['lodi@sample.test'], interestEmail: ['lodi@sample.test'] },
    },
  )
}

const open = async (page: Page, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: 'History', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: `History of ${name}` })
  await expect(drawer).toBeVisible()
  return drawer
}

test('shows who changed what, and restores values, records and removed entries', async ({ page, context }) => {
  await test.step('shows who changed what, filters by field, and restores a value on the page', async () => {
    const site = await makeSite(context)
    await sendCall(context, updateSite, { id: site._id }, { address: { phone: '209-555-0181', city: 'Galt' } })
    await sendCall(context, updateFacility, { id: site._id }, { lease_start: '2024-07-01', partnership: true })
    await visit(page, `/location/${site.slug}`)
    const drawer = await open(page, site.displayName)
    await expect(page).toHaveURL(/\?history=1$/)
    const rows = drawer.getByRole('listitem')
    await expect(rows.filter({ hasText: /changed the facility/ }).first()).toContainText('Lease start: empty → changed to 07/01/2024')
    await expect(drawer.getByRole('listitem').filter({ hasText: /^Partnership/ })).toContainText('No → changed to Yes')
    await expect(rows.filter({ hasText: /added the site/ }).first()).toBeVisible()

    const field = drawer.getByLabel('Field', { exact: true })
    // The initial email addresses of a site are a change of its enrollment.
    await expect(field.locator('optgroup')).toHaveCount(3)
    await field.selectOption({ label: 'Phone' })
    await expect(drawer.getByText('City:')).toHaveCount(0)
    await expect(drawer.getByText('changed the facility')).toHaveCount(0)
    await drawer.getByRole('button', { name: 'Restore Phone' }).click()
    await expect(drawer.getByRole('status')).toHaveText('Phone was restored to 209-555-0140.')
    await expect(drawer.getByRole('button', { name: 'Restore Phone: 209-555-0181' })).toBeVisible()
    const after = await sendCall(context, readSite, { slug: site._id })
    expect(after.address).toMatchObject({ phone: '209-555-0140', city: 'Galt' })

    await drawer.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(/\/location\/[^?]+$/)
    await expect(page.getByRole('button', { name: 'History', exact: true })).toBeFocused()
    await expect(page.getByRole('link', { name: '209-555-0140' }).first()).toBeVisible()
  })

  await test.step('restores everything in a change, or the whole record', async () => {
    const site = await makeSite(context)
    await sendCall(context, updateSite, { id: site._id }, { address: { phone: '209-555-0181', city: 'Galt' } })
    await sendCall(context, updateSite, { id: site._id }, { finance_id: '77' })
    const address = async () => (await sendCall(context, readSite, { slug: site._id })).address
    await visit(page, `/location/${site.slug}?history=1`)
    const drawer = page.getByRole('dialog', { name: `History of ${site.displayName}` })
    await drawer.getByRole('button', { name: 'Restore All Fields: the site' }).click()
    await expect(drawer.getByRole('status')).toHaveText('2 fields of the site were restored.')
    expect(await address()).toMatchObject({ phone: '209-555-0140', city: 'Lodi' })
    await expect(drawer.getByRole('button', { name: 'Restore the whole record to before this change: the site' })).toHaveCount(3)
    await drawer.getByRole('button', { name: 'Restore the whole record to before this change: the site' }).last().click()
    await expect(drawer.getByRole('status')).toHaveText('The site was restored to before this change.')
    expect((await sendCall(context, readSite, { slug: site._id })).finance_id).toBeNull()
  })

  await test.step('restores a removed staff member and a removed SIS site', async () => {
    const site = await makeSite(context)
    const [person] = await sendCall(context, listPeople)
    const [role] = await sendCall(context, listRoles)
    if (!person || !role) throw new Error('The sample network has no people')
    await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
    await sendCall(context, removeSiteStaff, { id: site._id }, { person_id: person._id, role_id: role._id })
    const sis = await sendCall(context, createSisSite, {}, { name: 'Lodi IS', site: site._id, activeDate: '2024-07-01' })
    await sendCall(context, deleteSisSite, { id: sis._id })
    await visit(page, `/location/staff/${site.slug}`)
    const drawer = await open(page, site.displayName)
    for (const [name, back] of [
      ['the SIS site Lodi IS', 'The SIS site Lodi IS was restored.'],
      [`${person.name}, ${role.name}`, `${person.name}, ${role.name} was restored.`],
    ] as const) {
      await expect(drawer.getByText(`removed ${name}`)).toBeVisible()
      await drawer.getByRole('button', { name: `Restore ${name}` }).click()
      await expect(drawer.getByRole('status')).toHaveText(back)
    }
    const after = await sendCall(context, readSite, { slug: site._id })
    expect(after.people.map((one) => one.person._id)).toEqual([person._id])
    expect(after.sis_sites.map(({ name }) => name)).toEqual(['Lodi IS'])
  })
})

test(
  'a restore does not overwrite other changes, and the history loads earlier changes and filters by person',
  { tag: '@all' },
  async ({ page, context, pageErrors }) => {
    await test.step('a value that someone else has changed is not overwritten, and nothing is lost', async () => {
      pageErrors.expect(/412/)
      pageErrors.expect(/Problem: Someone else changed this after you opened it/)
      const site = await makeSite(context)
      await sendCall(context, updateSite, { id: site._id }, { address: { city: 'Galt' } })
      await visit(page, `/location/${site.slug}?history=1`)
      const drawer = page.getByRole('dialog')
      const putBack = drawer.getByRole('button', { name: 'Restore City: Lodi' })
      await expect(putBack).toBeVisible()
      await sendCall(context, updateSite, { id: site._id }, { address: { city: 'Acampo' } })
      await putBack.click()
      await expect(drawer.getByRole('alert')).toContainText('Someone else changed this after you opened it')
      await expect(drawer.getByRole('button', { name: 'Restore City: Galt' })).toBeVisible()
      await putBack.click()
      await expect(drawer.getByRole('status')).toHaveText('City was restored to Lodi.')
    })

    await test.step('earlier changes are loaded', async () => {
      const site = await makeSite(context)
      for (let change = 0; change < 52; change += 1)
        await sendCall(context, updateSite, { id: site._id }, { address: { description: `Number ${change}` } })
      await visit(page, `/location/${site.slug}?history=1`)
      const drawer = page.getByRole('dialog')
      await expect(drawer.getByText('Number 51').first()).toBeVisible()
      await expect(drawer.getByText('added the site')).toHaveCount(0)
      await drawer.getByRole('button', { name: 'Show Earlier Changes' }).click()
      await expect(drawer.getByText('added the site')).toBeVisible()
      await expect(drawer.getByRole('button', { name: 'Show Earlier Changes' })).toHaveCount(0)
    })

    /** A site, someone who changed it, and a field of it that someone else changed. */
    const neverTogether = async (context: BrowserContext) => {
      for (const site of (await sendCall(context, listSites)).slice(0, 40)) {
        const { changes, people, fields, more } = await sendCall(context, readHistory, { kind: 'site', id: site._id })
        if (more) continue
        for (const by of people) {
          const theirs = changes.filter((change) => change.by === by)
          const touches = (part: string, field: string) =>
            theirs.some((change) => change.part === part && change.fields.some((one) => one.field === field))
          const field = fields.find((one) => one.part === 'site' && !touches(one.part, one.field))
          if (field) return { site, by, value: `${field.part} ${field.field}` }
        }
      }
      throw new Error('The sample network has no site that two people changed')
    }

    await test.step('is filtered by person, and filters without a match can be cleared', async () => {
      const { site, by, value } = await neverTogether(context)
      await visit(page, `/location/${site.slug}?history=1`)
      const drawer = page.getByRole('dialog')
      const who = drawer.getByLabel('Changed by')
      await who.selectOption(by)
      await expect.poll(async () => [...new Set(await drawer.locator('strong').allTextContents())]).toEqual([by])
      await drawer.getByLabel('Field', { exact: true }).selectOption(value)
      await expect(drawer.getByText('No changes match these filters.')).toBeVisible()
      await drawer.getByRole('button', { name: 'Clear Filters' }).click()
      await expect(drawer.locator('strong').first()).toBeVisible()
      await expect(who).toHaveValue('')
    })
  },
)

test('every record has its history, and the open drawer is accessible', { tag: '@all' }, async ({ page, context }) => {
  const [charter] = await sendCall(context, listCharters)
  const [brand] = await sendCall(context, listBrands)
  const [region] = await sendCall(context, listRegions)
  const [person] = await sendCall(context, listPeople)
  for (const [path, name] of [
    [`/staff/${person?.slug}`, person?.name],
    [`/charter/${charter?.slug}`, charter?.name],
    [`/charterview/${charter?.slug}`, charter?.name],
    [`/brand/${brand?._id}`, brand?.brandName],
    [`/brandview/${brand?._id}`, brand?.brandName],
    [`/region/${region?.slug}`, region?.name],
  ] as const) {
    await visit(page, path)
    const drawer = await open(page, name ?? '')
    await expect(drawer.getByLabel('Field', { exact: true })).toBeVisible()
  }
  const site = await makeSite(context)
  await sendCall(
    context,
    updateSite,
    { id: site._id },
    { address: { phone: '209-555-0181', description: 'Behind the library. '.repeat(30) } },
  )
  const sis = await sendCall(context, createSisSite, {}, { name: 'Lodi IS', site: site._id })
  await sendCall(context, deleteSisSite, { id: sis._id })
  await visit(page, `/location/${site.slug}?history=1`)
  const drawer = page.getByRole('dialog')
  const all = drawer.getByRole('button', { name: 'Show all of Description' })
  await all.click()
  await expect(drawer.getByRole('button', { name: 'Show less of Description' })).toBeFocused()
  await drawer.getByRole('button', { name: 'Restore Phone' }).click()
  await expect(drawer.getByRole('status')).not.toBeEmpty()
  await expectAccessible(page)
})

test.describe('at level 7', () => {
  test.use({ level: 7 })
  test('no page shows a history', { tag: '@all' }, async ({ page, context }) => {
    const site = findRecord(await sendCall(context, listSites), 'site', () => true)
    await visit(page, `/location/${site.slug}?history=1`)
    await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
    await expect(page.getByRole('button', { name: 'History', exact: true })).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
