import type { BrowserContext, Page } from '@playwright/test'

import { listCoverage, listCoverageOfRegion } from '../../src/app/coverage/contract.ts'
import { listVacantRoles, buildOrgChart, sortRoles } from '../../src/app/coverage/rules.ts'
import { LEADING_ROLES } from '../../src/contract/roles.ts'
import { isActive, isClosed } from '../../src/contract/status.ts'
import { listRoles } from '../../src/records/people/contract.ts'
import { listRegions } from '../../src/records/regions/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

const ROLE = 'Regional SRM'
/** The roles with these names, and the facility types that do not have them. */
const readRoles = async (context: BrowserContext) => {
  const roles = sortRoles(await sendCall(context, listRoles))
  return (names: readonly string[]) => roles.filter(({ name }) => names.includes(name))
}
const board = (page: Page) => page.getByRole('table', { name: 'Sites by role' })
const count = (page: Page) => page.locator('main p[role=status]')
const siteLinks = (page: Page) => board(page).locator('tbody th a[href^="/location/"]')
const toggle = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** The pages of a PDF written by Chromium: width and height in points. */
const paperOf = (pdf: Buffer): [width: number, height: number][] => {
  const boxes = pdf.toString('latin1').matchAll(/\/Type \/Page\n[^]*?\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)
  return [...boxes].map(([, width, height]) => [Math.round(Number(width)), Math.round(Number(height))])
}
/** Elements meant only for the screen that are visible in print. */
const shownOnPaper = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ media: 'print' })
  const shown = await page
    .locator('header, nav, main button, main input')
    .evaluateAll((parts) => parts.filter((part) => part.checkVisibility()).map((part) => part.outerHTML.slice(0, 120)))
  await page.emulateMedia({ media: null })
  return shown
}

