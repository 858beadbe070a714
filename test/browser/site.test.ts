import type { BrowserContext, Locator, Page } from '@playwright/test'

import { formatPhone, toTelUrl } from '../../src/contract/phones.ts'
import { isClosed, STATUS_LABELS, STATUSES } from '../../src/contract/status.ts'
import { listSites } from '../../src/records/sites/contract.ts'
import type { Site } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { timeBeforeNotFound } from './not-found-page.ts'
import { factsIn, findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

const findSite = async (context: BrowserContext, what: string, is: (site: Site) => boolean): Promise<Site> =>
  findRecord(await sendCall(context, listSites), what, is)

const open = async (page: Page, site: Site): Promise<void> => {
  await visit(page, `/location/${site.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
}

/** The page of a site with a modified server response. */
const openChanged = async (page: Page, site: Site, change: (site: Site) => Site): Promise<void> => {
  await page.route(`**/siteslugprograms/${site.slug}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change((await response.json()) as Site) })
  })
  await open(page, site)
}

const withNothing = (site: Site): Site => ({
  ...site,
  photo: null,
  finance_id: null,
  latitude: null,
  longitude: null,
  people: [],
  address: {
    address_1: null,
    address_2: null,
    city: null,
    state: null,
    zip: null,
    phone: null,
    fax: null,
    start_day: null,
    end_day: null,
    start_time: null,
    end_time: null,
    description: null,
    closures: null,
  },
})

/** A site with every field of the overview filled in. */
const isWhole = ({ address, photo, finance_id, charter, region }: Site): boolean =>
  [...Object.values(address), photo, finance_id, charter, region].every((part) => part !== null)

