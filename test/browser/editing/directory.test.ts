import { randomBytes } from 'node:crypto'

import type { Page } from '@playwright/test'

import { listLevelMappings, listScimTokens } from '../../../src/features/access/provisioning/contract.ts'
import { readUser } from '../../../src/features/access/session/contract.ts'
import { listPeople } from '../../../src/records/people/contract.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from '../../support/scim.ts'
import { expectAccessible } from '../accessibility.ts'
import { baseUrl, expect, signIn, test } from '../fixtures.ts'
import { visit } from '../navigation.ts'
import { findRecord, sendCall } from '../records.ts'

// These tests share the two possible tokens and the single list of levels, so they run one at a time.
test.describe.configure({ mode: 'default' })

const PHONE = { width: 390, height: 844 }
const toUnique = (name: string): string => `${name} ${randomBytes(3).toString('hex')}`
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const tokens = (page: Page) => page.getByRole('list', { name: 'Tokens of the directory', exact: true })
const mappings = (page: Page) => page.getByRole('list', { name: 'Groups with a level', exact: true })

const openSettings = async (page: Page): Promise<void> => {
  await visit(page, '/settings')
  await expect(page.getByRole('heading', { name: 'Levels from groups', exact: true })).toBeVisible()
}

/** Creates a token on the page and returns its secret. */
const createToken = async (page: Page, name: string): Promise<string> => {
  await press(page, 'Create a Token for the Directory')
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByRole('button', { name: 'Create Token', exact: true }).click()
  const shown = page.getByRole('dialog', { name: 'The Token for Your Directory', exact: true })
  const secret = await shown.getByLabel('Token', { exact: true }).inputValue()
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Done', exact: true }).click()
  return secret
}

const removeToken = async (page: Page, name: string): Promise<void> => {
  await press(page, `Remove the token ${name}`)
  await dialog(page).getByRole('button', { name: 'Remove Token', exact: true }).click()
  await expect(page.getByText(name, { exact: true })).toHaveCount(0)
}

/** Sends a resource as a directory does, and returns its id. */
const provision = async (token: string, type: 'Users' | 'Groups', resource: object): Promise<string> => {
  const answer = await fetch(`${baseUrl()}/scim/v2/${type}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify(resource),
  })
  expect(answer.status, `the answer to a new one of ${type}`).toBe(201)
  return ((await answer.json()) as { id: string }).id
}

/** The buttons in a list that are too small for touch. */
const listSmallButtons = (page: Page, name: string): Promise<string[]> =>
  page
    .getByRole('list', { name, exact: true })
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { width, height } = button.getBoundingClientRect()
        return width < 44 || height < 44 ? [`${button.textContent} ${width}x${height}`] : []
      }),
    )

test.describe('level 1', () => {
  test.use({ level: 1 })

  test('a token for the directory is created, shown once and removed; SCIM works until then', async ({ page, context }) => {
    const name = toUnique('Entra ID')
    await openSettings(page)
    await expect(page.getByText(`${baseUrl()}/scim/v2`, { exact: true })).toBeVisible()
    const secret = await createToken(page, name)
    await expect(tokens(page).getByRole('listitem').filter({ hasText: name })).toContainText('never used')
    const getStatus = async () =>
      (await fetch(`${baseUrl()}/scim/v2/Users?count=0`, { headers: { authorization: `Bearer ${secret}` } })).status
    expect(await getStatus(), 'with the token').toBe(200)
    await page.reload()
    await expect(tokens(page).getByRole('listitem').filter({ hasText: name })).toContainText('last used today')
    await expect(page.getByText(secret)).toHaveCount(0)
    await page.setViewportSize(PHONE)
    expect(await listSmallButtons(page, 'Tokens of the directory'), 'buttons too small for a finger').toEqual([])
    await removeToken(page, name)
    expect(await getStatus(), 'with the removed token').toBe(401)
    expect((await sendCall(context, listScimTokens)).map((token) => token.name)).not.toContain(name)
  })

  test(
    'a group gives its members a level, shown on their page and in Permissions, until it is removed',
    { tag: '@all' },
    async ({ page, context, browser }) => {
      const name = toUnique('Entra ID')
      const group = toUnique('Network Administrators')
      const own = await sendCall(context, readUser)
      const person = findRecord(
        await sendCall(context, listPeople),
        'person',
        ({ email, leftAt }) => email !== null && leftAt === null && email !== own.azureID,
      )
      await openSettings(page)
      const secret = await createToken(page, name)
      await visit(page, `/staff/${person.slug}`)
      const access = page.getByRole('region', { name: 'Access', exact: true })
      await expect(access).toContainText('Level 10, View onlyFromGiven to everyone who signs in')
      await expect(access).toContainText('Hasn’t signed in yet.')
      const personContext = await browser.newContext({ baseURL: baseUrl() })
      await signIn(await personContext.newPage(), person.email ?? '')
      await openSettings(page)
      const user = await provision(secret, 'Users', { schemas: [USER_SCHEMA], userName: person.email, active: true })
      await provision(secret, 'Groups', { schemas: [GROUP_SCHEMA], displayName: group, members: [{ value: user }] })
      await page.reload()
      await press(page, 'Give a Group a Level')
      await dialog(page).getByLabel('Group').fill(group)
      await page.getByRole('option', { name: group, exact: true }).click()
      await dialog(page).getByLabel('Level').selectOption('6, administrator')
      await expectAccessible(page)
      await dialog(page).getByRole('button', { name: 'Save Level', exact: true }).click()
      await expect(page.getByText(`Everyone in ${group} now has at least level 6.`, { exact: true })).toBeVisible()
      const row = mappings(page).getByRole('listitem').filter({ hasText: group })
      await expect(row).toContainText('Level 6, administrator · 1 person')
      await expectAccessible(page)
      await page.setViewportSize(PHONE)
      expect(await listSmallButtons(page, 'Groups with a level'), 'buttons too small for a finger').toEqual([])
      await expectAccessible(page)

      await visit(page, `/staff/${person.slug}`)
      await expect(access).toContainText(`Level 6, AdministratorFrom the group${group} (level 6)`)
      await expectAccessible(page)
      await access.getByRole('link', { name: 'Sign-ins of this person', exact: true }).click()
      await expect(page.getByText(`${group} (level 6)`, { exact: true })).toBeVisible()
      await visit(page, '/permissions')
      await expect(page.getByRole('list', { name: 'Administrators from groups', exact: true })).toContainText(`From the group ${group}`)

      await openSettings(page)
      await press(page, `Change the level of ${group}`)
      await dialog(page).getByLabel('Level').selectOption('5, administrator, including charter affairs')
      await dialog(page).getByRole('button', { name: 'Save Level', exact: true }).click()
      await expect(row).toContainText('Level 5, administrator, including charter affairs')
      await press(page, `Remove the level of ${group}`)
      await dialog(page).getByRole('button', { name: 'Remove Level', exact: true }).click()
      await expect(page.getByText(`${group} no longer gives a level.`, { exact: true })).toBeVisible()
      await personContext.close()
      expect((await sendCall(context, listLevelMappings)).map((mapping) => mapping.group)).not.toContain(group)
      await removeToken(page, name)
    },
  )
})

test.describe('level 5', () => {
  test.use({ level: 5 })

  test('sees neither tokens nor group levels in the settings', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/settings')
    await expect(page.getByRole('heading', { name: 'Program types', exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Accounts from the directory', exact: true })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Levels from groups', exact: true })).toHaveCount(0)
  })
})