test.describe('the coverage board', () => {
  test('counts vacant positions, has its filters in the URL, and names the people in each role', async ({ page, context }) => {
    await test.step('one click shows which sites have no Regional SRM, with the correct number', async () => {
      const sites = await sendCall(context, listCoverage)
      const known = await readRoles(context)
      const without = sites.filter((site) => isActive(site.status) && listVacantRoles(site, known([ROLE])).length > 0)
      expect(without.length).toBeGreaterThan(2)
      await visit(page, '/')
      await page.getByRole('button', { name: 'Staff', exact: true }).click()
      await page.getByRole('link', { name: 'Coverage', exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Coverage' })).toBeVisible()
      await page.getByRole('link', { name: `${without.length} vacant: show sites with no ${ROLE}` }).click()

      await expect(count(page)).toHaveText(`${without.length} of ${sites.length} match`)
      expect(parameters(page)).toEqual({ role: ROLE, empty: '1' })
      await expect(siteLinks(page)).toHaveCount(without.length)
      expect((await siteLinks(page).allTextContents()).toSorted()).toEqual(without.map(({ displayName }) => displayName).toSorted())
      await expect(board(page).getByRole('columnheader')).toHaveCount(2)
      await expect(board(page).getByRole('cell').getByText('Vacant')).toHaveCount(without.length)
      await expectAccessible(page)

      // A view is a URL: it shows the same to everyone who opens it.
      await page.setViewportSize({ width: 1280, height: 900 })
      await page.reload()
      await expect(count(page)).toHaveText(`${without.length} of ${sites.length} match`)
      await page.goBack()
      await expect(count(page)).toHaveText(`${sites.filter((site) => isActive(site.status)).length} of ${sites.length} match`)
    })

    await test.step('the filters are in the URL: region, status, vacant positions, roles and text', async () => {
      const sites = await sendCall(context, listCoverage)
      const known = await readRoles(context)
      const ohio = sites.filter(({ region }) => region?.slug === 'ohio')
      expect(ohio.length).toBeGreaterThan(3)
      await visit(page, '/coverage')
      await expect(board(page).getByRole('rowheader', { name: /^California/ })).toBeVisible()
      await page.getByLabel('Region', { exact: true }).selectOption('Ohio')
      await expect.poll(() => parameters(page)).toEqual({ region: 'ohio' })
      await expect(count(page)).toHaveText(`${ohio.filter(({ status }) => isActive(status)).length} of ${sites.length} match`)
      // A single region needs no heading.
      await expect(board(page).getByRole('rowheader', { name: /^Ohio/ })).toHaveCount(0)

      await toggle(page, 'Closed Sites').click()
      await expect.poll(() => parameters(page)).toEqual({ region: 'ohio', status: 'closed' })
      await expect(count(page)).toHaveText(`${ohio.filter(({ status }) => isClosed(status)).length} of ${sites.length} match`)
      await toggle(page, 'Closed Sites').click()
      await toggle(page, 'Only vacant positions').click()
      await expect.poll(() => parameters(page)).toEqual({ region: 'ohio', status: 'all', empty: '1' })
      const incomplete = ohio.filter((site) => listVacantRoles(site, known(LEADING_ROLES)).length > 0)
      await expect(count(page)).toHaveText(`${incomplete.length} of ${sites.length} match`)

      await page.getByRole('button', { name: /^Roles: / }).click()
      await expectAccessible(page)
      await page.setViewportSize({ width: 1280, height: 900 })
      const roles = page.getByRole('dialog', { name: 'Roles' })
      for (const role of LEADING_ROLES.filter((one) => one !== 'Principal')) await roles.getByLabel(role, { exact: true }).uncheck()
      await page.keyboard.press('Escape')
      await expect.poll(() => parameters(page)).toEqual({ region: 'ohio', status: 'all', empty: '1', role: 'Principal' })
      const headless = ohio.filter((site) => listVacantRoles(site, known(['Principal'])).length > 0)
      await expect(count(page)).toHaveText(`${headless.length} of ${sites.length} match`)

      const [first] = headless
      if (!first) throw new Error('The sample network has no site without a principal in Ohio')
      await page.locator('main').getByRole('textbox').fill(first.displayName)
      await expect(siteLinks(page).first()).toHaveText(first.displayName)
      await expect.poll(() => parameters(page)['q']).toBe(first.displayName)
    })

    await test.step('everyone in a role is named and linked', async () => {
      const sites = await sendCall(context, listCoverage)
      const held = findRecord(
        sites,
        'active site with a principal',
        (site) => isActive(site.status) && site.people.some(({ role }) => role === 'Principal'),
      )
      const principals = held.people.filter(({ role }) => role === 'Principal')
      await visit(page, `/coverage?role=Principal&q=${encodeURIComponent(held.displayName)}`)
      const row = board(page)
        .getByRole('row')
        .filter({ has: page.locator(`a[href="/location/${held.slug}"]`) })
      for (const { person } of principals)
        await expect(row.getByRole('link', { name: person.name, exact: true })).toHaveAttribute('href', `/staff/${person.slug}`)
    })
  })

  test('renders only visible rows but prints all of them, and can be copied', { tag: '@all' }, async ({ page, context }) => {
    await test.step('only rows near the window are rendered; all of them are printed, in landscape', async () => {
      const sites = (await sendCall(context, listCoverage)).filter(({ status }) => isActive(status))
      await visit(page, '/coverage')
      await expect(siteLinks(page).first()).toBeVisible()
      expect(await siteLinks(page).count()).toBeLessThan(80)
      expect(sites.length).toBeGreaterThan(200)
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
      await expect(siteLinks(page)).toHaveCount(sites.length)
      expect(await shownOnPaper(page)).toEqual([])
      await page.evaluate(() => dispatchEvent(new Event('afterprint')))
      await expect.poll(() => siteLinks(page).count()).toBeLessThan(80)
      const paper = paperOf(await page.pdf({ format: 'Letter', preferCSSPageSize: true }))
      expect(paper.length).toBeGreaterThan(5)
      for (const [width, height] of paper) expect(width).toBeGreaterThan(height)
    })

    await test.step('the table is copied for a spreadsheet as filtered', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await visit(page, `/coverage?role=${encodeURIComponent(ROLE)}&empty=1`)
      await expect(siteLinks(page).first()).toBeVisible()
      await page.getByRole('button', { name: 'Copy Table' }).click()
      await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
      const [head, ...lines] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((line) => line.split('\t'))
      expect(head).toEqual(['Site', 'City', 'State', 'Region', 'Phone', ROLE])
      expect(lines.map(([name]) => name)).toEqual(await siteLinks(page).allTextContents())
      expect(lines.every((cells) => cells.length === 6 && cells[5] === '')).toBe(true)
    })
  })

  test('on a phone each site is a card, and vacant positions are one tap away', { tag: '@all' }, async ({ page, context }) => {
    await test.step('on a phone each site is a card that begins with its vacant positions', async () => {
      const sites = await sendCall(context, listCoverage)
      const known = await readRoles(context)
      const incomplete = findRecord(sites, 'active site with empty places', (site) => {
        const empty = listVacantRoles(site, known(LEADING_ROLES)).length
        return isActive(site.status) && empty > 1 && empty < LEADING_ROLES.length
      })
      const empty = listVacantRoles(incomplete, known(LEADING_ROLES))
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, `/coverage?q=${encodeURIComponent(incomplete.displayName)}`)
      await expect(board(page)).toHaveCount(0)
      const card = page.getByRole('article').filter({ has: page.locator(`a[href="/location/${incomplete.slug}"]`) })
      await expect(card.getByText(`${empty.length} vacant positions`)).toBeVisible()
      await expect(card.getByRole('listitem')).toHaveText(empty)
      const [emptyAtY, heldAtY] = await Promise.all(['ul', 'dl'].map(async (list) => (await card.locator(list).boundingBox())?.y ?? NaN))
      expect(emptyAtY).toBeLessThan(heldAtY ?? NaN)
      await expectAccessible(page)
    })

    await test.step('on a phone one tap shows which sites have no Regional SRM', async () => {
      const sites = await sendCall(context, listCoverage)
      const known = await readRoles(context)
      const without = sites.filter((site) => isActive(site.status) && listVacantRoles(site, known([ROLE])).length > 0)
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, '/coverage')
      await page.getByRole('link', { name: `${ROLE}: ${without.length} vacant` }).click()
      await expect(count(page)).toHaveText(`${without.length} of ${sites.length} match`)
      expect(parameters(page)).toEqual({ role: ROLE, empty: '1' })
      expect((await page.getByRole('article').getByRole('heading').allTextContents()).toSorted()).toEqual(
        without.map(({ displayName }) => displayName).toSorted(),
      )
    })
  })
})

