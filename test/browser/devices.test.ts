import { randomBytes } from 'node:crypto'

import type { Locator, Page } from '@playwright/test'

import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, signIn, test } from './fixtures.ts'
import { visit } from './navigation.ts'

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })
const button = (container: Page | Locator, name: string): Locator => container.getByRole('button', { name, exact: true })
const devices = (page: Page): Locator => page.getByRole('list', { name: 'Devices', exact: true }).getByRole('listitem')

test('a device is added, set up, used and ended', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const address = `granite.${randomBytes(4).toString('hex')}@network.test`
  await signIn(page, address)
  await visit(page, '/account')
  await button(page, 'Add a Device').click()
  const adding = dialog(page, 'Add a Device')
  await expect(button(adding, 'Add Device')).toBeDisabled()
  await adding.getByLabel('Name').fill('My phone')
  await expectAccessible(page)
  await button(adding, 'Add Device').click()

  const given = dialog(page, 'Set up My phone')
  await expect(given.getByText('Set up My phone', { exact: true })).toBeFocused()
  await expect(given.getByRole('img', { name: 'QR code with the link to the configuration profile', exact: true })).toBeVisible()
  await expectAccessible(page)
  await expect(given.getByLabel('Address', { exact: true })).toHaveValue(`${new URL(baseUrl()).origin}/dav/`)
  await expect(given.getByLabel('User name', { exact: true })).toHaveValue(address)
  const password = await given.getByLabel('Password', { exact: true }).inputValue()
  await button(given, 'Copy the password').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
  await expect(given.getByText('Copied the password', { exact: true })).toBeAttached()

  const link = await given.getByRole('link', { name: 'Download profile', exact: true }).getAttribute('href')
  const profile = await page.request.get(link ?? '', { headers: { cookie: '' } })
  expect([profile.status(), profile.headers()['content-type']]).toEqual([200, 'application/x-apple-aspen-config'])
  expect(await profile.text()).toContain(`<key>CardDAVPassword</key><string>${password}</string>`)
  // A click beside the window, or Escape, does not lose the password.
  await page.keyboard.press('Escape')
  await expect(given).toBeVisible()
  await button(given, 'Done').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button(page, 'Add a Device')).toBeFocused()
  await expect(devices(page)).toHaveText([/My phone.*Never used.*Added/])
  expect(await page.content()).not.toContain(password)

  const authorization = `Basic ${Buffer.from(`${address}:${password}`).toString('base64')}`
  const read = () =>
    page.request.get(`${baseUrl()}/dav/`, { headers: { cookie: '', authorization, 'user-agent': 'iOS/19.1 dataaccessd/1.0' } })
  expect((await read()).status()).toBe(200)
  await page.reload()
  await expect(devices(page)).toHaveText([/My phone.*Last used by iPhone just now/])
  await expectAccessible(page)

  await button(page, 'End the device My phone').click()
  const ending = dialog(page, 'End My phone?')
  await expect(button(ending, 'Cancel')).toBeFocused()
  await expectAccessible(page)
  await button(ending, 'End Device').click()
  await expect(page.getByText('The device My phone was ended.')).toBeVisible()
  await expect(devices(page)).toHaveCount(0)
  expect((await read()).status()).toBe(401)
})

test.describe('level 1', () => {
  test.use({ level: 1 })

  test('ends another person’s device on the page of their sign-ins', { tag: '@all' }, async ({ page, browser }) => {
    const other = await browser.newContext({ storageState: { cookies: [], origins: [] }, baseURL: baseUrl() })
    const theirs = await other.newPage()
    const address = `granite.${randomBytes(4).toString('hex')}@network.test`
    await signIn(theirs, address)
    await visit(theirs, '/account')
    await button(theirs, 'Add a Device').click()
    await theirs.getByLabel('Name').fill('Lost phone')
    await button(dialog(theirs, 'Add a Device'), 'Add Device').click()
    await button(dialog(theirs, 'Set up Lost phone'), 'Done').click()
    await visit(page, `/accounts?q=${address}`)
    await page.getByRole('table').getByRole('link').click()
    await expect(devices(page)).toHaveText([/Lost phone.*Never used/])
    await expect(button(page, 'Add a Device')).toHaveCount(0)
    await button(page, 'End the device Lost phone').click()
    await button(dialog(page, 'End Lost phone?'), 'End Device').click()
    await expect(page.getByText('This person has no devices.')).toBeVisible()
    await theirs.reload()
    await expect(button(theirs, 'Add a Device')).toBeVisible()
    await expect(devices(theirs)).toHaveCount(0)
    await other.close()
  })
})
