import type { Page } from '@playwright/test'

import { isActive } from '../../src/contract/status.ts'
import { listSiteLocations } from '../../src/records/map/contract.ts'
import { isWithin, parseArea } from '../../src/records/map/rules.ts'
import { listRegions, readRegion } from '../../src/records/regions/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

const map = (page: Page) => page.getByRole('group', { name: /^Map of the sites/ })
const marks = (page: Page) => map(page).locator('[data-variant]')
const count = (page: Page) => page.locator('main').getByRole('status')
const chip = (page: Page) => page.getByRole('button', { name: 'Map area', exact: true })
/** The number of sites on the map: each link is one, each button states its number. */
const sitesOnMap = async (page: Page): Promise<number> => {
  const names = await marks(page).evaluateAll((all) =>
    all.map((mark) => (mark instanceof HTMLAnchorElement ? '1 site' : (mark.getAttribute('aria-label') ?? ''))),
  )
  return names.reduce((sum, name) => sum + Number(/^([\d,]+) sites?/.exec(name)?.[1]?.replaceAll(',', '')), 0)
}
/** The number of sites that the list reports. */
const sitesInList = async (page: Page): Promise<number> =>
  Number(/^(?:Showing all )?([\d,]+)/.exec((await count(page).textContent()) ?? '')?.[1]?.replaceAll(',', ''))
/** Moves the focus from the search field to the map with the keyboard. */
const tabToMap = async (page: Page): Promise<void> => {
  await page
    .locator('main')
    .getByRole('textbox', { name: /^Search/ })
    .focus()
  for (let tabs = 0; tabs < 20; tabs++) {
    await page.keyboard.press('Tab')
    if (await map(page).evaluate((element) => element.contains(document.activeElement))) return
  }
  throw new Error('The map is not reached with Tab')
}

test('the map works by keyboard only: in and out of clusters, between markers, and to a site', async ({ page, context }) => {
  await test.step('by keyboard: opening a cluster filters the list too, and clearing the filter zooms out', async () => {
    const region = findRecord(await sendCall(context, listRegions), 'region with many sites', (one) => one.sites.length > 50)
    const [{ sites }, locations] = [await sendCall(context, readRegion, { slug: region.slug }), await sendCall(context, listSiteLocations)]
    const active = sites.filter((site) => isActive(site.status))
    await visit(page, `/region/${region.slug}`)
    await expect(count(page)).toHaveText(`${active.length} of ${sites.length} match`)
    await expect(marks(page).first()).toBeVisible()
    expect(await sitesOnMap(page)).toBe(active.length)

    await tabToMap(page)
    const name = await page.locator(':focus').getAttribute('aria-label')
    expect(name).toMatch(/^\d+ sites near .+, [A-Z]{2}$/)
    await page.keyboard.press('Enter')
    await expect(chip(page)).toBeVisible()
    const area = parseArea(new URL(page.url()).searchParams.get('area') ?? '')
    if (!area) throw new Error('The URL has no area')
    const within = active.filter(({ _id }) => {
      const location = locations.find(({ site }) => site === _id)
      const { latitude, longitude } = location ?? { latitude: null, longitude: null }
      return latitude !== null && longitude !== null && isWithin(area, { latitude, longitude })
    })
    expect(within.length).toBeGreaterThan(0)
    expect(within.length).toBeLessThan(active.length)
    await expect(count(page)).toHaveText(`${within.length} of ${sites.length} match`)
    await expect.poll(() => sitesOnMap(page)).toBe(within.length)
    // The focus is still on the map, so that Enter can be pressed again.
    await expect(map(page).locator(':focus')).toHaveCount(1)

    await chip(page).focus()
    await page.keyboard.press('Enter')
    await expect(count(page)).toHaveText(`${active.length} of ${sites.length} match`)
    await expect(page).toHaveURL(new RegExp(`/region/${region.slug}$`))
    await expect.poll(() => sitesOnMap(page)).toBe(active.length)
  })

  await test.step('arrow keys move between markers within one tab stop; plus, minus and zero zoom', async () => {
    await visit(page, '/region/california')
    await tabToMap(page)
    await expect(map(page).locator('[tabindex="0"]')).toHaveCount(1)
    const all = await marks(page).count()
    await page.keyboard.press('Home')
    const reached = new Set<string | null>()
    for (let at = 0; at < all; at++) {
      reached.add(await page.locator(':focus').getAttribute('data-key'))
      await page.keyboard.press('ArrowRight')
    }
    expect(reached.size).toBe(all)

    await page.keyboard.press('+')
    await expect(chip(page)).toBeVisible()
    await expect.poll(async () => (await sitesOnMap(page)) - (await sitesInList(page))).toBe(0)
    await page.keyboard.press('+')
    await expect(map(page).locator(':focus')).toHaveCount(1)
    const close = page.url()
    await page.keyboard.press('-')
    await expect(page).not.toHaveURL(close)
    await expect.poll(async () => (await sitesOnMap(page)) - (await sitesInList(page))).toBe(0)
    await page.keyboard.press('0')
    await expect(chip(page)).toHaveCount(0)
  })

  await test.step('repeated activation splits the largest cluster, and a single site opens its page', async () => {
    await visit(page, '/region/california?status=all')
    await tabToMap(page)
    for (let times = 0; times < 8 && (await map(page).locator('a:focus').count()) === 0; times++) {
      const before = page.url()
      await page.keyboard.press('Enter')
      await expect(page).not.toHaveURL(before)
      await expect.poll(async () => (await sitesOnMap(page)) - (await sitesInList(page))).toBe(0)
      await expect(map(page).locator(':focus')).toHaveCount(1)
    }
    const name = (await map(page).locator('a:focus').getAttribute('aria-label')) ?? ''
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/location\//)
    await expect.poll(async () => name.startsWith((await page.getByRole('heading', { level: 1 }).textContent()) ?? '?')).toBe(true)
  })
})