test.describe('the overview', () => {
  test('shows phone and address, links to its parents, shows who changed it, and copies', async ({ page, context }) => {
    await test.step('shows who to call, where it is, its hours, status, facility type and finance number', async () => {
      const site = await findSite(context, 'site with everything filled in', isWhole)
      await open(page, site)
      await expect(page).toHaveTitle(`${site.displayName} - Homeroom`)
      const main = page.getByRole('main')
      const { address } = site
      const phone = address.phone ?? ''
      await expect(main.getByRole('link', { name: formatPhone(phone), exact: true }).first()).toHaveAttribute('href', toTelUrl(phone))
      const facts = new Map(await factsIn(page, 'main'))
      const [street, cityLine] = [`${address.address_1}, ${address.address_2}`, `${address.city}, ${address.state} ${address.zip}`]
      expect(facts.get('Address')).toBe(`${street}${cityLine}`)
      expect(facts.get('Hours')).toBe(`${address.start_day} to ${address.end_day}${address.start_time} to ${address.end_time}`)
      expect(facts.get('Fax')).toBe(formatPhone(address.fax ?? ''))
      expect(facts.get('Facility type')).toBe(site.category)
      await expect(main.locator('dl').getByRole('link', { name: street })).toHaveAttribute('href', /google\.com\/maps\/search/)
      await expect(main.getByText(STATUS_LABELS[site.status]).first()).toBeVisible()
      await expect(main.getByText(`Finance no. ${site.finance_id}`)).toBeVisible()
      await expect(main.getByText(address.description ?? '', { exact: true })).toBeVisible()
      await expect(main.getByText(address.closures ?? '', { exact: true })).toBeVisible()
      const photo = main.getByRole('img', { name: `Photo of ${site.displayName}` })
      await expect(photo).toHaveAttribute('src', site.photo ?? '')
      // The loaded image is no larger than displayed.
      await expect(photo).toHaveJSProperty('currentSrc', new URL(`${site.photo}?width=320`, page.url()).href)
      await expect(photo).toHaveJSProperty('complete', true)
      expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    })

    await test.step('links to its brand, region and charter', async () => {
      const site = await findSite(context, 'site', isWhole)
      await open(page, site)
      const about = page.getByRole('region', { name: 'About this site' })
      await expect(about.getByRole('link', { name: site.charter?.name, exact: true })).toHaveAttribute(
        'href',
        `/charter/${site.charter?.slug}`,
      )
      await expect(about.getByRole('link', { name: site.charter?.brandName })).toHaveAttribute('href', `/brand/${site.charter?.brand}`)
      await expect(about.getByRole('link', { name: site.region?.name })).toHaveAttribute('href', `/region/${site.region?.slug}`)
    })

    await test.step('shows who last changed it and when', async () => {
      const site = await findSite(context, 'site that someone changed', ({ updatedBy }) => updatedBy !== null)
      await open(page, site)
      await expect(page.getByText(new RegExp(`^Changed .+ by ${site.updatedBy}$`))).toBeVisible()
    })

    await test.step('copies phone and address', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const site = await findSite(context, 'site', isWhole)
      await open(page, site)
      await page.getByRole('button', { name: 'Copy phone number' }).click()
      await expect(page.getByText('Copied phone number')).toBeAttached()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(formatPhone(site.address.phone ?? ''))
      await page.getByRole('button', { name: 'Copy address' }).click()
      await expect(page.getByText('Copied address')).toBeAttached()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${site.address.city}, ${site.address.state}`)
    })
  })

  test('shows a message for each empty field, and the default image', { tag: '@all' }, async ({ page, context }) => {
    const site = await findSite(context, 'site', () => true)
    await openChanged(page, site, withNothing)
    const facts = new Map(await factsIn(page, 'main header'))
    expect(Object.fromEntries(facts)).toEqual({
      Phone: 'No number on file',
      Address: 'None provided',
      Hours: 'None provided',
      Fax: 'No number on file',
    })
    await expect(page.getByRole('region', { name: 'Description' })).toContainText('None provided')
    await expect(page.getByRole('region', { name: 'Closures' })).toContainText('None provided')
    await expect(page.getByRole('img', { name: `No photo of ${site.displayName}` })).toBeVisible()
    await expect(page.getByText('Vacant')).toHaveCount(4)
    await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0)
    await expectAccessible(page)
  })

  test('shows the directory id and coordinates of an imported site', { tag: '@all' }, async ({ page, context }) => {
    const site = await findSite(context, 'site with coordinates', ({ latitude }) => latitude !== null)
    await openChanged(page, site, (one) => ({ ...one, directory_id: '39685850107' }))
    const facts = new Map(await factsIn(page, 'main'))
    expect(facts.get('Directory ID')).toBe('39685850107')
    const point = `${site.latitude}, ${site.longitude}`
    await expect(page.getByRole('link', { name: point })).toHaveAttribute('href', new RegExp(`maps.*${encodeURIComponent(point)}`))
  })

  test('shows a banner if the site is closed, and opens by its _id too', { tag: '@all' }, async ({ page, context }) => {
    for (const status of STATUSES)
      await test.step(`${status} ${isClosed(status) ? 'shows' : 'shows no'} banner`, async () => {
        const site = await findSite(context, `site that is ${status}`, (one) => one.status === status)
        await open(page, site)
        await expect(page.getByRole('main').getByText(STATUS_LABELS[status], { exact: true }).first()).toBeVisible()
        await expect(page.getByText('This Location is Closed')).toHaveCount(isClosed(status) ? 1 : 0)
      })

    await test.step('opens by its _id too', async () => {
      const site = await findSite(context, 'site', () => true)
      await visit(page, `/location/${site._id}`)
      await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
    })
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } })

    test('begins with the name and the phone number; everything else is in one menu', { tag: '@all' }, async ({ page, context }) => {
      const site = await findSite(context, 'site', isWhole)
      await openChanged(page, site, (one) => ({ ...one, status: 'CLOSED - PERMANENTLY' }))
      const call = page.getByRole('link', { name: `Call ${formatPhone(site.address.phone ?? '')}` })
      await expect(call).toHaveAttribute('href', toTelUrl(site.address.phone ?? ''))
      const boxOf = async (target: Locator) => (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const name = await boxOf(page.getByRole('heading', { level: 1 }))
      const above = await page.locator('#main').evaluate(
        (main, top) =>
          [...main.querySelectorAll('a, button, p, strong, img')]
            .filter((part) => {
              const box = part.getBoundingClientRect()
              return box.height > 0 && box.bottom <= top
            })
            .map((part) => part.textContent),
        name.y,
      )
      expect(above).toEqual(['Resource Centers'])
      const more = page.getByRole('button', { name: 'More actions' })
      expect((await boxOf(more)).y).toBe((await boxOf(call)).y)
      for (const target of [call, more]) expect((await boxOf(target)).height).toBeGreaterThanOrEqual(44)
      await expect(page.getByText('This Location is Closed')).toBeVisible()
      await expect(page.getByRole('button', { name: /^(History|Print|Request a Change|Favorite)$/ })).toHaveCount(0)
    })

    test('the menu works by keyboard, closes on Escape, and returns the focus after a window', async ({ page, context }) => {
      const site = await findSite(context, 'site', isWhole)
      await open(page, site)
      const more = page.getByRole('button', { name: 'More actions' })
      await expect(more).toHaveAttribute('aria-expanded', 'false')
      await more.focus()
      await page.keyboard.press('Enter')
      const menu = page.getByRole('menu', { name: 'More actions' })
      await expect(menu.getByRole('menuitem')).toHaveText([/^Map$/, /favorites$/, /^Print$/, /^Request a Change$/, /^As Of…$/])
      await expect(menu.getByRole('menuitem', { name: 'Map' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(menu).toHaveCount(0)
      await expect(more).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(menu.getByRole('menuitem', { name: 'Map' })).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await expect(menu.getByRole('menuitem', { name: 'Request a Change' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Suggest changes' })).toBeFocused()
      await page.getByRole('button', { name: 'Just describe it', exact: true }).press('Enter')
      const window = page.getByRole('dialog', { name: 'Request a Change' })
      await expect(window.locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(window).toHaveCount(0)
      await page.goBack()
      await more.press('Enter')
      await expect(menu).toBeVisible()
      await expectAccessible(page)
    })
  })

  test('prints on white, without the menu and the tabs', { tag: '@all' }, async ({ page, context }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    const site = await findSite(context, 'site', isWhole)
    await open(page, site)
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })
})

test.describe('leadership', () => {
  const rowsIn = (page: Page, title: string): Promise<string[]> =>
    page
      .getByRole('list', { name: title })
      .getByRole('listitem')
      .evaluateAll((rows) => rows.map((row) => `${row.querySelector('a')?.textContent} | ${row.textContent}`))

  test('lists everyone in a role, warehouse roles only if they are filled', async ({ page, context }) => {
    await test.step('lists everyone in a role, with call, email and chat', async () => {
      const site = await findSite(
        context,
        'site with a principal who has number and address',
        ({ people }) =>
          people.some(({ person, role_match }) => role_match.name === 'Principal' && person.phone !== null && person.email !== null) &&
          people.some(({ role_match }) => role_match.name === 'Area Superintendent'),
      )
      await open(page, site)
      const holding = (role: string) => site.people.filter(({ role_match }) => role_match.name === role)
      const local = await rowsIn(page, 'Local leadership')
      for (const { person } of holding('Principal')) {
        const row = page.getByRole('list', { name: 'Local leadership' }).getByRole('listitem').filter({ hasText: person.name })
        await expect(row.getByRole('link', { name: person.name, exact: true })).toHaveAttribute('href', `/staff/${person.slug}`)
        if (person.phone)
          await expect(row.getByRole('link', { name: formatPhone(person.phone) })).toHaveAttribute('href', toTelUrl(person.phone))
        if (person.email) {
          await expect(row.getByRole('link', { name: `Email ${person.name}` })).toHaveAttribute('href', `mailto:${person.email}`)
          await expect(row.getByRole('link', { name: `Message ${person.name} in Teams` })).toHaveAttribute(
            'href',
            new RegExp(`teams\\.microsoft\\.com.*${encodeURIComponent(person.email)}`),
          )
        }
      }
      expect(local.filter((row) => row.includes('Principal'))).toHaveLength(holding('Principal').length)
      const area = await rowsIn(page, 'Area leadership')
      expect(area.filter((row) => row.includes('Superintendent'))).toHaveLength(holding('Area Superintendent').length)
    })

    await test.step('lists the warehouse roles only if they are filled', async () => {
      const WAREHOUSE = ['Warehouse Manager', 'Warehouse Technician']
      const sites = await sendCall(context, listSites)
      const isWarehouse = ({ role_match }: Site['people'][number]) => WAREHOUSE.includes(role_match.name)
      const withThem = findRecord(sites, 'site with a warehouse role', ({ people }) => people.some(isWarehouse))
      const without = findRecord(sites, 'site without a warehouse role', ({ people }) => !people.some(isWarehouse))
      for (const site of [withThem, without]) {
        await open(page, site)
        const rows = (await rowsIn(page, 'Local leadership')).filter((row) => /Warehouse/.test(row))
        expect(rows).toHaveLength(site.people.filter(isWarehouse).length)
      }
    })
  })
})

test.describe('the way back', () => {
  test('goes to the list with its filter, or to the previous person', { tag: '@all' }, async ({ page, context }) => {
    await test.step('goes to the list with its filter, even after visiting the tabs', async () => {
      const site = await findSite(context, 'closed site', ({ status }) => isClosed(status))
      await page.goto('/locations')
      await page.getByRole('button', { name: /^Closed/ }).click()
      await expect(page).toHaveURL(/\?.+/)
      const list = page.url()
      await page.getByRole('link', { name: site.displayName, exact: true }).first().click()
      await page.getByRole('link', { name: 'Facility', exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`/location/fac/${site.slug}$`))
      await page.getByRole('link', { name: /^Staff \d+$/ }).click()
      await expect(page.getByRole('heading', { name: /^Leadership/ })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Resource Centers', exact: true }).click()
      await expect(page).toHaveURL(list)
      await expect(page.getByRole('button', { name: /^Closed/ })).toHaveAttribute('aria-pressed', 'true')
    })

    await test.step('goes to the previous person, by name', async () => {
      const site = await findSite(context, 'site with people', ({ people }) => people.length > 0)
      const name = site.people[0]?.person.name ?? ''
      await visit(page, `/staff/${site.people[0]?.person.slug}`)
      await page.getByRole('main').getByRole('link', { name: site.displayName, exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name, exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    })
  })

  test('goes to the list of sites if there is no previous page', { tag: '@all' }, async ({ page, context }) => {
    await open(page, await findSite(context, 'site', () => true))
    await page.getByRole('main').getByRole('link', { name: 'Resource Centers', exact: true }).click()
    await expect(page).toHaveURL(/\/locations$/)
  })
})

test.describe('loading', () => {
  test('a skeleton is shown until the response arrives, with the way back from the start', { tag: '@all' }, async ({ page, context }) => {
    const site = await findSite(context, 'site', () => true)
    let answer = (): void => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/siteslugprograms/**', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`/location/${site.slug}`)
    await expect(page.getByRole('main').getByRole('status').getByText('Loading')).toBeAttached()
    await expect(page.getByRole('main').getByRole('link', { name: 'Resource Centers' })).toBeVisible()
    answer()
    await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
    await expect(page.getByText('Loading', { exact: true })).toHaveCount(0)
  })

  test('a missing site leads to the not-found page after 2 seconds, with a notice before', async ({ page, pageErrors }) => {
    pageErrors.expect(/404 \(Not Found\)/)
    pageErrors.expect(/siteslugprograms\/:slug failed: Problem/)
    const shownForMs = await timeBeforeNotFound(page, '/location/no-such-site', 'This site could not be found.')
    expect(shownForMs).toBeGreaterThan(1900)
    expect(shownForMs).toBeLessThan(10_000)
  })

  test('a lost connection shows a lasting message; Retry loads the page', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/ERR_FAILED/)
    pageErrors.expect(/siteslugprograms\/:slug failed: ConnectionLost/)
    const site = await findSite(context, 'site', () => true)
    await page.route('**/siteslugprograms/**', (route) => route.abort())
    await page.clock.install()
    await page.goto(`/location/${site.slug}`)
    await expect(page.getByText(/The connection was lost/)).toBeVisible()
    await page.clock.runFor(5000)
    await expect(page).toHaveURL(new RegExp(`/location/${site.slug}$`))
    await page.unroute('**/siteslugprograms/**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
  })

  test('an ended session leads to the login page', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/401 \(Unauthorized\)/)
    const site = await findSite(context, 'site', () => true)
    await page.route('**/siteslugprograms/**', (route) =>
      route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"title":"You are not signed in","status":401}' }),
    )
    await page.goto(`/location/${site.slug}`)
    await expect(page).toHaveURL(/\/login/)
  })

  test('a response of null shows a notice', { tag: '@all' }, async ({ page }) => {
    await page.route('**/siteslugprograms/**', (route) => route.fulfill({ json: null }))
    await page.goto('/location/nothing')
    await expect(page.getByText('There is no record for this site.')).toBeVisible()
  })
})
