import { createPerson, listRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

test('two duplicates are found, merged and the merge is undone', async ({ page, context }) => {
  const last = letters()
  const [full, short] = [`Katherine ${last}`, `Kathy ${last}`]
  const phone = `209-555-${String(Date.now()).slice(-4)}`
  const kept = await sendCall(context, createPerson, {}, { name: full, email: `katherine.${last}@homeroom.test`, phone })
  const merged = await sendCall(context, createPerson, {}, { name: short, email: `k${last}@homeroom.test`, phone, fax: '209-555-0199' })
  const site = await newSite(context)
  const [role] = await sendCall(context, listRoles)
  await sendCall(context, addSiteStaff, { id: site._id }, { person: merged._id, role_match: role!._id })

  await visit(page, '/duplicates?kind=person')
  const row = page.getByRole('listitem', { name: new RegExp(`^${full} and ${short}$|^${short} and ${full}$`) })
  await expect(row).toContainText('Same phone')
  await expect(row).toContainText('Kathy is short for Katherine')
  await expectAccessible(page)
  await row.getByRole('link', { name: /^Compare / }).click()

  await expect(page.getByRole('heading', { name: 'Are these one person?', exact: true })).toBeVisible()
  const other = page.getByRole('button', { name: `Keep ${full} Instead`, exact: true })
  if (await other.isVisible()) await other.click()
  await expect(page.getByRole('columnheader', { name: new RegExp(`^${full} stays`) })).toBeVisible()
  await expect(page.getByText('1 role')).toBeVisible()
  await page.getByRole('radio', { name: `Email of ${short}: k${last}@homeroom.test`, exact: true }).check()
  await page.getByRole('button', { name: 'Edit Name', exact: true }).click()
  await page.getByLabel('Name, together').fill(`Katherine M. ${last}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Merge', exact: true }).click()

  await expect(page.getByText(`${short} was merged into ${full}.`)).toBeVisible()
  await expect(page.getByRole('heading', { name: `Katherine M. ${last}`, exact: true })).toBeVisible()
  await expect(page.getByText(`k${last}@homeroom.test`).first()).toBeVisible()
  // The old address leads to the record that stays.
  await page.getByRole('link', { name: 'See or undo', exact: true }).click()
  await page.getByRole('button', { name: /^Undo all / }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Undo / })
    .click()
  await expect(page.getByText('The earlier values are back.')).toBeVisible()
  await visit(page, `/staff/${merged.slug}`)
  await expect(page.getByRole('heading', { name: short, exact: true })).toBeVisible()
  await visit(page, `/staff/${kept.slug}`)
  await expect(page.getByRole('heading', { name: full, exact: true })).toBeVisible()

  await visit(page, '/duplicates?kind=person')
  await row.getByRole('button', { name: /^Not the same person: / }).click()
  await expect(row).toHaveCount(0)
})

test('a form names the records that a new one would probably duplicate, and saves it all the same', async ({ page, context }) => {
  const address = { address_1: `12 ${letters()} Street`, city: 'Lancaster', zip: '93536', phone: '661-555-0141' }
  const site = await newSite(context, { displayName: `Quartz ${letters()}`, address } as never)
  await visit(page, '/add_location')
  await page.getByLabel('Display name *').fill(`${site.displayName} Resource Center`)
  await page.getByLabel('Address line 1 *').fill(site.address.address_1 ?? '')
  await page.getByLabel('City *').fill(site.address.city ?? '')
  const hint = page.getByText('This may be a duplicate of')
  await expect(hint).toContainText(site.displayName)
  await expect(hint.getByRole('link', { name: site.displayName, exact: true })).toHaveAttribute('href', `/location/${site.slug}`)
  await expectAccessible(page)
  await page.getByLabel('Display name *').fill('Something Else')
  await expect(hint).toHaveCount(0)
})
