import { randomBytes } from 'node:crypto'

import type { BrowserContext, Page } from '@playwright/test'

import { createPerson, listPeople, listRoles, readPerson, updatePerson } from '../../../src/records/people/contract.ts'
import type { Person } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, letters, newSite, sendCall } from '../records.ts'

const field = (page: Page, label: string) => page.getByRole('main').getByRole('textbox', { name: label })
const save = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Save Changes/ })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

const newPerson = (context: BrowserContext, name = `Juno ${letters()}`): Promise<Person> =>
  sendCall(
    context,
    createPerson,
    {},
    { name, email: `${randomBytes(6).toString('hex')}@network.test`, phone: null, fax: null, sql_person_id: null },
  )
const holds = async (context: BrowserContext, site: Site, person: Person, role: string): Promise<void> => {
  const { _id } = findRecord(await sendCall(context, listRoles), role, ({ name }) => name === role)
  await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: _id })
}
const staffOf = async (context: BrowserContext, site: Site): Promise<string[]> =>
  (await sendCall(context, readSite, { slug: site._id })).people.map(({ person, role_match }) => `${person.name}, ${role_match.name}`)

test.describe('an administrator', () => {
  test.use({ level: 6 })

  test('edits a person; errors are shown at their fields', async ({ page, context }) => {
    const person = await newPerson(context)
    await visit(page, `/staff/${person.slug}`)
    await page.getByRole('button', { name: 'Edit Info' }).click()
    await expect(heading(page, `Edit ${person.name}`)).toBeFocused()
    await expectAccessible(page)
    await field(page, 'Phone').fill('(209) 555-0142 x12')
    await field(page, 'Phone').blur()
    await expect(field(page, 'Phone')).toHaveValue('209-555-0142 x12')
    await field(page, 'Email').fill('juno at network')
    await save(page).click()
    await expect(page.locator('[data-field="email"]')).toContainText('Please provide a valid email address')
    const address = `${randomBytes(6).toString('hex')}@network.test`
    await field(page, 'Email').fill(address)
    await field(page, 'HR number').fill(`0${randomBytes(4).toString('hex')}`)
    await save(page).click()
    await expect(heading(page, person.name)).toBeVisible()
    await expect(page.getByRole('link', { name: address })).toBeVisible()
    expect(await sendCall(context, readPerson, { slug: person._id })).toMatchObject({ phone: '209-555-0142 x12', email: address })
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('dialog')).toContainText('HR number')
  })

  test('sees who has the email address, and what someone else has saved', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    const [person, other] = [await newPerson(context), await newPerson(context)]
    await visit(page, `/staff/${person.slug}?edit=1`)
    pageErrors.expect(/409|412/)
    pageErrors.expect(/PUT/)
    await field(page, 'Email').fill(other.email ?? '')
    await save(page).click()
    await expect(page.locator('[data-field="email"]')).toContainText(`${other.name} already has this email address`)
    await sendCall(context, updatePerson, { id: person._id }, { phone: '209-555-0150' })
    await field(page, 'Email').fill(person.email ?? '')
    await field(page, 'Phone').fill('209-555-0199')
    await save(page).click()
    const both = page.getByRole('main').getByRole('group', { name: 'Phone' })
    await expect(both).toContainText('209-555-0150')
    await both.getByRole('radio', { name: /209-555-0199/ }).check()
    await page.getByRole('main').getByRole('button', { name: /^Save/ }).click()
    await expect(heading(page, person.name)).toBeVisible()
    expect(await sendCall(context, readPerson, { slug: person._id })).toMatchObject({ phone: '209-555-0199', email: person.email })
  })

  test('marks someone as left, assigns their roles to someone else in the same step, and undoes it as one', async ({ page, context }) => {
    test.slow()
    const [first, second] = [await newSite(context), await newSite(context)]
    const [leaver, successor] = [await newPerson(context), await newPerson(context)]
    await holds(context, first, leaver, 'Principal')
    await holds(context, second, leaver, 'Registrar')
    await visit(page, `/staff/${leaver.slug}`)
    await page.getByRole('button', { name: 'Mark as No Longer Employed…' }).click()
    const window = page.getByRole('dialog', { name: `Mark ${leaver.name} as no longer employed?` })
    await expect(window.getByRole('status').first()).toHaveText('2 roles will end, leaving 2 positions vacant.')
    await expectAccessible(page)
    const roles = window.getByRole('list', { name: 'Roles that will end' }).getByRole('listitem')
    await expect(roles).toHaveCount(2)
    await window.getByRole('button', { name: `Assign to someone else: Principal, ${first.displayName}` }).click()
    await window.getByLabel(`New person for Principal, ${first.displayName}`).fill(successor.name)
    await window.getByRole('button', { name: `Select ${successor.name}` }).click()
    await expect(window.getByRole('status').first()).toHaveText('2 roles will end, leaving 1 position vacant.')
    await window.getByRole('button', { name: 'Mark as No Longer Employed' }).click()
    await expect(page.getByText(new RegExp(`^${leaver.name} is no longer employed as of \\d\\d/\\d\\d/\\d{4}$`))).toBeVisible()
    await expect(page.getByText('No locations to display')).toBeVisible()
    expect([await staffOf(context, first), await staffOf(context, second)]).toEqual([[`${successor.name}, Principal`], []])

    await page.getByRole('button', { name: 'Undo…' }).click()
    const undo = page.getByRole('dialog', { name: `Restore ${leaver.name} as an employee?` })
    await expect(undo.getByRole('list', { name: 'Roles that will be restored' }).getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    await undo.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Mark as No Longer Employed…' })).toBeVisible()
    expect([await staffOf(context, first), await staffOf(context, second)]).toEqual([
      [`${leaver.name}, Principal`],
      [`${leaver.name}, Registrar`],
    ])
  })
})

test.describe('level 10', () => {
  test.use({ level: 10 })

  test('sees neither Edit Info nor the action to mark someone as left', { tag: '@all' }, async ({ page, context }) => {
    const person = findRecord(await sendCall(context, listPeople), 'person', () => true)
    await visit(page, `/staff/${person.slug}?edit=1`)
    await expect(heading(page, person.name)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit Info' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /no longer employed/ })).toHaveCount(0)
  })
})
