import { randomBytes } from 'node:crypto'

import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'

import { readUser } from '../../src/features/access/session/contract.ts'
import { listSiteSummaries } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, signIn, test } from './fixtures.ts'
import { sendCall } from './records.ts'

// A separate account per test: ended sessions would affect other tests too.
const freshAddress = (): string => `basalt.${randomBytes(4).toString('hex')}@network.test`

const main = (page: Page): Locator => page.locator('main')
const sessions = (page: Page): Locator => main(page).getByRole('list', { name: 'Sessions', exact: true }).getByRole('listitem')
const tokens = (page: Page): Locator => main(page).getByRole('list', { name: 'API tokens', exact: true }).getByRole('listitem')
const inWindow = (page: Page, name: string): Locator => page.getByRole('dialog').getByRole('button', { name, exact: true })
const openAccount = async (page: Page): Promise<void> => {
  await page.goto('/account')
  await expect(page.getByRole('heading', { level: 1, name: 'My account', exact: true })).toBeVisible()
  await expect(sessions(page)).not.toHaveCount(0)
}

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
/** The same person on a phone. */
const onPhone = async (browser: Browser, address: string): Promise<{ context: BrowserContext; phone: Page }> => {
  const context = await browser.newContext({
    baseURL: baseUrl(),
    userAgent: PHONE,
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await signIn(phone, address)
  return { context, phone }
}
/** After the app ends a session, the provider still has its own, so it does not request a sign-in. */
const signInAgain = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Login Using O365', exact: true }).click()
  await expect(page.getByText('Welcome, ')).toBeVisible()
}
const statusWith = async (page: Page, token: string): Promise<number> =>
  (await page.request.get('/auth', { headers: { authorization: `Bearer ${token}`, cookie: '' } })).status()

test('the picture in the top bar opens the account page and signs out', { tag: '@all' }, async ({ page }) => {
  const address = freshAddress()
  await signIn(page, address)
  const button = page.getByRole('banner').getByRole('button', { name: 'Your account', exact: true })
  const menu = page.getByRole('group', { name: 'Your account', exact: true })
  await button.click()
  await expect(menu).toContainText(address)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/account$/)
  await expect(menu).toBeHidden()
  await expect(main(page)).toContainText('Level 10, View only')
  await button.click()
  await menu.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('the account page lists the user’s sessions, and ends another one', async ({ page, browser }) => {
  const address = freshAddress()
  await signIn(page, address)
  const { context, phone } = await onPhone(browser, address)
  await openAccount(page)
  await expect(sessions(page)).toHaveCount(2)
  await expect(sessions(page).filter({ hasText: 'This session' })).toContainText(/Chrome on .*127\.0\.0\.1/)
  await expect(sessions(page).filter({ hasText: 'This session' }).getByRole('button')).toHaveCount(0)

  await page.getByRole('button', { name: 'End the session in Safari on iPhone', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'End this session?', exact: true })).toContainText('Safari on iPhone, from 127.0.0.1')
  await expect(inWindow(page, 'Cancel')).toBeFocused()
  await expectAccessible(page)
  await inWindow(page, 'End Session').click()
  await expect(page.getByText('The session in Safari on iPhone was ended.')).toBeVisible()
  await expect(sessions(page)).toHaveCount(1)
  await page.getByText('Ended in the last 30 days').click()
  await expect(page.getByRole('list', { name: 'Ended in the last 30 days', exact: true })).toContainText(/Safari on iPhone.*Ended .* by /)
  await expectAccessible(page)

  await phone.goto('/regions')
  await expect(phone).toHaveURL(/\/login$/)
  await context.close()
})

test('an API token is created, shown once, used by a program, and removed', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, freshAddress())
  await openAccount(page)
  await page.getByRole('button', { name: 'Create a Token', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await expect(inWindow(page, 'Create Token')).toBeDisabled()
  await page.getByRole('dialog').getByLabel('Name').fill('Timetable')
  await page.getByRole('dialog').getByLabel('Expires after').selectOption('30 days')
  await expect(page.getByRole('dialog').getByLabel('Level').getByRole('option')).toHaveText(['10, View only (your own)'])
  await expectAccessible(page)
  await inWindow(page, 'Create Token').click()

  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  expect(token).toMatch(/^hr_[\w-]{43}$/)
  await expectAccessible(page)
  await inWindow(page, 'Copy Token').click()
  await expect(inWindow(page, 'Copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await inWindow(page, 'Done').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Create a Token', exact: true })).toBeFocused()
  await expect(tokens(page)).toHaveText([/Timetable.*Level 10, View only.*Never used.*Expires/])
  expect(await page.content()).not.toContain(token)

  const program = await page.request.get('/locations-api/site_summaries', { headers: { 'x-auth-token': token, cookie: '' } })
  expect(program.status()).toBe(200)
  expect(((await program.json()) as unknown[]).length).toBe((await sendCall(context, listSiteSummaries)).length)
  await page.reload()
  await expect(tokens(page)).toContainText(['Last used just now'])
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Remove the token Timetable', exact: true }).click()
  await expectAccessible(page)
  await inWindow(page, 'Remove Token').click()
  await expect(page.getByText('The token Timetable was removed.')).toBeVisible()
  await expect(tokens(page)).toHaveCount(0)
  expect(await statusWith(page, token)).toBe(401)
})