test(
  'sites with the same coordinates, which zooming cannot separate, are shown in the list',
  { tag: '@all' },
  async ({ page, context }) => {
    const locations = await sendCall(context, listSiteLocations)
    // All sample sites have coordinates; here all have only the location of one ZIP code.
    await page.route(`**${listSiteLocations.path}`, (route) =>
      route.fulfill({ json: locations.map((location) => ({ ...location, latitude: 41.6614, longitude: -83.5249, from: 'zip' })) }),
    )
    await visit(page, '/region/ohio')
    await tabToMap(page)
    await expect(marks(page)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page.locator('#sites-of-region')).toBeFocused()
    await expect(page.getByText(/^\d+ sites are placed by ZIP code or city\.$/)).toBeVisible()
  },
)

test('sites without coordinates stay in the list and are named below the map', { tag: '@all' }, async ({ page, context }) => {
  const locations = await sendCall(context, listSiteLocations)
  const { sites } = await sendCall(context, readRegion, { slug: 'ohio' })
  const lost = sites.filter(({ status }) => isActive(status)).slice(0, 2)
  expect(lost).toHaveLength(2)
  // All sample sites have a location; here two have none.
  await page.route(`**${listSiteLocations.path}`, (route) =>
    route.fulfill({
      json: locations.map((location) =>
        lost.some(({ _id }) => _id === location.site) ? { ...location, latitude: null, longitude: null, from: null } : location,
      ),
    }),
  )
  await visit(page, '/region/ohio')
  await expect(count(page)).toHaveText(/^\d+ of \d+ match, 2 of them have no location on the map$/)
  await expect.poll(async () => (await sitesInList(page)) - (await sitesOnMap(page))).toBe(2)
  await page.getByText('2 sites have no location on the map', { exact: true }).click()
  for (const { displayName } of lost)
    await expect(page.getByRole('group').getByRole('link', { name: displayName, exact: true })).toBeVisible()

  await tabToMap(page)
  await page.keyboard.press('+')
  await expect(page.getByText('2 sites have no location on the map, and are not in this area')).toBeVisible()
  await expect.poll(async () => (await sitesInList(page)) - (await sitesOnMap(page))).toBe(0)
})

