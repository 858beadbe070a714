import type { BrowserContext, Page } from '@playwright/test'

import { isClosed } from '../../src/contract/status.ts'
import { listViews } from '../../src/features/finding/saved-views/contract.ts'
import { listPeopleOfGroup } from '../../src/records/people/contract.ts'
import { listRegions } from '../../src/records/regions/contract.ts'
import { listSiteSummaries } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, signIn, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

const count = (page: Page) => page.locator('main').getByRole('status')
const field = (page: Page) => page.locator('main').getByRole('textbox').first()
const toggle = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Views', exact: true })
const openViews = async (page: Page): Promise<void> => {
  await page.locator('main').getByRole('button', { name: 'Views', exact: true }).click()
  await expect(panel(page)).toBeVisible()
}
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const closedOnlineInOhio = async (context: BrowserContext): Promise<number> =>
  (await sendCall(context, listSiteSummaries)).filter(
    ({ status, category, region }) => isClosed(status) && category === 'Online' && region?.slug === 'ohio',
  ).length

/** Saves the current list under a unique name. */
const save = async (page: Page, what: string): Promise<string> => {
  const name = `${what} ${Math.random().toString(36).slice(2, 8)}`
  await openViews(page)
  await panel(page).getByRole('button', { name: 'Save this view…' }).click()
  await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return name
}

test.describe('plain words', () => {
  test('become filters after a pause, on Enter and when the field loses focus', async ({ page, context }) => {
    await test.step('become filters in the URL after a pause, each of which can be removed', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      const matching = await closedOnlineInOhio(context)
      expect(matching).toBeGreaterThan(0)
      await visit(page, '/locations')
      await expect(count(page)).toHaveText(`Showing all ${sites.length}`)
      await field(page).pressSequentially('closed ohio online')
      await expect(count(page)).toHaveText(`${matching} of ${sites.length} match`)
      await expect(page).toHaveURL(/\?/)
      expect(parameters(page)).toEqual({ status: 'closed', region: 'ohio', type: 'Online' })
      await expect(field(page)).toHaveValue('')
      await expect(field(page)).toBeFocused()
      await expect(toggle(page, 'Closed')).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByLabel('Facility Type')).toHaveValue('Online')
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Remove region Ohio' }).click()
      await expect.poll(() => parameters(page)).toEqual({ status: 'closed', type: 'Online' })
      await expect(page.getByRole('button', { name: 'Remove region Ohio' })).toHaveCount(0)
      await expect(page.getByLabel('Region', { exact: true })).toBeFocused()
      await toggle(page, 'Closed').click()
      await expect.poll(() => parameters(page)).toEqual({ type: 'Online' })
      await page.getByRole('button', { name: 'Remove type Online' }).click()
      await expect(count(page)).toHaveText(`Showing all ${sites.length}`)
      expect(parameters(page)).toEqual({})
    })

    await test.step('become status and facility type on a region page', async () => {
      const sites = (await sendCall(context, listSiteSummaries)).filter(({ region }) => region?.slug === 'california')
      const matching = sites.filter(({ status, category }) => isClosed(status) && category === 'Resource Center').length
      expect(matching).toBeGreaterThan(0)
      await visit(page, '/region/california')
      await expect(count(page)).toHaveText(/match/)
      await field(page).fill('closed resource centers')
      await field(page).press('Enter')
      await expect(count(page)).toHaveText(new RegExp(`^${matching} of ${sites.length} match`))
      expect(parameters(page)).toEqual({ status: 'closed', type: 'Resource Center' })
      await page.getByRole('button', { name: 'Remove type Resource Center' }).click()
      await expect.poll(() => parameters(page)).toEqual({ status: 'closed' })
    })

    await test.step('text that is not a filter stays in the field; Enter does not wait', async () => {
      await visit(page, '/locations')
      await expect(count(page)).toHaveText(/^Showing all/)
      await field(page).fill('clsoed sites in Lodi oh')
      await field(page).press('Enter')
      await expect(field(page)).toHaveValue('Lodi')
      await expect.poll(() => parameters(page)).toEqual({ status: 'closed', region: 'ohio', q: 'Lodi' })
    })

    await test.step('are read when the field loses focus', async () => {
      await visit(page, '/charters')
      await expect(count(page)).toHaveText(/match$/)
      await field(page).fill('shut')
      await field(page).press('Tab')
      await expect(toggle(page, 'Closed')).toHaveAttribute('aria-pressed', 'true')
      await expect.poll(() => parameters(page)).toEqual({ status: 'closed' })
    })
  })

  test('the name of a site stays text, whatever its words mean', { tag: '@all' }, async ({ page, context }) => {
    const site = findRecord(await sendCall(context, listSiteSummaries), 'site with Online in its name', ({ displayName }) =>
      / Online /.test(displayName),
    )
    await page.clock.install()
    await visit(page, '/locations')
    await expect(count(page)).toHaveText(/^Showing all/)
    await field(page).fill(site.displayName)
    await field(page).press('Enter')
    await expect(page.getByRole('link', { name: site.displayName, exact: true })).toBeVisible()
    await page.clock.runFor(5000)
    await expect(field(page)).toHaveValue(site.displayName)
    expect(parameters(page)).toEqual({ q: site.displayName })
  })

  test('find who has a role in a region; an empty list names all its filters', { tag: '@all' }, async ({ page, context }) => {
    await test.step('find who has a role in a region, by common names of the role', async () => {
      const [people, regions] = [await sendCall(context, listPeopleOfGroup, { group: 'LEADERSHIP' }), await sendCall(context, listRegions)]
      const inMichigan = new Set(findRecord(regions, 'Michigan', ({ slug }) => slug === 'michigan').sites.map(({ _id }) => _id))
      const holders = people.filter(({ locations }) =>
        locations.some(({ role, site }) => role.name === 'Student Relations Manager' && inMichigan.has(site._id)),
      )
      expect(holders.length).toBeGreaterThan(0)
      await visit(page, '/leadership')
      await expect(count(page)).toHaveText(/^Showing all/)
      await field(page).fill('srm michigan')
      await expect.poll(() => parameters(page)).toEqual({ role: 'Student Relations Manager', region: 'michigan' })
      await expect(count(page)).toHaveText(`${holders.length} of ${people.length} match`)
      await page.getByRole('button', { name: 'Remove role Student Relations Manager' }).click()
      await expect.poll(() => parameters(page)).toEqual({ region: 'michigan' })
    })

    await test.step('an empty list names all its filters', async () => {
      await visit(page, '/locations?status=coming-soon&region=ohio&type=Nothing')
      await expect(page.getByText('No sites coming soon, of type Nothing and in Ohio.')).toBeVisible()
      await page.getByRole('button', { name: 'Show all sites' }).click()
      await expect(count(page)).toHaveText(/^Showing all/)
    })
  })
})

