import type { BrowserContext } from '@playwright/test'

import { listPlannedChanges } from '../../../src/features/changing/changesets/contract.ts'
import { createPerson, listRoles, readPerson } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const newPerson = (context: BrowserContext, name: string) =>
  sendCall(context, createPerson, {}, { name: `${name} ${letters()}`, email: `${letters()}@school.example` })

test('someone’s last day is planned with who takes over, shown on their page and at the site, and canceled', async ({ page, context }) => {
  const [leaver, successor] = [await newPerson(context, 'Ruth'), await newPerson(context, 'Irene')]
  const sites = [await newSite(context), await newSite(context), await newSite(context)]
  const role = findRecord(await sendCall(context, listRoles), 'role', ({ name }) => name === 'Area Superintendent')
  for (const { _id } of sites) await sendCall(context, addSiteStaff, { id: _id }, { person: leaver._id, role_match: role._id })
  const [first, , last] = sites.map(({ displayName }) => displayName).toSorted()

  await visit(page, `/staff/${leaver.slug}`)
  const open = page.getByRole('button', { name: 'Mark as No Longer Employed…', exact: true })
  await open.click()
  const dialog = page.getByRole('dialog', { name: `Mark ${leaver.name} as no longer employed?`, exact: true })
  const lines = dialog.getByRole('list', { name: 'Roles that will end', exact: true }).getByRole('listitem')
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText(`Area Superintendent at 3 sites: ${first}`)
  await expect(lines).toContainText('All 3 become vacant')
  await dialog.getByLabel('Last day').fill('2099-06-30')
  await expect(dialog.getByRole('status').first()).toHaveText('3 roles will end after 06/30/2099, leaving 3 positions vacant.')
  await expectAccessible(page)
  await lines.getByRole('button', { name: /^Assign site by site/ }).click()
  await expect(lines).toHaveCount(3)
  await dialog.getByRole('button', { name: `Assign to someone else: Area Superintendent, ${first}`, exact: true }).click()
  await dialog.getByLabel(`New person for Area Superintendent, ${first}`).fill(successor.name)
  await expect(dialog.getByText('Enter selects the first.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(lines.filter({ hasText: last! })).toContainText('Becomes vacant')
  await dialog.getByRole('button', { name: 'Plan for 06/30/2099', exact: true }).click()

  await expect(dialog).toHaveCount(0)
  const planned = page.getByRole('region', { name: 'Planned changes', exact: true })
  await expect(planned).toContainText('From 07/01/2099')
  await expect(planned).toContainText(/From .*No longer employed/)
  await expect(planned).toContainText(`Area Superintendent of ${first} will be ${successor.name} (now ${leaver.name})`)
  await open.click()
  await dialog.getByLabel('Last day').fill('2099-08-31')
  await expect(dialog.getByText('The last day is already planned: 06/30/2099. Cancel it first under Planned changes.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Plan for 08/31/2099', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')

  const site = sites.find(({ displayName }) => displayName === last)
  await visit(page, `/location/staff/${site?.slug}`)
  await expect(page.getByText('Area Superintendent, until 06/30/2099')).toBeVisible()
  await expect(planned.getByRole('link', { name: leaver.name, exact: true })).toBeVisible()
  await expect(planned).not.toContainText(first!)
  await planned.getByRole('button', { name: 'Cancel Change', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Change', exact: true }).click()
  await expect(planned).toHaveCount(0)
  expect((await sendCall(context, listPlannedChanges, {})).filter(({ record }) => record._id === leaver._id)).toEqual([])
  expect((await sendCall(context, readPerson, { slug: leaver._id })).leftAt).toBeNull()
})
