import type { BrowserContext, Locator, Page } from '@playwright/test'

import { listPlannedChanges } from '../../../src/features/changing/changesets/contract.ts'
import { searchStaff } from '../../../src/records/hr/contract.ts'
import { getEmployeeName } from '../../../src/records/hr/rules.ts'
import { createPerson, listPeople, listRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newSite, sendCall } from '../records.ts'

test.use({ level: 6 })

const MONDAY = '2099-11-30'
const newPerson = (context: BrowserContext, name: string) =>
  sendCall(context, createPerson, {}, { name: `${name} ${letters()}`, email: `${letters()}@school.example` })
const getRole = async (context: BrowserContext, name: string) =>
  findRecord(await sendCall(context, listRoles), name, (role) => role.name === name)
const readStaff = async (context: BrowserContext, site: { _id: string }) =>
  (await sendCall(context, readSite, { slug: site._id })).people.map(({ person, role_match }) => `${role_match.name}: ${person.name}`)

/** Clicks as a user, and counts. Typing is not counted. */
const countClicks = () => {
  const counter = { clicks: 0 }
  const click = async (target: Locator) => {
    await target.click()
    counter.clicks++
  }
  return { counter, click }
}
const setUp = async (context: BrowserContext) => {
  const [lodi, stockton] = [await newSite(context), await newSite(context)]
  const [hannah, ruth] = [await newPerson(context, 'Hannah'), await newPerson(context, 'Ruth')]
  const principal = await getRole(context, 'Principal')
  for (const [site, person] of [
    [lodi, hannah],
    [stockton, ruth],
  ] as const)
    await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: principal._id })
  return { lodi, stockton, hannah, ruth, principal }
}
const chooseSite = async (page: Page, name: string) => {
  await page.getByRole('combobox', { name: 'To the site', exact: true }).fill(name)
  await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

test('a principal moves to another site from Monday with 5 clicks and a date, as one planned change', async ({ page, context }) => {
  const { lodi, stockton, hannah, ruth } = await setUp(context)
  const { counter, click } = countClicks()
  await visit(page, `/staff/${hannah.slug}`)
  await click(page.getByRole('link', { name: 'Move…', exact: true }))
  const dialog = page.getByRole('dialog', { name: `Move ${hannah.name}`, exact: true })
  await expect(dialog.getByLabel('From', { exact: true })).toHaveValue('0')
  await click(dialog.getByRole('combobox', { name: 'To the site', exact: true }))
  await page.keyboard.type(stockton.displayName)
  await click(page.getByRole('option', { name: new RegExp(stockton.displayName) }))
  await expect(dialog.getByRole('checkbox', { name: `Replaces ${ruth.name}`, exact: true })).toBeChecked()
  await dialog.getByLabel('Effective date').fill(MONDAY)
  const says = dialog.getByRole('status').last()
  await expect(says).toContainText(`${hannah.name} becomes Principal of ${stockton.displayName} on 11/30/2099, and replaces ${ruth.name}.`)
  await expect(says).toContainText(`${lodi.displayName} has no principal from then on.`)
  await expectAccessible(page)
  await click(dialog.getByRole('button', { name: 'Move on 11/30/2099', exact: true }))
  await expect(page.getByRole('link', { name: 'See planned changes', exact: true })).toBeVisible()
  expect(counter.clicks).toBeLessThanOrEqual(5)
  await expect(dialog).toHaveCount(0)
  const plans = (await sendCall(context, listPlannedChanges, {})).filter(({ record }) => [lodi._id, stockton._id].includes(record._id))
  expect(plans.map(({ day, others }) => [day, others])).toEqual([
    [MONDAY, 1],
    [MONDAY, 1],
  ])

  // The same position is not planned twice.
  await visit(page, `/staff/${hannah.slug}?move=1`)
  await chooseSite(page, stockton.displayName)
  await expect(dialog.getByText('is already planned for 11/30/2099. Cancel it first under Planned changes.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
})

test('a move of today swaps two people, and Undo restores both', async ({ page, context }) => {
  const { lodi, stockton, hannah, ruth } = await setUp(context)
  await visit(page, `/staff/${hannah.slug}?move=1`)
  const dialog = page.getByRole('dialog', { name: `Move ${hannah.name}`, exact: true })
  const site = dialog.getByRole('combobox', { name: 'To the site', exact: true })
  await expect(site).toBeFocused()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(dialog.getByText('Please choose a site', { exact: true })).toBeVisible()
  await expect(site).toBeFocused()
  await chooseSite(page, stockton.displayName)
  // Escape closes the list of people first, from the field and from the list.
  const successor = dialog.getByLabel(`Who takes over as Principal of ${lodi.displayName}?`)
  const select = dialog.getByRole('button', { name: `Select ${ruth.name}`, exact: true })
  for (const key of ['ArrowUp', 'ArrowDown']) {
    await successor.fill(ruth.name)
    await expect(select).toBeVisible()
    await page.keyboard.press(key)
    await page.keyboard.press('Escape')
    await expect(select).toHaveCount(0)
    await expect(successor).toBeFocused()
  }
  // Enter takes the first match of the person too.
  await successor.fill(ruth.name)
  await expect(dialog.getByText('Enter selects the first.')).toBeVisible()
  await expect(dialog.getByText(`Principal, ${stockton.displayName}`)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status').last()).toContainText(`${ruth.name} becomes Principal of ${lodi.displayName} from today on.`)
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  await expect(page.getByText(`${hannah.name} becomes Principal of ${stockton.displayName} today`)).toBeVisible()
  expect([await readStaff(context, lodi), await readStaff(context, stockton)]).toEqual([
    [`Principal: ${ruth.name}`],
    [`Principal: ${hannah.name}`],
  ])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('2 sites changed back.')).toBeVisible()
  expect([await readStaff(context, lodi), await readStaff(context, stockton)]).toEqual([
    [`Principal: ${hannah.name}`],
    [`Principal: ${ruth.name}`],
  ])
})

test('a person is added from HR and gets a role with 6 clicks', async ({ page, context }) => {
  const site = await newSite(context)
  const known = new Set((await sendCall(context, listPeople)).map(({ sql_person_id }) => sql_person_id))
  const { recordset } = await sendCall(context, searchStaff, { query: 'el' })
  const employee = findRecord(
    recordset,
    'employee who is not in',
    ({ PersonID, EmailAddress }) => !known.has(PersonID) && EmailAddress !== null,
  )
  const name = getEmployeeName(employee)
  const { counter, click } = countClicks()
  await visit(page, '/')
  await click(page.getByRole('list', { name: 'Browse', exact: true }).getByRole('link', { name: 'Add Staff Member', exact: true }))
  await page.getByLabel('Search employees').fill(employee.PersonID)
  await click(page.getByRole('button', { name, exact: true }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }))
  await click(page.getByRole('link', { name: 'Give a role at a site', exact: true }))
  const dialog = page.getByRole('dialog', { name: `Give ${name} a role at a site`, exact: true })
  await expect(dialog.getByRole('combobox', { name: 'To the site', exact: true })).toBeFocused()
  await chooseSite(page, site.displayName)
  await click(dialog.getByLabel('Role'))
  await dialog.getByLabel('Role').selectOption('Registrar')
  await expect(dialog.getByRole('status').last()).toHaveText(`${name} becomes Registrar of ${site.displayName} today.`)
  await click(dialog.getByRole('button', { name: 'Give Role', exact: true }))
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()
  expect(counter.clicks).toBeLessThanOrEqual(6)
  expect(await readStaff(context, site)).toEqual([`Registrar: ${name}`])
})

test('staff are added and removed on a later day, once for each role', async ({ page, context }) => {
  const site = await newSite(context)
  const [hannah, ruth] = [await newPerson(context, 'Hannah'), await newPerson(context, 'Ruth')]
  const registrar = await getRole(context, 'Registrar')
  await sendCall(context, addSiteStaff, { id: site._id }, { person: hannah._id, role_match: registrar._id })
  await visit(page, `/location/staff/${site.slug}`)
  await page.getByRole('button', { name: 'Remove Staff', exact: true }).click()
  const removing = page.getByRole('dialog', { name: 'Remove Staff', exact: true })
  await removing.getByRole('radio').check()
  await removing.getByLabel('Effective date').fill(MONDAY)
  await removing.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('1 change planned for 11/30/2099.')).toBeVisible()
  await expect(page.getByText('Registrar, until 11/29/2099')).toBeVisible()
  expect(await readStaff(context, site)).toEqual([`Registrar: ${hannah.name}`])

  await page.getByRole('button', { name: 'Add Staff', exact: true }).click()
  const adding = page.getByRole('dialog', { name: 'Add Staff', exact: true })
  await adding.getByLabel('Search staff').fill(ruth.name)
  const hit = adding.getByRole('button', { name: `Select ${ruth.name}`, exact: true })
  await expect(hit).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(hit).toBeFocused()
  await page.keyboard.press('Enter')
  await adding.getByLabel('Role').selectOption('Registrar')
  await adding.getByLabel('Effective date').fill(MONDAY)
  await expect(adding.getByText('A change of this role is already planned for 11/30/2099.')).toBeVisible()
  await expect(adding.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await adding.getByLabel('Role').selectOption('Principal')
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(adding).toHaveCount(0)
  const plans = await sendCall(context, listPlannedChanges, {})
  const own = plans.filter(({ record }) => record._id === site._id).flatMap(({ fields }) => fields)
  expect(own.map(({ label, plannedName }) => [label, plannedName]).toSorted()).toEqual([
    ['Principal', ruth.name],
    ['Registrar', null],
  ])
})
