import { randomBytes } from 'node:crypto'

import type { BrowserContext, Locator, Page } from '@playwright/test'

import { searchStaff } from '../../../src/records/hr/contract.ts'
import type { StaffSearchResult } from '../../../src/records/hr/contract.ts'
import { createPerson, listPeople } from '../../../src/records/people/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, sendCall } from '../records.ts'

const fresh = (): string => `zelda.${randomBytes(4).toString('hex')}@network.test`
const nameOf = ({ FirstName, LastName }: StaffSearchResult): string => `${FirstName} ${LastName}`

/** Employees from the HR source, grouped by whether they are in the application. */
const employees = async (context: BrowserContext, query: string) => {
  const { recordset } = await sendCall(context, searchStaff, { query })
  const people = await sendCall(context, listPeople)
  const isIn = ({ PersonID, EmailAddress, Hris_EmailAddress }: StaffSearchResult): boolean =>
    people.some(
      ({ sql_person_id, email }) =>
        sql_person_id === PersonID ||
        [EmailAddress, Hris_EmailAddress].some((one) => one !== null && one.toLowerCase() === email?.toLowerCase()),
    )
  return { in: recordset.filter(isIn), out: recordset.filter((one) => !isIn(one)) }
}

const field = (page: Page): Locator => page.getByLabel('Search employees')
const cards = (page: Page): Locator => page.getByRole('list', { name: 'Employees found' }).getByRole('listitem')
const cardOf = (page: Page, { PersonID }: StaffSearchResult): Locator => cards(page).filter({ hasText: PersonID })
const window = (page: Page): Locator => page.getByRole('dialog', { name: 'Add Staff to Application' })
const openPage = async (page: Page, query = ''): Promise<void> => {
  await visit(page, `/add_staff${query}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Add Staff' })).toBeVisible()
}

test.describe('level 10', () => {
  test.use({ level: 10 })

  test('is sent home from Add Staff, and has no link to it', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/add_staff')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Add Staff Member' })).toHaveCount(0)
  })
})

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('finds Add Staff, adds someone from HR or without HR, and sees who is already in the directory', async ({
    page,
    context,
    pageErrors,
  }) => {
    await test.step('finds Add Staff on the home page, in the side menu and in the search window', async () => {
      await visit(page, '/')
      const tile = page.getByRole('list', { name: 'Browse' }).getByRole('link', { name: 'Add Staff Member' })
      await expect(tile).toHaveAttribute('href', '/add_staff')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('add staff')
      await expect(page.getByRole('row', { name: /Add Staff Member/ })).toBeVisible()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Management' }).click()
      await page.locator('#menu').getByRole('link', { name: 'Add Staff' }).click()
      await expect(page).toHaveURL(/\/add_staff$/)
      await expect(page.getByText('Type at least two letters.')).toBeVisible()
      await expectAccessible(page)
    })

    await test.step('sees before clicking who is already in the directory, with a link to their page', async () => {
      const found = await employees(context, 'mar')
      const known = findRecord(found.in, 'employee who is in', () => true)
      const other = findRecord(found.out, 'employee who is not in', () => true)
      await openPage(page)
      await field(page).fill('mar')
      await expect(cardOf(page, known)).toContainText('Already added')
      await expect(cardOf(page, known).getByRole('button')).toHaveCount(0)
      await expect(cardOf(page, known).getByRole('link')).toHaveAttribute('href', /^\/staff\//)
      const card = cardOf(page, other)
      await expect(card).not.toContainText('Already added')
      for (const text of [
        nameOf(other),
        other.Title,
        other.Department,
        other.Company,
        other.Region,
        other.Hris_EmailAddress ?? 'None on file',
      ])
        await expect(card).toContainText(text ?? '')
      await field(page).fill(known.PersonID)
      await expect(cards(page)).toHaveCount(1)
      await expect(cardOf(page, known)).toContainText('Already added')
      await expectAccessible(page)
    })

    await test.step('adds someone from HR: the window shows the HR data, keeps what was typed, and the search continues', async () => {
      const employee = findRecord(
        (await employees(context, 'an')).out,
        'employee with an address',
        ({ EmailAddress }) => EmailAddress !== null,
      )
      await openPage(page)
      await field(page).fill(employee.PersonID)
      await cardOf(page, employee).getByRole('button').click()
      const dialog = window(page)
      await expect(dialog.getByLabel('Name')).toHaveValue(nameOf(employee))
      await expect(dialog.getByLabel('Email')).toHaveValue(employee.EmailAddress ?? '')
      await expectAccessible(page)
      await dialog.getByLabel('Phone').fill('call 2095550142')
      await dialog.getByLabel('Fax').fill('209-555-0143')
      await dialog.getByLabel('Name').focus()
      await expect(dialog.getByLabel('Phone')).toHaveValue('209-555-0142')
      await expect(dialog.getByLabel('Fax')).toHaveValue('209-555-0143')
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText(`${nameOf(employee)} was added.`)).toBeVisible()
      await expect(field(page)).toBeFocused()
      await expect(cardOf(page, employee)).toContainText('Already added')
      const made = findRecord(await sendCall(context, listPeople), 'the person', ({ sql_person_id }) => sql_person_id === employee.PersonID)
      expect(made).toMatchObject({ name: nameOf(employee), email: employee.EmailAddress, phone: '209-555-0142', fax: '209-555-0143' })
      await page.getByRole('link', { name: 'Give a role at a site', exact: true }).click()
      await expect(page.getByRole('dialog', { name: `Give ${nameOf(employee)} a role at a site` })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(`/staff/${made.slug}`)
      await expect(page.getByRole('heading', { level: 1, name: nameOf(employee) })).toBeVisible()
    })

    await test.step('adds someone who is not in HR, and sees who already has the email address', async () => {
      const email = fresh()
      const before = await sendCall(context, createPerson, {}, { name: 'Zelda First', email })
      await openPage(page)
      await page.getByRole('button', { name: 'Add someone who is not in HR' }).click()
      const dialog = window(page)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(dialog.getByText('This field is required')).toHaveCount(2)
      await expect(dialog.getByLabel('Name')).toBeFocused()
      await dialog.getByLabel('Name').fill('Zelda Second')
      await dialog.getByLabel('Email').fill(email.toUpperCase())
      pageErrors.expect(/409/)
      pageErrors.expect(/POST/)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await expect(page.getByText('Error: This user has already been added')).toBeVisible()
      await expect(dialog.getByText(`${before.name} already has this email address`)).toBeVisible()
      await expect(dialog.getByLabel('Email')).toBeFocused()
      await expect(dialog.getByLabel('Name')).toHaveValue('Zelda Second')
      // The banner is above the dialog: clicking it closes only the banner.
      await page.getByRole('button', { name: 'Error: This user has already been added' }).click()
      await expect(page.getByText('This user has already been added')).toHaveCount(0)
      await expect(dialog).toBeVisible()
      await dialog.getByLabel('Email').fill(fresh())
      await dialog.getByLabel('Email').press('Enter')
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText('Zelda Second was added.')).toBeVisible()
      await expect(page.getByText('This user has already been added')).toHaveCount(0)
    })
  })

  test('any other failure is shown as a request error, and nothing typed is lost', { tag: '@all' }, async ({ page, pageErrors }) => {
    await openPage(page)
    await page.getByRole('button', { name: 'Add someone who is not in HR' }).click()
    const dialog = window(page)
    await dialog.getByLabel('Name').fill('Zelda Third')
    await dialog.getByLabel('Email').fill(fresh())
    pageErrors.expect(/people/)
    pageErrors.expect(/POST/)
    await page.route('**/locations-api/people', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('Error: There has been an error with the request')).toBeVisible()
    await expect(dialog.getByRole('alert')).toContainText('The connection was lost')
    await expect(dialog.getByLabel('Name')).toHaveValue('Zelda Third')
  })

  test('typed text is not lost by closing, and results can be reached by keyboard', { tag: '@all' }, async ({ page, context }) => {
    await test.step('the window asks before it closes with typed text', async () => {
      await openPage(page)
      const opener = page.getByRole('button', { name: 'Add someone who is not in HR' })
      await opener.click()
      await page.keyboard.press('Escape')
      await expect(window(page)).toHaveCount(0)
      await expect(opener).toBeFocused()
      await opener.click()
      await window(page).getByLabel('Name').fill('Half typed')
      await window(page).getByRole('button', { name: 'Cancel' }).click()
      const question = page.getByRole('dialog', { name: 'Close without adding?' })
      await expect(question).toContainText('Half typed')
      await question.getByRole('button', { name: 'Keep Editing' }).click()
      await expect(question).toHaveCount(0)
      await expect(window(page).getByLabel('Name')).toHaveValue('Half typed')
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Discard' }).click()
      await expect(window(page)).toHaveCount(0)
    })

    await test.step('moves through the results by keyboard', async () => {
      const { out } = await employees(context, 'mar')
      const employee = findRecord(out, 'employee', () => true)
      await openPage(page)
      await field(page).focus()
      await page.keyboard.type('mar')
      await expect(cardOf(page, employee)).toBeVisible()
      await expect(cards(page).filter({ hasText: 'Already added' }).first()).toBeVisible()
      const hits = page.locator('[data-hit]')
      await page.keyboard.press('ArrowDown')
      await expect(hits.nth(0)).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(hits.nth(1)).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await expect(field(page)).toBeFocused()
      const button = cardOf(page, employee).getByRole('button')
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(window(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(window(page)).toHaveCount(0)
      await expect(button).toBeFocused()
    })
  })

  test('shows a message in the page that HR is unavailable, and retries', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/503/)
    pageErrors.expect(/sql/)
    await page.route('**/api/sql/*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '5' },
        body: JSON.stringify({ title: 'The HR directory is not available', status: 503, detail: 'Everything else works.' }),
      }),
    )
    await openPage(page)
    await field(page).fill('mar')
    const alert = page.getByRole('alert').filter({ hasText: 'The HR directory is not available' })
    await expect(alert).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add someone who is not in HR' })).toBeVisible()
    await page.unroute('**/api/sql/*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(cards(page).first()).toBeVisible()
    await expect(alert).toHaveCount(0)
  })

  test(
    'typing cancels the search in progress; a search without results offers to add someone by hand',
    { tag: '@all' },
    async ({ page }) => {
      await openPage(page)
      const requests: string[] = []
      const dropped: string[] = []
      const textOf = (url: string) => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
      page.on('requestfailed', (request) => dropped.push(textOf(request.url())))
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/api/sql/*', async (route) => {
        requests.push(textOf(route.request().url()))
        if (requests.length === 1) await held
        await route.continue().catch(() => undefined)
      })
      await field(page).fill('mar')
      await expect.poll(() => requests).toEqual(['mar'])
      await field(page).fill('qqqzz (50%)')
      await expect(page.getByText('No employees to display')).toBeVisible()
      await expect(page.getByText('No one in HR matches “qqqzz (50%)”.')).toBeVisible()
      expect(dropped).toEqual(['mar'])
      release()
      expect(requests).toEqual(['mar', 'qqqzz (50%)'])
      await field(page).fill('q')
      await expect(page.getByText('Type at least two letters.')).toBeVisible()
    },
  )
})