test.describe('saved views', () => {
  test('a list is saved under a name, and is found on it, on other lists and on the home page', async ({ page }) => {
    await visit(page, '/locations?status=closed&region=ohio')
    const name = await save(page, 'Closed in Ohio')
    await openViews(page)
    const link = panel(page).getByRole('link', { name })
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(panel(page)).toHaveCount(0)
    await expect(page.locator('main').getByRole('button', { name: 'Views', exact: true })).toBeFocused()

    await visit(page, '/leadership')
    await openViews(page)
    await expect(link).not.toHaveAttribute('aria-current', 'page')
    await link.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Resource Centers' })).toBeVisible()
    expect(parameters(page)).toEqual({ status: 'closed', region: 'ohio' })
    await expect(toggle(page, 'Closed')).toHaveAttribute('aria-pressed', 'true')

    await visit(page, '/')
    await page.locator('main').getByRole('link', { name }).click()
    await expect(page).toHaveURL(/\/locations\?/)
    expect(parameters(page)).toEqual({ status: 'closed', region: 'ohio' })
  })

  test('its complete URL is copied and used in the email', { tag: '@all' }, async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, '/locations?type=Online')
    const name = await save(page, 'Online & more')
    await openViews(page)
    await panel(page)
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await panel(page).getByRole('button', { name: 'Copy link' }).click()
    await expect(panel(page).getByRole('button', { name: 'Copied' })).toBeVisible()
    const address = `${baseUrl()}/locations?type=Online`
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    const mail = new URL((await panel(page).getByRole('link', { name: 'Send by email' }).getAttribute('href')) ?? '')
    expect(mail.protocol).toBe('mailto:')
    expect(mail.searchParams.get('subject')).toBe(name)
    expect(mail.searchParams.get('body')).toBe(address)
    await expectAccessible(page)
  })

  test(
    'a name in use is refused at the field, which keeps it; a view is renamed and deleted',
    { tag: '@all' },
    async ({ page, pageErrors, context }) => {
      await visit(page, '/charters?status=closed')
      const name = await save(page, 'Closed charters')
      await openViews(page)
      await panel(page).getByRole('button', { name: 'Save this view…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Save this view' })
      const input = dialog.getByLabel('Name')
      await dialog.getByRole('button', { name: 'Save view' }).click()
      await expect(input).toHaveAccessibleDescription('Enter a name for the view')
      pageErrors.expect(/409/)
      pageErrors.expect(/This name is already in use/)
      await input.fill(name.toUpperCase())
      await input.press('Enter')
      await expect(input).toHaveAccessibleDescription(/already/)
      await expect(input).toHaveValue(name.toUpperCase())
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()

      await openViews(page)
      await panel(page)
        .getByRole('button', { name: `Actions for ${name}` })
        .click()
      await expect(panel(page).getByRole('button', { name: 'Share', exact: true })).toHaveCount(0)
      await panel(page).getByRole('button', { name: 'Rename' }).click()
      const renaming = page.getByRole('dialog', { name: 'Rename view' })
      await expect(renaming.getByLabel('Name')).toHaveValue(name)
      await renaming.getByLabel('Name').fill(`${name} now`)
      await renaming.getByRole('button', { name: 'Rename', exact: true }).click()
      await expect(renaming).toHaveCount(0)
      await openViews(page)
      await panel(page)
        .getByRole('button', { name: `Actions for ${name} now` })
        .click()
      await panel(page).getByRole('button', { name: 'Delete' }).click()
      await panel(page).getByRole('button', { name: 'Delete permanently' }).click()
      await expect(panel(page).getByRole('link', { name: `${name} now` })).toHaveCount(0)
      expect((await sendCall(context, listViews)).filter((view) => view.name.startsWith(name))).toEqual([])
    },
  )

  test.describe('at level 6', () => {
    test.use({ level: 6 })
    test('are shared with everyone until sharing is turned off', { tag: '@all' }, async ({ page, browser }) => {
      await visit(page, '/locations?status=coming-soon')
      const name = await save(page, 'Opening soon')
      const actions = async (button: string) => {
        await openViews(page)
        await panel(page)
          .getByRole('button', { name: `Actions for ${name}` })
          .click()
        await panel(page).getByRole('button', { name: button, exact: true }).click()
      }
      await actions('Share')
      await expect(panel(page).getByRole('button', { name: 'Stop sharing' })).toBeVisible()

      const other = await browser.newContext({
        baseURL: baseUrl(),
        storageState: { cookies: [], origins: [] },
        viewport: { width: 390, height: 844 },
      })
      const theirs = await other.newPage()
      await signIn(theirs, 'level10@sample.test')
      await theirs.goto('/')
      await expect(theirs.locator('main').getByRole('link', { name })).toBeVisible()
      await theirs.goto('/locations')
      await theirs.getByRole('button', { name: 'Tools', exact: true }).click()
      await openViews(theirs)
      await theirs.getByRole('button', { name: `Actions for ${name}` }).click()
      await expect(panel(theirs).getByRole('button', { name: 'Copy link' })).toBeVisible()
      await expect(panel(theirs).getByRole('button', { name: /sharing|Rename|Delete/ })).toHaveCount(0)
      const box = await panel(theirs).boundingBox()
      expect(box && box.x >= 0 && box.x + box.width <= 390, 'the panel is on the screen').toBe(true)
      await panel(theirs).getByRole('link', { name }).click()
      await expect(toggle(theirs, 'Sites Coming Soon')).toHaveAttribute('aria-pressed', 'true')

      await panel(page).getByRole('button', { name: 'Stop sharing' }).click()
      await expect(panel(page).getByRole('button', { name: 'Share', exact: true })).toBeVisible()
      await theirs.goto('/locations')
      await theirs.getByRole('button', { name: 'Tools', exact: true }).click()
      await openViews(theirs)
      await expect(theirs.getByRole('button', { name: 'Save this view…' })).toBeVisible()
      await expect.poll(async () => (await sendCall(other, listViews)).some((view) => view.name === name)).toBe(false)
      await expect(panel(theirs).getByRole('link', { name })).toHaveCount(0)
      await other.close()
    })
  })
})
