import type { BrowserContext, Page } from '@playwright/test'

import { listHelp, readHelp } from '../../src/features/operations/help/contract.ts'
import { listCharters } from '../../src/records/charters/contract.ts'
import { listPeople } from '../../src/records/people/contract.ts'
import { listSites } from '../../src/records/sites/contract.ts'
import { waitUntilLoaded } from '../support/browser-pages.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

/** The bold words of a section name controls, which are on the pages that its comment names. */
const listControls = (html: string): string[] => [...html.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, name = '']) => name)

/** Everything on the page that has a name: also what the menu has folded. */
const listNames = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a, button, label, summary, legend, h1, h2, h3, th, dt, [role], [aria-label]')].flatMap(
      (element) =>
        [element.getAttribute('aria-label'), element.innerText, element.textContent].map((text) => text?.replace(/\s+/g, ' ').trim() ?? ''),
    ),
  )

/** A page of each kind, with records of the sample. */
const createAddresses = async (context: BrowserContext): Promise<(page: string) => string> => {
  const site = findRecord(await sendCall(context, listSites), 'active site', ({ status }) => status === 'ACTIVE')
  const charter = findRecord(await sendCall(context, listCharters), 'charter with a slug', ({ slug }) => slug !== null)
  const person = findRecord(await sendCall(context, listPeople), 'person with a slug', ({ slug }) => slug !== null)
  const keys: Readonly<Record<string, string | null>> = {
    location: site.slug,
    charter: charter.slug,
    charterview: charter.slug,
    charter_affair: charter.slug,
    staff: person.slug,
    region: 'california',
    help: 'finding',
  }
  return (page) => {
    if (page === '/locations') return '/locations?view=table'
    return page.replace(/\$\w+/, keys[page.split('/')[1] ?? ''] ?? '')
  }
}

test.describe('the help', () => {
  test.use({ level: 1 })

  test('names only controls that are on the pages that its sections are about', async ({ page, context }) => {
    test.slow()
    const toAddress = await createAddresses(context)
    // Pages of one sheet, changeset, suggestion, webhook or account need a record that the sample may lack.
    const isShown = (path: string): boolean => !/^\/(sheets|changes|requests|webhooks|accounts)\/\$/.test(path)
    const named: { section: string; control: string; pages: readonly string[] }[] = []
    for (const { id } of await sendCall(context, listHelp))
      for (const { title, pages, html } of (await sendCall(context, readHelp, { guide: id })).sections)
        if (pages.some(isShown)) for (const control of listControls(html)) named.push({ section: `${id}: ${title}`, control, pages })
    expect(named.length).toBeGreaterThan(30)
    const seen = new Map<string, Set<string>>()
    const isNamed = (names: ReadonlySet<string>, control: string): boolean =>
      [...names].some((name) => name === control || name.startsWith(`${control} `) || name.startsWith(`${control},`))
    const missing: string[] = []
    for (const { section, control, pages } of named) {
      let isFound = false
      for (const path of pages.filter(isShown)) {
        if (!seen.has(path)) {
          await visit(page, toAddress(path))
          await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
          await waitUntilLoaded(page)
          seen.set(path, new Set(await listNames(page)))
        }
        isFound = isNamed(seen.get(path) ?? new Set(), control)
        if (isFound) break
      }
      if (!isFound) missing.push(`${section}: ${control}`)
    }
    expect(missing).toEqual([])
  })

  test('is next to the page, which stays usable, and follows it', async ({ page }) => {
    await page.goto('/locations?view=table')
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    const help = page.getByRole('complementary', { name: 'Help', exact: true })
    await expect(help.getByText('Press the buttons above the list')).toBeVisible()
    await expect(help.getByRole('heading', { name: 'Help', exact: true })).toBeFocused()
    const left = (await help.boundingBox())?.x ?? 0
    const main = await page.locator('#main').boundingBox()
    expect((main?.x ?? 0) + (main?.width ?? 0), 'the page ends where the help begins').toBeLessThanOrEqual(left + 1)
    await page.getByRole('button', { name: 'Closed', exact: true }).click()
    await expect(page).toHaveURL(/status=closed/)
    await expect(help).toBeVisible()
    await help.getByText('Change many records together', { exact: true }).click()
    await expect(help.getByRole('img', { name: 'Hours of several sites being changed', exact: true })).toBeVisible()
    await expectAccessible(page)
    await visit(page, '/coverage')
    await expect(help.getByText('See who holds which role', { exact: true })).toBeVisible()
    await help.getByRole('link', { name: 'All help', exact: true }).focus()
    await page.keyboard.press('Escape')
    await expect(help).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeFocused()
  })

  test('answers a question in the search with the section about it', async ({ page }) => {
    await page.goto('/')
    // The shortcuts work once the page is rendered.
    await expect(page.getByRole('banner').getByRole('button', { name: 'Search everything', exact: true })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything', exact: true }).fill('how do I change hours of many sites')
    await expect(page.getByRole('row').first()).toContainText('Change many records together')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/help/lists?section=change-many-records-together')
    await expect(page.getByRole('heading', { name: 'Change many records together', exact: true })).toBeInViewport()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'every change', exact: true }).click()
    await expect(page).toHaveURL('/help/sheets?section=paste-cells')
    await visit(page, '/help')
    await expect(page.getByRole('link', { name: 'Erase personal data', exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test('lists the keyboard shortcuts of every page and of the current one', async ({ page }) => {
    await page.goto('/help')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts', exact: true })
    await expect(dialog.getByText('Search everything', { exact: true })).toBeVisible()
    await expect(dialog.getByText('Next record, from the search field too', { exact: true })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await visit(page, '/locations?view=table')
    await page.keyboard.press('?')
    await expect(dialog.getByText('Next record, from the search field too', { exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test('explains a word of a label when it is pointed at, has the focus, or is tapped', async ({ page, context }) => {
    const site = findRecord(await sendCall(context, listSites), 'active site', ({ status }) => status === 'ACTIVE')
    await page.goto(`/location/fac/${site.slug}`)
    const word = page.locator('dfn', { hasText: 'Guarantor' }).first()
    const meaning = page.getByText('Who pays the rent if the lease holder does not.', { exact: true })
    for (const [show, hide] of [
      [() => word.hover(), () => page.mouse.move(0, 0)],
      [() => word.focus(), () => word.blur()],
      [() => word.click(), () => word.blur()],
    ] as const) {
      await show()
      await expect(meaning).toBeVisible()
      await hide()
      await page.mouse.move(0, 0)
      await expect(meaning).toHaveCount(0)
    }
  })
})

test.describe('at level 10', () => {
  test.use({ level: 10 })

  test('sections for administrators are not listed', async ({ page }) => {
    await page.goto('/help')
    await expect(page.getByRole('link', { name: 'Narrow a list', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Change many records together', exact: true })).toHaveCount(0)
  })
})
