import type { BrowserContext, Locator, Page } from '@playwright/test'

import { listPeople, listRoles } from '../../../src/records/people/contract.ts'
import type { Person, Role, RoleGroup } from '../../../src/records/people/contract.ts'
import { listSisSites } from '../../../src/records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import type { Site } from '../../../src/records/sites/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

const openPage = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/staff/${site.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
}
const openAdd = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Add Staff' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Staff' })
  await expect(dialog).toBeVisible()
  return dialog
}
const openRemove = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Remove Staff' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Staff' })
  await expect(dialog).toBeVisible()
  return dialog
}
const group = (page: Page, title: string): Locator => page.getByRole('region', { name: title })
const roleOf = async (context: BrowserContext, of: RoleGroup, name?: string): Promise<Role> =>
  findRecord(await sendCall(context, listRoles), `role of ${of}`, (role) => role.group === of && (name === undefined || role.name === name))
/** A new person with a unique name. */
const findUnassignedPerson = async (context: BrowserContext): Promise<Person> => {
  const people = await sendCall(context, listPeople)
  return findRecord(people, 'person of a name of their own', ({ name }) => people.filter((other) => other.name.includes(name)).length === 1)
}
const stored = async (context: BrowserContext, site: Site) => (await sendCall(context, readSite, { slug: site.slug })).people
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('finds a person, adds a role, and sees that one exists already', async ({ page, context, pageErrors }) => {
    await test.step('Add Staff finds by part of a name, at most three people, ignoring case and accents', async () => {
      const site = await newSite(context)
      const people = await sendCall(context, listPeople)
      const accented = findRecord(people, 'person with an accent in the name', ({ name }) => plain(name) !== name.toLowerCase())
      await openPage(page, site)
      const dialog = await openAdd(page)
      const search = dialog.getByLabel('Search staff')
      const selects = dialog.getByRole('button', { name: /^Select / })
      await expect(search).toBeFocused()
      await expect(selects).toHaveCount(0)
      expect(people.filter(({ name }) => plain(name).includes('a')).length).toBeGreaterThan(3)
      await search.fill('a')
      await expect(selects).toHaveCount(3)
      await search.fill(plain(accented.name).toUpperCase())
      await expect(dialog.getByRole('button', { name: `Select ${accented.name}` }).first()).toBeVisible()
      await search.fill(accented.name.slice(1).toLowerCase())
      await expect(dialog.getByRole('button', { name: `Select ${accented.name}` }).first()).toBeVisible()
      await search.fill('qqqq')
      await expect(selects).toHaveCount(0)
      await expect(dialog.getByRole('status')).toHaveText('No one with that name was found.')
    })

    await test.step('Save needs a person and a role; the person is then in the group of that role', async () => {
      const site = await newSite(context)
      const person = await findUnassignedPerson(context)
      const [principal, counselor] = [
        await roleOf(context, 'LEADERSHIP', 'Principal'),
        await roleOf(context, 'STUDENT_SUPPORT', 'Counselor'),
      ]
      await openPage(page, site)
      await expect(page.getByRole('button', { name: 'Remove Staff' })).toHaveCount(0)
      await expect(page.getByText('Vacant')).toHaveCount(2)
      const dialog = await openAdd(page)
      const save = dialog.getByRole('button', { name: 'Save' })
      const select = dialog.getByRole('button', { name: `Select ${person.name}` }).first()
      await expect(save).toBeDisabled()
      await dialog.getByLabel('Search staff').fill(person.name)
      await select.click()
      await expect(save).toBeDisabled()
      await dialog.getByLabel('Role').selectOption({ label: principal.name })
      await expect(save).toBeEnabled()
      await dialog.getByRole('button', { name: `Remove ${person.name}` }).click()
      await expect(save).toBeDisabled()
      await expect(dialog.getByLabel('Search staff')).toBeVisible()
      await select.click()
      await save.click()
      await expect(dialog).toHaveCount(0)
      await expect(group(page, 'Leadership').getByRole('listitem')).toContainText([principal.name])
      await expect(group(page, 'Leadership').getByRole('link', { name: person.name, exact: true })).toBeVisible()
      await expect(group(page, 'Student Support')).toContainText('Vacant')
      expect(await stored(context, site)).toMatchObject([{ person: { name: person.name }, role_match: { name: principal.name } }])

      await openAdd(page)
      await dialog.getByLabel('Search staff').fill(person.name)
      await select.click()
      await dialog.getByLabel('Role').selectOption({ label: counselor.name })
      await save.click()
      await expect(dialog).toHaveCount(0)
      await expect(group(page, 'Student Support').getByRole('listitem')).toContainText([counselor.name])
      await expect(group(page, 'Leadership').getByRole('listitem')).toHaveCount(1)
      // A person with two roles is listed once.
      await expect(page.getByRole('link', { name: 'Staff 1', exact: true })).toBeVisible()
    })

    await test.step('the same role twice is refused in the window, which keeps the selection', async () => {
      const site = await newSite(context)
      const person = await findUnassignedPerson(context)
      const role = await roleOf(context, 'LEADERSHIP', 'Principal')
      await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
      await openPage(page, site)
      const dialog = await openAdd(page)
      await dialog.getByLabel('Search staff').fill(person.name)
      await dialog
        .getByRole('button', { name: `Select ${person.name}` })
        .first()
        .click()
      await dialog.getByLabel('Role').selectOption({ label: role.name })
      pageErrors.expect(/409/)
      pageErrors.expect(/POST/)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByRole('alert')).toContainText(`This person already has the role ${role.name} at this site`)
      await expect(dialog.getByRole('button', { name: `Remove ${person.name}` })).toBeVisible()
      await expect(dialog.getByLabel('Role')).toHaveValue(role._id)
      const other = await roleOf(context, 'LEADERSHIP', 'Assistant Principal')
      await dialog.getByLabel('Role').selectOption({ label: other.name })
      await expect(dialog.getByRole('alert')).toHaveText('')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(group(page, 'Leadership').getByRole('listitem')).toContainText([`${other.name}, ${role.name}`])
    })
  })

  test(
    'removes one role at a time, sees an error for a role that no longer exists, and axe finds nothing in the windows',
    { tag: '@all' },
    async ({ page, context, pageErrors }) => {
      test.slow()
      await test.step('Remove Staff removes only the selected role', async () => {
        const site = await newSite(context)
        const person = await findUnassignedPerson(context)
        const [principal, counselor] = [
          await roleOf(context, 'LEADERSHIP', 'Principal'),
          await roleOf(context, 'STUDENT_SUPPORT', 'Counselor'),
        ]
        for (const role of [principal, counselor])
          await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
        await openPage(page, site)
        const dialog = await openRemove(page)
        await expect(dialog.getByRole('radio')).toHaveCount(2)
        await expect(dialog.getByRole('button', { name: 'Remove', exact: true })).toBeDisabled()
        await dialog.getByRole('radio', { name: counselor.name }).check()
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        expect(await stored(context, site)).toHaveLength(2)

        await openRemove(page)
        await dialog.getByRole('radio', { name: principal.name }).check()
        await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
        await expect(dialog).toHaveCount(0)
        await expect(group(page, 'Leadership')).toContainText('Vacant')
        await expect(group(page, 'Student Support').getByRole('listitem')).toContainText([counselor.name])
        expect(await stored(context, site)).toMatchObject([{ person: { _id: person._id }, role_match: { _id: counselor._id } }])

        await openRemove(page)
        await dialog.getByRole('radio').check()
        await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
        await expect(page.getByRole('button', { name: 'Remove Staff' })).toHaveCount(0)
        expect(await stored(context, site)).toEqual([])
      })

      await test.step('a role that someone else has removed is reported in the window', async () => {
        const site = await newSite(context)
        const person = await findUnassignedPerson(context)
        const role = await roleOf(context, 'LEADERSHIP', 'Principal')
        await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
        await openPage(page, site)
        const dialog = await openRemove(page)
        await dialog.getByRole('radio', { name: role.name }).check()
        await sendCall(context, removeSiteStaff, { id: site._id }, { person_id: person._id, role_id: role._id })
        pageErrors.expect(/404/)
        pageErrors.expect(/PATCH/)
        await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
        await expect(dialog.getByRole('alert')).toContainText('Error: ')
      })

      await test.step('axe finds nothing in either window', async () => {
        const site = await newSite(context)
        const person = await findUnassignedPerson(context)
        for (const role of ['Principal', 'Counselor'])
          await sendCall(
            context,
            addSiteStaff,
            { id: site._id },
            { person: person._id, role_match: findRecord(await sendCall(context, listRoles), role, ({ name }) => name === role)._id },
          )
        await openPage(page, site)
        const adding = await openAdd(page)
        await adding.getByLabel('Search staff').fill('a')
        await expect(adding.getByRole('button', { name: /^Select / })).toHaveCount(3)
        await expectAccessible(page)
        await adding
          .getByRole('button', { name: /^Select / })
          .first()
          .click()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(adding).toHaveCount(0)
        const removing = await openRemove(page)
        await removing.getByRole('radio').first().check()
        await expectAccessible(page)
      })
    },
  )
})

