import { randomBytes } from 'node:crypto'

import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'

import { grantPermission, listPermissions, removePermission } from '../../../src/features/access/permissions/contract.ts'
import type { Permission } from '../../../src/features/access/permissions/contract.ts'
import { readUser } from '../../../src/features/access/session/contract.ts'
import { listPeople } from '../../../src/records/people/contract.ts'
import { expectAccessible } from '../accessibility.ts'
import { baseUrl, expect, signIn, test } from '../fixtures.ts'
import { typeFast, visit } from '../navigation.ts'
import { findRecord, sendCall } from '../records.ts'

const APP = 'homeroom'
const records = (context: BrowserContext): Promise<Permission[]> => sendCall(context, listPermissions, { appId: APP })
const freshAddress = (): string => `quartz.${randomBytes(4).toString('hex')}@network.test`
const grant = (context: BrowserContext, azureID: string, name = azureID): Promise<Permission> =>
  sendCall(context, grantPermission, {}, { applicationID: APP, userInfo: { azureID, name, personDbID: null } })

interface Colleague {
  readonly name: string
  readonly email: string
}
let usedCount = 0
/** A new person in the directory with a unique name who is not an administrator. */
const colleague = async (context: BrowserContext): Promise<Colleague> => {
  const [people, held] = [await sendCall(context, listPeople), await records(context)]
  const free = people.flatMap(({ _id, name, email }) =>
    email !== null &&
    /^[A-Z][a-z]+ [A-Z][a-z]+$/.test(name) &&
    people.filter((other) => other.name.includes(name)).length === 1 &&
    !held.some(({ personID }) => personID._id === _id)
      ? [{ name, email }]
      : [],
  )
  const turn = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) * 40 + usedCount++
  return findRecord(free.slice(turn), 'colleague', () => true)
}
const signedInAs = async (browser: Browser, address: string): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL: baseUrl(), storageState: { cookies: [], origins: [] } })
  await signIn(await context.newPage(), address)
  return context
}

const openPage = async (page: Page): Promise<void> => {
  await visit(page, '/permissions')
  await expect(page.getByRole('heading', { level: 1, name: 'Permissions' })).toBeVisible()
  await expect(administrators(page)).toBeVisible()
}
const field = (page: Page): Locator => page.getByLabel('Make someone an administrator')
const administrators = (page: Page): Locator => page.getByRole('list', { name: 'Administrators' })
const rowOf = (page: Page, text: string): Locator => administrators(page).getByRole('listitem').filter({ hasText: text })
const found = (page: Page, text: string): Locator =>
  page.getByRole('list', { name: 'People found' }).getByRole('listitem').filter({ hasText: text })
const makeAdmin = (page: Page, name: string): Locator => page.getByRole('button', { name: `Make Admin: ${name}` })
const removeAdmin = (page: Page, name: string): Locator => page.getByRole('button', { name: `Remove Admin: ${name}` })