test.describe('the org chart of a region', () => {
  test('nests people and sites, collapses by keyboard, and prints expanded', async ({ page, context }) => {
    await test.step('nests Vice Presidents, Area Superintendents and sites; areas collapse by keyboard', async () => {
      const sites = await sendCall(context, listCoverageOfRegion, { region: 'ohio' })
      const branches = buildOrgChart(sites.filter(({ status }) => isActive(status)))
      const areas = branches.flatMap((branch) => branch.areas)
      expect(areas.length).toBeGreaterThan(1)
      await visit(page, '/region/ohio')
      await page.getByRole('navigation', { name: 'Pages of Ohio' }).getByRole('link', { name: 'Org chart' }).click()
      await expect(page).toHaveURL(/\/region\/ohio\/org$/)
      const chart = page.getByRole('list', { name: 'Org chart of Ohio' })
      await expect(chart.getByRole('heading', { level: 2 })).toHaveText(
        branches.map(({ vicePresident }) => vicePresident?.name ?? 'No Regional Vice President'),
      )
      await expect(chart.getByRole('heading', { level: 3 })).toHaveText(
        areas.map(({ superintendent }) => superintendent?.name ?? 'No Area Superintendent'),
      )
      await expect(chart.getByRole('heading', { level: 4 })).toHaveText(
        areas.flatMap((area) => area.sites.map(({ site }) => site.displayName)),
      )
      await expectAccessible(page)

      await page.setViewportSize({ width: 1280, height: 900 })
      const first = areas[0]?.superintendent?.name ?? 'No Area Superintendent'
      const fold = page.getByRole('button', { name: `Sites of ${first}` }).first()
      const ofFirst = page.getByRole('list', { name: `Sites of ${first}` }).first()
      await expect(fold).toHaveAttribute('aria-expanded', 'true')
      await expect(ofFirst).toBeVisible()
      await fold.focus()
      await page.keyboard.press('Enter')
      await expect(fold).toHaveAttribute('aria-expanded', 'false')
      await expect(page.getByText(areas[0]?.sites[0]?.site.displayName ?? '', { exact: true })).toBeHidden()
      await expect(fold).toBeFocused()
      await page.keyboard.press('Space')
      await expect(ofFirst).toBeVisible()
      // After the button, Tab moves to the first site below it.
      await page.keyboard.press('Tab')
      await expect(page.locator(':focus')).toHaveText(areas[0]?.sites[0]?.site.displayName ?? '')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/location/${areas[0]?.sites[0]?.site.slug}$`))
    })

    await test.step('closed sites are shown on request; printing shows everything', async () => {
      const regions = await sendCall(context, listRegions)
      const region = findRecord(regions, 'region with closed sites', ({ sites }) => sites.length > 20)
      const sites = await sendCall(context, listCoverageOfRegion, { region: region.slug })
      const closed = findRecord(sites, 'closed site', ({ status }) => isClosed(status))
      await visit(page, `/region/${region.slug}/org`)
      const there = page.getByRole('heading', { level: 4, name: closed.displayName, exact: true })
      await expect(page.getByRole('heading', { level: 4 }).first()).toBeVisible()
      await expect(there).toHaveCount(0)
      await toggle(page, 'Include closed sites').click()
      await expect(there.first()).toBeVisible()
      await expect.poll(() => parameters(page)).toEqual({ status: 'all' })
      await toggle(page, 'Collapse All Areas').click()
      await expect(page.getByRole('heading', { level: 4 }).filter({ visible: true })).toHaveCount(0)
      expect(await shownOnPaper(page)).toEqual([])
      await page.emulateMedia({ media: 'print' })
      await expect(there.first()).toBeVisible()
    })
  })
})

test.describe('the call list of a region', () => {
  test('has every active site with its phone numbers, and prints', { tag: '@all' }, async ({ page, context }) => {
    await test.step('has every active site with its phone numbers, by name, and prints complete pages', async () => {
      const sites = (await sendCall(context, listCoverageOfRegion, { region: 'ohio' })).filter(({ status }) => isActive(status))
      await visit(page, '/region/ohio/calls')
      const list = page.getByRole('table', { name: 'Call list of Ohio' })
      await expect(list).toBeVisible()
      const names = await list.getByRole('rowheader').getByRole('link').allTextContents()
      expect(names).toEqual(
        sites.map(({ displayName }) => displayName).toSorted(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare),
      )
      const called = findRecord(sites, 'site with a number and a principal with one', ({ phone, people }) =>
        Boolean(phone && people.some(({ role, person }) => role === 'Principal' && person.phone)),
      )
      const row = list.getByRole('row').filter({ has: page.locator(`a[href="/location/${called.slug}"]`) })
      const principal = called.people.find(({ role, person }) => role === 'Principal' && person.phone)?.person
      await expect(row).toContainText(called.phone ?? '?')
      await expect(row).toContainText(`${principal?.name}${principal?.phone}`)
      await expectAccessible(page)

      await page.setViewportSize({ width: 1280, height: 900 })
      expect(await shownOnPaper(page)).toEqual([])
      await page.emulateMedia({ media: 'print', colorScheme: 'light' })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ohio: Call list')
      await expect(page.getByText(/active sites · \d{2}\/\d{2}\/\d{4}/)).toBeVisible()
      // Rows are not split, each sheet has the header, and everything is black on white.
      const looks = await list.evaluate((table) => ({
        row: getComputedStyle(table.querySelector('tbody tr') as Element).breakInside,
        head: getComputedStyle(table.querySelector('thead') as Element).display,
        colors: [...new Set([...table.querySelectorAll('a')].map((link) => getComputedStyle(link).color))],
      }))
      expect(looks).toEqual({ row: 'avoid', head: 'table-header-group', colors: ['rgb(0, 0, 0)'] })
      await page.emulateMedia({ media: null })
      const paper = paperOf(await page.pdf({ format: 'Letter' }))
      expect(paper).toHaveLength(1)
    })

    await test.step('the print button prints', async () => {
      await visit(page, '/region/ohio/calls')
      const printed = page.evaluate(() =>
        new Promise((resolve) => addEventListener('beforeprint', resolve, { once: true })).then(() => 'printed'),
      )
      await toggle(page, 'Print').click()
      expect(await printed).toBe('printed')
    })
  })

  test('a region that does not exist shows the page of a missing region', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/404/)
    pageErrors.expect(/Region could not be found/)
    await visit(page, '/region/atlantis/calls')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(0)
  })
})