test('a refusal by the server is shown in the window, which keeps what was typed', { tag: '@all' }, async ({ page, pageErrors }) => {
  pageErrors.expect(/409/)
  pageErrors.expect(/api\/account\/tokens.* failed/)
  await signIn(page, freshAddress())
  await openAccount(page)
  await page.route('**/api/account/tokens', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { title: 'You can have at most 50 API tokens', status: 409, detail: 'Remove one first.' } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Create a Token', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('One more')
  await inWindow(page, 'Create Token').click()
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Error: You can have at most 50 API tokens. Remove one first.')
  await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('One more')
})

test('signing out everywhere ends all sessions, and removes the tokens on request', async ({ page, browser }) => {
  const address = freshAddress()
  await signIn(page, address)
  const { context, phone } = await onPhone(browser, address)
  await openAccount(page)
  await page.getByRole('button', { name: 'Create a Token', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Timetable')
  await inWindow(page, 'Create Token').click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()
  await inWindow(page, 'Done').click()
  expect(await statusWith(page, token)).toBe(200)

  await page.getByRole('button', { name: 'Sign Out Everywhere', exact: true }).click()
  await expectAccessible(page)
  await page.getByLabel('Also remove my API tokens').check()
  await inWindow(page, 'Sign Out Everywhere').click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Login Using O365', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  expect(await statusWith(page, token)).toBe(401)
  await phone.goto('/')
  await expect(phone).toHaveURL(/\/login$/)
  await context.close()

  await signIn(page, address)
  await openAccount(page)
  await expect(sessions(page)).toHaveCount(1)
})

test.describe('level 1', () => {
  test.use({ level: 1 })

  test('finds a person who has signed in', async ({ page, context }) => {
    const { azureID } = await sendCall(context, readUser)
    await page.goto('/')
    await page.locator('#menu').getByRole('button', { name: 'Management', exact: true }).click()
    await page.locator('#menu').getByRole('link', { name: 'Sign-ins', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sign-ins', exact: true })).toBeVisible()
    await expect(main(page)).toContainText(/people have signed in/)
    await page.getByLabel('Search people who have signed in').fill(azureID)
    await expect(main(page)).toContainText('1 person found')
    await expect(page.getByRole('table', { name: 'Sign-ins', exact: true }).getByRole('row')).toHaveCount(2)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('list', { name: 'Sign-ins', exact: true }).getByRole('listitem')).toContainText([azureID])
  })

  test('ends a session of someone, who is signed out', { tag: '@all' }, async ({ page, browser }) => {
    const address = freshAddress()
    const { context, phone } = await onPhone(browser, address)
    await page.goto(`/accounts?q=${address}`)
    await page.getByRole('table').getByRole('link').click()
    await expect(page).toHaveURL(/\/accounts\/[\w-]+$/)
    await expect(sessions(page)).toHaveCount(1)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'End the session in Safari on iPhone', exact: true }).click()
    await inWindow(page, 'End Session').click()
    await expect(main(page)).toContainText('No active sessions.')
    await page.getByText('Ended in the last 30 days').click()
    const { name } = await sendCall(page.context(), readUser)
    await expect(page.getByRole('list', { name: 'Ended in the last 30 days', exact: true })).toContainText(`by ${name}`)
    await phone.goto('/')
    await expect(phone).toHaveURL(/\/login$/)
    await signInAgain(phone)
    await context.close()
  })

  test('signs someone out everywhere', { tag: '@all' }, async ({ page, browser }) => {
    const address = freshAddress()
    const { context, phone } = await onPhone(browser, address)
    await page.goto(`/accounts?q=${address}`)
    await page.getByRole('table').getByRole('link').click()
    await page.getByRole('button', { name: 'Sign Out Everywhere', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('Sign Basalt')
    await inWindow(page, 'Sign Out Everywhere').click()
    await expect(page.getByText(/is signed out: 1 session ended\./)).toBeVisible()
    await phone.goto('/')
    await expect(phone).toHaveURL(/\/login$/)
    await context.close()
  })

  test('sees a clear message if a search finds no one', { tag: '@all' }, async ({ page }) => {
    await page.goto('/accounts?q=nobody-at-all')
    await expect(page.getByRole('heading', { name: 'No sign-ins to display', exact: true })).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('other levels', () => {
  test.use({ level: 5 })

  test('have no page of sign-ins', { tag: '@all' }, async ({ page }) => {
    await page.goto('/accounts')
    await expect(page).toHaveURL(`${baseUrl()}/`)
    await page.locator('#menu').getByRole('button', { name: 'Management', exact: true }).click()
    await expect(page.locator('#menu').getByRole('link', { name: 'Permissions', exact: true })).toBeVisible()
    await expect(page.locator('#menu').getByRole('link', { name: 'Sign-ins', exact: true })).toHaveCount(0)
    await page.goto('/account')
    await expect(main(page)).toContainText('Level 5, Administrator, including charter affairs')
    await expect(main(page).getByRole('link', { name: 'All Sign-ins', exact: true })).toHaveCount(0)
  })
})