test('the map shows the sites of the list, of a region and of all, and can be hidden', async ({ page, context }) => {
  await test.step('the map shows exactly the sites that match search and filters, and marks closed ones', async () => {
    const { sites } = await sendCall(context, readRegion, { slug: 'california' })
    const closed = sites.filter((site) => !isActive(site.status))
    expect(closed.length).toBeGreaterThan(1)
    await visit(page, '/region/california?status=closed')
    await expect.poll(() => sitesOnMap(page)).toBe(closed.length)
    await expect(marks(page).and(page.locator('[data-variant="closed"]'))).toHaveCount(await marks(page).count())
    const city = findRecord(closed, 'closed site with a city', (site) => site.address.city !== null).address.city ?? ''
    await page
      .locator('main')
      .getByRole('textbox', { name: /^Search/ })
      .fill(city)
    await expect.poll(() => sitesInList(page)).toBeLessThan(closed.length)
    await expect.poll(async () => (await sitesOnMap(page)) - (await sitesInList(page))).toBe(0)
    await expect(marks(page).first()).toHaveAccessibleName(/closed/i)
  })

  await test.step('of all regions shows every site, and the states link to their regions', async () => {
    const regions = await sendCall(context, listRegions)
    const sites = regions.flatMap((region) => region.sites)
    await visit(page, '/regions')
    await expect.poll(() => sitesOnMap(page)).toBe(sites.length)
    await expect(count(page)).toHaveText(`Showing all ${regions.length}`)

    await page
      .locator('main')
      .getByRole('textbox', { name: /^Search/ })
      .fill('ohio')
    const ohio = findRecord(regions, 'region Ohio', ({ name }) => name === 'Ohio')
    await expect.poll(() => sitesOnMap(page)).toBe(ohio.sites.length)
    await expect(count(page)).toHaveText(`1 of ${regions.length} match, with ${ohio.sites.length} sites`)
    await map(page)
      .getByRole('link', { name: new RegExp(`^Ohio ${ohio.sites.length}$`) })
      .click()
    await expect(page).toHaveURL(/\/region\/ohio$/)
  })

  await test.step('zoomed into a part of the country, the regions are those with sites in it', async () => {
    const regions = await sendCall(context, listRegions)
    await visit(page, '/regions?area=-125,32,-114,42.5')
    const california = findRecord(regions, 'region California', ({ name }) => name === 'California')
    await expect(count(page)).toHaveText(`1 of ${regions.length} match, with ${california.sites.length} sites`)
    await expect.poll(() => sitesOnMap(page)).toBe(california.sites.length)
    await page.getByRole('button', { name: 'Show whole map', exact: true }).click()
    await expect(count(page)).toHaveText(/^Showing all/)
  })

  await test.step('the map can be hidden, and stays hidden', async () => {
    await visit(page, '/region/ohio')
    await expect(map(page)).toBeVisible()
    await page.getByRole('button', { name: 'Hide map', exact: true }).click()
    await expect(map(page)).toHaveCount(0)
    await visit(page, '/regions')
    await expect(page.getByRole('button', { name: 'Show map', exact: true })).toBeVisible()
    await expect(map(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Show map', exact: true }).click()
    await expect(map(page)).toBeVisible()
  })
})

test('nothing moves when the map appears, and the list does not wait for it', { tag: '@all' }, async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/assets/SitesMap-*.js', async (route) => {
    await held
    await route.continue()
  })
  // The cards above the list are loaded separately.
  const deadlines = page.waitForResponse(/\/api\/deadlines/)
  await visit(page, '/region/ohio')
  const list = page.getByRole('list', { name: 'Sites in Ohio', exact: true })
  await expect(list).toBeVisible()
  await (await deadlines).finished()
  await expect(map(page)).toHaveCount(0)
  const before = await list.boundingBox()
  release()
  await expect(marks(page).first()).toBeVisible()
  expect(await list.boundingBox()).toEqual(before)
})

test('a map that cannot be loaded does not affect the list and offers Retry', { tag: '@all' }, async ({ page, pageErrors }) => {
  pageErrors.expect(/SitesMap-.*\.js/)
  const chunk = '**/assets/SitesMap-*.js'
  await page.route(chunk, (route) => route.abort())
  await visit(page, '/region/ohio')
  await expect(page.getByText('The map could not be loaded.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sites in Ohio', exact: true })).toBeVisible()
})

test('axe finds nothing on the pages with a map', async ({ page }) => {
  for (const path of ['/regions', '/region/california', '/region/california?status=all&area=-121.6,38.2,-121.1,38.8'])
    await test.step(`axe finds nothing on ${path}, and nothing overflows on a phone`, async () => {
      await visit(page, path)
      await expect(marks(page).first()).toBeVisible()
      await expectAccessible(page)
    })
})

test('on a phone the map is above the list, and a scroll gesture on it scrolls the page', { tag: '@all' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await visit(page, '/region/california')
  await page.getByRole('button', { name: 'Show map', exact: true }).click()
  await expect(marks(page).first()).toBeVisible()
  const [drawn, list] = [
    await map(page).boundingBox(),
    await page.getByRole('list', { name: 'Sites in California', exact: true }).boundingBox(),
  ]
  if (!drawn || !list) throw new Error('The map or the list is missing')
  expect(drawn.y + drawn.height).toBeLessThan(list.y)
  expect(drawn.height).toBeLessThan(844 / 3)
  await page.mouse.move(drawn.x + 20, drawn.y + 20)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
})
