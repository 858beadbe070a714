import { randomBytes } from 'node:crypto'

import type { Locator, Page } from '@playwright/test'

import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, signIn, test } from './fixtures.ts'
import { visit } from './navigation.ts'

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })
const button = (container: Page | Locator, name: string): Locator => container.getByRole('button', { name, exact: true })
const feeds = (page: Page): Locator => page.getByRole('list', { name: 'Calendar feeds', exact: true }).getByRole('listitem')
const addressOf = (window: Locator): Promise<string> => window.getByLabel('Or copy the private address', { exact: true }).inputValue()
/** Requests a URL like a calendar program, without cookies. */
const read = (page: Page, url: string) => page.request.get(url, { headers: { cookie: '', 'user-agent': 'Microsoft Outlook 16.0' } })

/** Opens My account as a new user; returns their address. */
const openAccount = async (page: Page): Promise<string> => {
  const address = `granite.${randomBytes(4).toString('hex')}@network.test`
  await signIn(page, address)
  await visit(page, '/account')
  return address
}

test('a calendar feed is created, copied, read, given a new address, and removed', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAccount(page)
  await button(page, 'New calendar feed').click()
  const form = dialog(page, 'New calendar feed')
  await expect(form.getByText('New calendar feed', { exact: true })).toBeFocused()
  await expect(form.getByLabel('Name')).toHaveValue('My deadlines')
  await form.getByLabel('Whose', { exact: true }).selectOption('Everyone’s')
  await form.getByLabel('Region', { exact: true }).selectOption('Ohio')
  await expect(form.getByLabel('Name')).toHaveValue('Ohio, all kinds')
  await form.getByLabel('Reminder', { exact: true }).selectOption('30 days before')
  await expect(form.getByRole('status')).toHaveText(/^\d+ deadlines today\.$/)
  await expectAccessible(page)
  await button(form, 'Create feed').click()

  const given = dialog(page, 'Your new calendar feed')
  await expect(given.getByText('Your new calendar feed', { exact: true })).toBeFocused()
  await expect(given).toContainText(/Ohio, all kinds, \d+ today, reminder 30 days before/)
  await expectAccessible(page)
  const url = await addressOf(given)
  expect(url).toMatch(/\/calendar\/[\w-]{43}\.ics$/)
  await expect(given.getByRole('link', { name: /^Outlook/ })).toHaveAttribute('href', new RegExp(encodeURIComponent(url)))
  await expect(given.getByRole('link', { name: /^Apple/ })).toHaveAttribute('href', url.replace(/^http:/, 'webcal:'))
  await page.keyboard.press('Escape')
  const closing = dialog(page, 'Close without the address?')
  await expect(closing.getByText('Close without the address?', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await button(closing, 'Back').click()
  await button(given, 'Copy').click()
  await expect(given.getByRole('status')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
  await button(given, 'Done').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button(page, 'New calendar feed')).toBeFocused()
  await expect(feeds(page)).toHaveText([/Ohio, all kinds.*\d+ deadlines, reminder 30 days before.*Made on .* · Never read yet/])
  expect(await page.content()).not.toContain(url.slice(-20))
  await expectAccessible(page)

  const answer = await read(page, url)
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(await answer.text()).toMatch(/^BEGIN:VCALENDAR\r\n[^]*SUMMARY:Lease ends: [^]*END:VCALENDAR\r\n$/)
  await page.reload()
  await expect(feeds(page)).toContainText(['Read by Outlook just now'])

  await button(page, 'New address for Ohio, all kinds').click()
  const replacing = dialog(page, 'New address for Ohio, all kinds?')
  await expect(button(replacing, 'Cancel')).toBeFocused()
  await expectAccessible(page)
  await button(replacing, 'New address').click()
  const renewed = dialog(page, 'Your new address')
  await expect(renewed.getByText('Your new address', { exact: true })).toBeFocused()
  const next = await addressOf(renewed)
  expect([(await read(page, url)).status(), (await read(page, next)).status()]).toEqual([404, 200])
  await page.keyboard.press('Escape')
  await button(closing, 'Close without it').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await button(page, 'Remove the calendar feed Ohio, all kinds').click()
  const removing = dialog(page, 'Remove Ohio, all kinds?')
  await expect(button(removing, 'Cancel')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(feeds(page)).toHaveCount(1)
  await button(page, 'Remove the calendar feed Ohio, all kinds').click()
  await button(removing, 'Remove').click()
  await expect(page.getByText('The calendar feed Ohio, all kinds was removed.')).toBeVisible()
  await expect(feeds(page)).toHaveCount(0)
  expect((await read(page, next)).status()).toBe(404)
})

test('the deadlines page passes its filter to a new calendar feed', { tag: '@all' }, async ({ page }) => {
  await openAccount(page)
  await visit(page, '/deadlines?region=texas')
  await button(page, 'Calendar feed').click()
  const form = dialog(page, 'New calendar feed')
  await expect(form.getByLabel('Region', { exact: true })).toHaveValue('texas')
  await expect(form.getByLabel('Name')).toHaveValue('Texas, all kinds')
  // Handled and put-off ones are left out unless the list has them.
  await expect(form.getByLabel('State', { exact: true })).toHaveValue('open')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button(page, 'Calendar feed')).toBeFocused()
})

test(
  'a list without filters makes a feed of the user’s own open deadlines, and a chosen state is kept',
  { tag: '@all' },
  async ({ page }) => {
    await openAccount(page)
    const form = dialog(page, 'New calendar feed')
    for (const [path, whose, state] of [
      ['/deadlines', 'me', 'open'],
      ['/deadlines?view=month', 'me', 'open'],
      ['/deadlines?state=all', 'me', ''],
      ['/deadlines?responsible=none&state=handled', 'none', 'handled'],
    ] as const) {
      await visit(page, path)
      await button(page, 'Calendar feed').click()
      await expect(form.getByLabel('Whose', { exact: true })).toHaveValue(whose)
      await expect(form.getByLabel('State', { exact: true })).toHaveValue(state)
      await page.keyboard.press('Escape')
    }
  },
)

test.describe('level 1', () => {
  test.use({ level: 1 })

  test('removes another person’s calendar feed on the page of their sign-ins', { tag: '@all' }, async ({ page, browser }) => {
    const other = await browser.newContext({ storageState: { cookies: [], origins: [] }, baseURL: baseUrl() })
    const theirs = await other.newPage()
    const address = await openAccount(theirs)
    await button(theirs, 'New calendar feed').click()
    await button(dialog(theirs, 'New calendar feed'), 'Create feed').click()
    const url = await addressOf(dialog(theirs, 'Your new calendar feed'))
    await visit(page, `/accounts?q=${address}`)
    await page.getByRole('table').getByRole('link').click()
    await expect(feeds(page)).toHaveText([/My deadlines.*reminder 7 days before.*Never read yet/])
    await expect(button(page, 'New address for My deadlines')).toHaveCount(0)
    await button(page, 'Remove the calendar feed My deadlines').click()
    await button(dialog(page, 'Remove My deadlines?'), 'Remove').click()
    await expect(page.getByText('This person has no calendar feeds.')).toBeVisible()
    expect((await read(page, url)).status()).toBe(404)
    await other.close()
  })
})