test.describe('level 6', () => {
  test.use({ level: 6 })

  test('finds Permissions on the home page and in the side menu', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/')
    await expect(page.getByRole('list', { name: 'Browse' }).getByRole('link', { name: 'Permissions' })).toHaveAttribute(
      'href',
      '/permissions',
    )
    await page.getByRole('button', { name: 'Management' }).click()
    await page.locator('#menu').getByRole('link', { name: 'Permissions' }).click()
    await expect(page).toHaveURL(/\/permissions$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Permissions' })).toBeFocused()
    await expect(page.locator('#menu').getByRole('link', { name: 'Permissions' })).toHaveAttribute('aria-current', 'page')
  })

  test('makes a colleague an administrator of level 6 and removes them again; their open session changes immediately', async ({
    page,
    context,
    browser,
  }) => {
    const { name, email } = await colleague(context)
    const otherContext = await signedInAs(browser, email)
    const [theirPage = await otherContext.newPage()] = otherContext.pages()
    await theirPage.goto('/permissions')
    await expect(theirPage).toHaveURL('/')

    const held = async () => (await records(context)).filter(({ personID }) => personID.azureID === email)
    await openPage(page)
    await field(page).fill(name.toLowerCase())
    await makeAdmin(page, name).click()
    const making = page.getByRole('dialog', { name: `Make ${name} an administrator?` })
    await expect(making).toContainText(email)
    await expect(making).toContainText('level 6 (Admin)')
    await expect(making.getByRole('listitem')).toHaveText([
      'add and edit sites, charters, brands and people',
      'edit facility, enrollment, staff and SIS records',
      'read and export charter affairs',
      'make and remove other administrators',
    ])
    await expect(making.getByRole('radio')).toHaveCount(0)
    await expect(making).toContainText('You can’t give more access than you have')
    await expect(making.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await making.getByRole('button', { name: 'Cancel' }).click()
    await expect(making).toHaveCount(0)
    await expect(makeAdmin(page, name)).toBeFocused()
    expect(await held()).toEqual([])

    await makeAdmin(page, name).click()
    await making.getByRole('button', { name: 'Make Admin' }).click()
    await expect(making).toHaveCount(0)
    await expect(page.getByText(`${name} is now a level 6 administrator.`)).toBeVisible()
    await expect(field(page)).toBeFocused()
    await expect(found(page, name)).toContainText('Administrator, level 6')
    await expect(makeAdmin(page, name)).toHaveCount(0)
    await expect(rowOf(page, email)).toContainText('Level 6, Admin')
    await expect(rowOf(page, email)).toContainText(/today by Level 6/)
    await expect(rowOf(page, email).getByRole('link', { name })).toBeVisible()
    expect(await held()).toMatchObject([{ accessLevel: 6, accessName: 'Admin', superAdmin: false }])
    await theirPage.goto('/permissions')
    await expect(administrators(theirPage)).toBeVisible()

    await removeAdmin(page, name).click()
    const removing = page.getByRole('dialog', { name: `Remove ${name} as an administrator?` })
    await expect(removing).toContainText('level 6 (Admin)')
    await expect(removing.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await removing.getByRole('button', { name: 'Cancel' }).click()
    await expect(removeAdmin(page, name)).toBeFocused()
    await removeAdmin(page, name).click()
    await removing.getByRole('button', { name: 'Remove Admin' }).click()
    await expect(page.getByText(`${name} is no longer an administrator.`)).toBeVisible()
    await expect(rowOf(page, email)).toHaveCount(0)
    await expect(makeAdmin(page, name)).toBeVisible()
    expect(await held()).toEqual([])
    expect((await sendCall(otherContext, readUser)).accessLevel).toBe(10)
    await theirPage.reload()
    await expect(theirPage).toHaveURL('/')
    await otherContext.close()
  })

  test('shows the access of everyone found, including the user and people with more access', { tag: '@all' }, async ({ page, context }) => {
    const above = findRecord(
      await records(context),
      'administrator of level 5',
      ({ accessLevel, personID }) => accessLevel === 5 && personID._id !== null,
    )
    await test.step('has no button to remove people with more access', async () => {
      await openPage(page)
      await expect(rowOf(page, above.personID.azureID)).toContainText('Level 5')
      await expect(rowOf(page, above.personID.azureID).getByRole('button')).toHaveCount(0)
      await expect(page.getByText('People with more access than you can only be removed by someone at their level.')).toBeVisible()
    })

    await test.step('shows for everyone found whether they are an administrator, and marks the user', async () => {
      await openPage(page)
      await field(page).fill(above.personID.azureID)
      await expect(found(page, above.personID.name)).toContainText('Administrator, level 5')
      await expect(found(page, above.personID.name).getByRole('button')).toHaveCount(0)
      const { azureID } = await sendCall(context, readUser)
      await field(page).fill(azureID)
      await expect(found(page, azureID)).toContainText('You')
      await expect(found(page, azureID).getByRole('button')).toHaveCount(0)
      await field(page).fill('qqqqzzzz')
      await expect(page.getByText('No one found')).toBeVisible()
      await expect(page.getByText('No one on file matches “qqqqzzzz”.')).toBeVisible()
      await field(page).fill('q')
      await expect(page.getByText('No one found')).toHaveCount(0)
    })
  })

  test('searches once for continuous typing, and cancels an outdated search', { tag: '@all' }, async ({ page }) => {
    await openPage(page)
    const requests: string[] = []
    const dropped: string[] = []
    const textOf = (url: string) => new URL(url).searchParams.get('q') ?? ''
    page.on('requestfailed', (request) => dropped.push(textOf(request.url())))
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/permissions/candidates?*', async (route) => {
      requests.push(textOf(route.request().url()))
      if (requests.length === 1) await held
      await route.continue().catch(() => undefined)
    })
    await typeFast(field(page), 'mari')
    await expect.poll(() => requests).toEqual(['mari'])
    await typeFast(field(page), 'sol')
    await expect(found(page, 'Marisol').first()).toBeVisible()
    await expect.poll(() => dropped).toEqual(['mari'])
    release()
    expect(requests).toEqual(['mari', 'marisol'])
    await expect(page).toHaveURL(/\?q=marisol$/)
    await page.reload()
    await expect(field(page)).toHaveValue('marisol')
    await expect(found(page, 'Marisol').first()).toBeVisible()
  })

  test('grants to a complete email address before its owner has signed in', { tag: '@all' }, async ({ page, browser }) => {
    const address = freshAddress()
    await openPage(page)
    await field(page).fill(address)
    await expect(page.getByText('1 person found')).toBeVisible()
    await makeAdmin(page, address).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click()
    await expect(rowOf(page, address)).toContainText('Level 6, Admin')
    const otherContext = await signedInAs(browser, address)
    expect((await sendCall(otherContext, readUser)).accessLevel).toBe(6)
    await otherContext.close()
  })

  test('opens the home page after removing oneself', { tag: '@all' }, async ({ context, browser }) => {
    const address = freshAddress()
    await grant(context, address)
    const otherContext = await signedInAs(browser, address)
    const [page = await otherContext.newPage()] = otherContext.pages()
    await openPage(page)
    await rowOf(page, address).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Remove yourself as an administrator?' })
    await expect(dialog).toContainText('Only another administrator can make you an administrator again.')
    await dialog.getByRole('button', { name: 'Remove Admin' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Management' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Permissions' })).toHaveCount(0)
    expect((await sendCall(otherContext, readUser)).accessLevel).toBe(10)
    await otherContext.close()
  })

  test('shows a refusal in the window, and loses nothing typed', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    const address = freshAddress()
    await openPage(page)
    await field(page).fill(address)
    await makeAdmin(page, address).click()
    const { _id } = await grant(context, address)
    pageErrors.expect(/409/)
    pageErrors.expect(/POST/)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Make Admin' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(`Error: ${address} is already an administrator`)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)

    await page.reload()
    await removeAdmin(page, address).click()
    await sendCall(context, removePermission, { id: _id })
    pageErrors.expect(/404/)
    pageErrors.expect(/DELETE/)
    await dialog.getByRole('button', { name: 'Remove Admin' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Error: Administrator could not be found')
  })

  test('shows a lost connection, and retries', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/permissions/)
    await page.route('**/api/permissions/app_permissions/*', (route) => route.abort())
    await visit(page, '/permissions')
    await expect(page.getByRole('alert').filter({ hasText: 'The connection was lost' })).toBeVisible()
    await page.unroute('**/api/permissions/app_permissions/*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(administrators(page)).toBeVisible()
    await page.route('**/api/permissions/candidates?*', (route) => route.abort())
    await field(page).fill('marisol')
    await expect(page.getByRole('alert').filter({ hasText: 'The connection was lost' })).toBeVisible()
    await page.unroute('**/api/permissions/candidates?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(found(page, 'Marisol').first()).toBeVisible()
    await page.route('**/api/permissions/app_permissions/*', (route) => route.abort())
    await makeAdmin(page, 'Marisol').first().click()
    await page.route('**/api/permissions/new_app_permission', (route) => route.abort())
    await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      'Error: The connection was lost. Check your network and try again.',
    )
  })

  test('can be operated completely by keyboard', { tag: '@all' }, async ({ page }) => {
    const address = freshAddress()
    await openPage(page)
    await field(page).focus()
    await page.keyboard.type(address)
    await expect(makeAdmin(page, address)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(makeAdmin(page, address)).toBeFocused()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(rowOf(page, address)).toBeVisible()
    await expect(field(page)).toBeFocused()
    await removeAdmin(page, address).press('Enter')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(removeAdmin(page, address)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(rowOf(page, address)).toHaveCount(0)
    // The next Tab continues in the list.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[aria-label="Administrators"]') !== null)).toBe(true)
  })

  test('works on a phone, with large touch targets', { tag: '@all' }, async ({ page, context }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const { name, email } = await colleague(context)
    await openPage(page)
    await field(page).fill(name)
    expect((await makeAdmin(page, name).boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await makeAdmin(page, name).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click()
    await expect(rowOf(page, email)).toContainText('Level 6, Admin')
    expect((await removeAdmin(page, name).boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await removeAdmin(page, name).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
    await expect(rowOf(page, email)).toHaveCount(0)
  })

  test('axe finds nothing on the page, in the search results, and in both windows', async ({ page, context }) => {
    test.slow()
    const { name } = await colleague(context)
    await openPage(page)
    await expectAccessible(page)
    await field(page).fill(name)
    await expect(makeAdmin(page, name)).toBeVisible()
    await expectAccessible(page)
    await makeAdmin(page, name).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const address = freshAddress()
    await grant(context, address)
    await page.reload()
    await removeAdmin(page, address).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('level 5', () => {
  test.use({ level: 5 })

  test('can grant level 5 or 6, and shows what each includes', { tag: '@all' }, async ({ page, context }) => {
    await test.step('grants level 5, and shows that it includes charter affairs', async () => {
      const { name, email } = await colleague(context)
      await openPage(page)
      await field(page).fill(name)
      await makeAdmin(page, name).click()
      const dialog = page.getByRole('dialog', { name: `Make ${name} an administrator?` })
      await expect(dialog).toContainText('level 5 (Admin)')
      await expect(dialog.getByRole('listitem').filter({ hasText: /^edit charter affairs$/ })).toBeVisible()
      await dialog.getByRole('button', { name: 'Make Admin' }).click()
      await expect(page.getByText(`${name} is now a level 5 administrator.`)).toBeVisible()
      await expect(rowOf(page, email)).toContainText('Level 5, Admin')
      await removeAdmin(page, name).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
      await expect(rowOf(page, email)).toHaveCount(0)
    })

    await test.step('can grant level 6 instead, and shows what it excludes', async () => {
      const { name, email } = await colleague(context)
      await openPage(page)
      await field(page).fill(name)
      await makeAdmin(page, name).click()
      const dialog = page.getByRole('dialog', { name: `Make ${name} an administrator?` })
      const levels = dialog.getByRole('radiogroup', { name: 'Level' })
      await expect(levels.getByRole('radio', { name: 'Level 5' })).toBeChecked()
      await expect(levels).toContainText('Can also edit charter affairs and change the settings.')
      await expect(levels).toContainText('Cannot edit charter affairs or change the settings.')
      await expectAccessible(page)
      await levels.getByRole('radio', { name: 'Level 6' }).check()
      await expect(dialog).toContainText('level 6 (Admin)')
      await expect(dialog.getByRole('listitem').filter({ hasText: /^edit charter affairs$/ })).toHaveCount(0)
      await dialog.getByRole('button', { name: 'Make Admin' }).click()
      await expect(page.getByText(`${name} is now a level 6 administrator.`)).toBeVisible()
      await expect(rowOf(page, email)).toContainText('Level 6, Admin')
      await removeAdmin(page, name).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
      await expect(rowOf(page, email)).toHaveCount(0)
    })
  })
})

test.describe('level 7', () => {
  test.use({ level: 7 })

  test('is sent home, and has neither tile nor link', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/permissions')
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('list', { name: 'Browse' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Permissions' })).toHaveCount(0)
  })
})