test.describe('level 7', () => {
  test.use({ level: 7 })

  test('has no way to edit, and is sent home from forms', { tag: '@all' }, async ({ page, context }) => {
    await test.step('has no way to edit on any page of a site, whatever the URL', async () => {
      const [sis] = await sendCall(context, listSisSites)
      const { slug, displayName } = findRecord(sis ? [sis.site] : [], 'SIS site', () => true)
      for (const path of [
        `/location/${slug}`,
        `/location/fac/${slug}`,
        `/location/enrollment/${slug}`,
        `/location/staff/${slug}`,
        `/location/${slug}/sis`,
      ]) {
        for (const query of ['', '?edit=1']) {
          await visit(page, path + query)
          await expect(page.getByRole('heading', { level: 1, name: displayName, exact: true })).toBeVisible()
          await expect(page.locator('#main').locator('dl, h2').first()).toBeVisible()
          await expect(page.getByRole('button', { name: /^(Edit|Edit Site|Add Staff|Remove Staff|Add SIS Site|History)$/ })).toHaveCount(0)
          await expect(page.getByRole('form')).toHaveCount(0)
        }
      }
    })

    await test.step('is sent home from the form of a new site and from a SIS site', async () => {
      const sis = findRecord(await sendCall(context, listSisSites), 'SIS site', () => true)
      for (const path of ['/add_location', `/location/${sis.site.slug}/sis/${sis._id}`]) {
        await visit(page, path)
        await expect(page).toHaveURL('/')
        await expect(page.getByText('Welcome, ')).toBeVisible()
      }
    })
  })
})
