import type { Page } from '@playwright/test'

import { isActive, isClosed, STATUSES } from '../../src/contract/status.ts'
import { listBrands } from '../../src/records/brands/contract.ts'
import { listCharters, readStudentTotal } from '../../src/records/charters/contract.ts'
import { listPeopleOfGroup } from '../../src/records/people/contract.ts'
import { listRegions, readRegion } from '../../src/records/regions/contract.ts'
import { listSiteSummaries } from '../../src/records/sites/contract.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { sendCall } from './records.ts'

test.use({ level: 10 })

const count = (page: Page) => page.locator('main').getByRole('status')
const searchField = (page: Page) => page.locator('main').getByRole('textbox').first()
/** The links to records in a list's cards or rows. */
const links = (page: Page, to: string) => page.locator(`main li a[href^="${to}"], main tbody a[href^="${to}"]`)
const namesOf = (page: Page, to: string) => links(page, to).allTextContents()
const shown = (number: number) => number.toLocaleString('en-US')
const showing = (matching: number, all: number) =>
  matching === all ? `Showing all ${shown(all)}` : `${shown(matching)} of ${shown(all)} match`

/** The names of a whole list in order: only the cards near the viewport are rendered, so it is scrolled. */
const scrolledNames = async (page: Page, to: string): Promise<string[]> =>
  page.evaluate(async (start) => {
    const seen = new Map<number, string>()
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    for (let before = -1; before !== window.scrollY;) {
      before = window.scrollY
      for (const item of document.querySelectorAll('main li[aria-posinset]')) {
        const name = item.querySelector(`a[href^="${start}"]`)?.textContent
        if (name) seen.set(Number(item.getAttribute('aria-posinset')), name)
      }
      window.scrollBy(0, 600)
      await drawn()
      await drawn()
    }
    return [...seen].toSorted(([a], [b]) => a - b).map(([, name]) => name)
  }, to)

test.describe('the site list', () => {
  test('shows all sites, counts and finds them, and keeps the search in the URL', async ({ page, context }) => {
    await test.step('shows all sites by name: open ones, then those coming soon, then closed ones', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      await visit(page, '/locations')
      await expect(page).toHaveTitle('Resource Centers - Homeroom')
      await expect(count(page)).toHaveText(`Showing all ${sites.length}`)
      const rank = (name: string) => {
        const status = sites.find((site) => site.displayName === name)?.status ?? 'ACTIVE'
        return isClosed(status) ? 2 : status === 'PENDING' ? 1 : 0
      }
      const names = await scrolledNames(page, '/location/')
      expect(names).toHaveLength(sites.length)
      expect(names.map(rank)).toEqual(names.map(rank).toSorted())
      const open = names.filter((name) => rank(name) === 0)
      expect(open).toEqual(open.toSorted(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare))
    })

    await test.step('shows how many are active, coming soon and closed, matching the filters of those names', async () => {
      await visit(page, '/locations')
      const counts = page.getByText(/^\d+ sites: \d+ active \(\d+ coming soon\), \d+ closed$/)
      await expect(counts).toBeVisible()
      const [all, active, soon, closed] = [...(await counts.innerText()).matchAll(/\d+/g)].map(Number)
      expect((active ?? 0) + (closed ?? 0)).toBe(all)
      for (const [name, count] of Object.entries({ Active: active, Closed: closed, 'Sites Coming Soon': soon })) {
        await page.getByRole('button', { name, exact: true }).click()
        await expect(page.getByRole('status').filter({ hasText: `${count} of ${all} match` }), name).toBeVisible()
      }
    })

    await test.step('shows the text over a picture without changing its case', async () => {
      await visit(page, '/locations?status=coming-soon')
      // In rendered order, not document order.
      expect(
        await page
          .getByText('Coming Soon', { exact: true })
          .first()
          .evaluate((element: HTMLElement) => element.innerText),
      ).toBe('Coming Soon')
      const drawn = await page.evaluate(
        () => [...document.querySelectorAll('body *')].filter((element) => getComputedStyle(element).textTransform !== 'none').length,
      )
      expect(drawn).toBe(0)
    })

    for (const field of ['displayName', 'name', 'address_1', 'city'] as const)
      await test.step(`finds a site by its ${field}, ignoring case`, async () => {
        const sites = await sendCall(context, listSiteSummaries)
        const text =
          sites.map((site) => (field === 'displayName' || field === 'name' ? site[field] : site.address[field])).find(Boolean) ?? ''
        const wanted = text.toUpperCase().toLowerCase()
        const matching = sites.filter(({ displayName, name, address }) =>
          [displayName, name, address.address_1, address.address_2, address.city].some((one) => one?.toLowerCase().includes(wanted)),
        )
        expect(matching.length).toBeGreaterThan(0)
        await visit(page, '/locations')
        await searchField(page).fill(text.toUpperCase())
        await expect(count(page)).toHaveText(showing(matching.length, sites.length))
        expect((await namesOf(page, '/location/')).toSorted()).toEqual(matching.map((site) => site.displayName).toSorted())
      })

    await test.step('keeps the search in the URL without a history entry for each letter', async () => {
      await visit(page, '/locations')
      await expect(count(page)).toHaveText(/Showing all/)
      const before = await page.evaluate(() => history.length)
      await searchField(page).pressSequentially('center')
      await expect(page).toHaveURL(/\/locations\?q=center$/)
      expect(await page.evaluate(() => history.length)).toBe(before)
      await page.reload()
      await expect(searchField(page)).toHaveValue('center')
      await expect(count(page)).toHaveText(/match$|all/)
    })
  })

  test('has filters, status banners on pictures, and keeps its state when the user returns', { tag: '@all' }, async ({ page, context }) => {
    await test.step('has five filters that exclude each other; turning one off clears it', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      await visit(page, '/locations')
      const expected = {
        Active: sites.filter((site) => isActive(site.status)).length,
        Closed: sites.filter((site) => isClosed(site.status)).length,
        'Sites Coming Soon': sites.filter((site) => site.status === 'PENDING').length,
      }
      for (const [label, matching] of Object.entries(expected)) {
        expect(matching, `the sample has sites for ${label}`).toBeGreaterThan(0)
        await page.getByRole('button', { name: label, exact: true }).click()
        await expect(count(page)).toHaveText(showing(matching, sites.length))
        await expect(page.getByRole('button', { pressed: true })).toHaveText([label])
      }
      await page.getByRole('button', { name: 'Recently Updated', exact: true }).click()
      await expect(page.getByRole('button', { pressed: true })).toHaveText(['Recently Updated'])

      const types = page.getByLabel('Facility Type')
      await types.selectOption('Online')
      await expect(page.getByRole('button', { pressed: true })).toHaveCount(0)
      await expect(count(page)).toHaveText(showing(sites.filter((site) => site.category === 'Online').length, sites.length))
      await expect(page.locator('label').filter({ has: types })).toContainText('Facility Type: Online')

      await page.getByRole('button', { name: 'Closed', exact: true }).click()
      await expect(types).toHaveValue('')
      await page.getByRole('button', { name: 'Closed', exact: true }).click()
      await expect(count(page)).toHaveText(`Showing all ${sites.length}`)
      await expect(page).toHaveURL(/\/locations$/)
    })

    await test.step('clears the facility type with the empty value', async () => {
      await visit(page, '/locations?type=Online')
      await expect(count(page)).toHaveText(/match$/)
      await page.getByLabel('Facility Type').selectOption('')
      await expect(count(page)).toHaveText(/^Showing all/)
    })

    await test.step('shows Coming Soon on pending sites, the status on closed ones and nothing on active ones', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      for (const status of STATUSES) {
        const site = sites.find((one) => one.status === status)
        if (!site) throw new Error(`The sample has no site that is ${status}`)
        await visit(page, `/locations?q=${encodeURIComponent(site.displayName)}`)
        const card = page.getByRole('article').filter({ has: page.locator(`a[href="/location/${site.slug}"]`) })
        await expect(card).toBeVisible()
        const overlay = status === 'PENDING' ? 'Coming Soon' : status
        if (status.startsWith('ACTIVE')) await expect(card.getByText(/Coming Soon|^CLOSED/)).toHaveCount(0)
        else await expect(card.getByText(overlay, { exact: true })).toBeVisible()
      }
    })

    await test.step('keeps search, filter and scroll position when the user returns', async () => {
      await visit(page, '/locations?status=active')
      await searchField(page).fill('e')
      await expect(page).toHaveURL(/q=e/)
      await page.mouse.move(700, 600)
      await page.mouse.wheel(0, 900)
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(600)
      const left = await page.evaluate(() => window.scrollY)
      const card = links(page, '/location/').nth(9)
      const name = (await card.textContent()) ?? ''
      await card.click()
      await expect(page).toHaveURL(/\/location\//)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL(/\/locations\?.*q=e/)
      await expect(searchField(page)).toHaveValue('e')
      await expect(page.getByRole('button', { pressed: true })).toHaveText(['Active'])
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(left)
    })

    await test.step('shows No locations to display, which filter hides the match, and how to show it', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      const open = sites.find(
        (site) => isActive(site.status) && sites.filter((one) => one.displayName.includes(site.displayName)).length === 1,
      )
      if (!open) throw new Error('The sample has no open site with a unique name')
      await visit(page, `/locations?status=closed&q=${encodeURIComponent(open.displayName)}`)
      await expect(page.getByRole('heading', { name: 'No locations to display', exact: true })).toBeVisible()
      await expect(page.getByText('1 other site matches without the filters.')).toBeVisible()
      await expect(page.getByRole('link', { name: `Show ${open.displayName}`, exact: true })).toHaveAttribute(
        'href',
        `/location/${open.slug}`,
      )
      await page.getByRole('button', { name: 'Clear search and filter', exact: true }).click()
      await expect(count(page)).toHaveText(`Showing all ${sites.length}`)
      await expect(searchField(page)).toHaveValue('')
    })
  })
})

test.describe('the charter list', () => {
  test('is searched and filtered, links to records, and shows cards on a phone', async ({ page, context }) => {
    await test.step('starts with Active; turning it off shows all, Closed the closed ones', async () => {
      const charters = await sendCall(context, listCharters)
      const active = charters.filter((charter) => isActive(charter.status)).length
      await visit(page, '/charters')
      await expect(page.getByRole('button', { pressed: true })).toHaveText(['Active'])
      await expect(count(page)).toHaveText(showing(active, charters.length))
      await page.getByRole('button', { name: 'Active', exact: true }).click()
      await expect(count(page)).toHaveText(`Showing all ${charters.length}`)
      await page.reload()
      await expect(count(page)).toHaveText(`Showing all ${charters.length}`)
      await page.getByRole('button', { name: 'Closed', exact: true }).click()
      await expect(count(page)).toHaveText(showing(charters.length - active, charters.length))
      await expect(page.getByRole('button', { pressed: true })).toHaveText(['Closed'])
      await page.getByRole('button', { name: 'Active', exact: true }).click()
      await expect(page).toHaveURL(/\/charters$/)
    })

    await test.step('begins with the student total and when a count last changed', async () => {
      const { total } = await sendCall(context, readStudentTotal)
      expect(total).toBeGreaterThan(0)
      await visit(page, '/charters')
      await expect(page.getByText(total.toLocaleString('en-US'), { exact: true })).toBeVisible()
      await expect(page.getByText(/^students, as of \d\d\/\d\d\/\d{4}$/)).toBeVisible()
    })

    await test.step('finds a charter by its abbreviation', async () => {
      const charters = await sendCall(context, listCharters)
      const charter = charters.find((one) => one.abbreviation)
      if (!charter?.abbreviation) throw new Error('The sample has no abbreviation')
      await visit(page, '/charters?status=all')
      await searchField(page).fill(charter.abbreviation.toLowerCase())
      await expect(links(page, '/charter/').filter({ hasText: charter.name }).first()).toBeVisible()
      await expect(count(page)).toHaveText(/match$/)
    })

    await test.step('links to the charter by its slug and to the brand by its _id', async () => {
      const [charter] = (await sendCall(context, listCharters)).filter((one) => isActive(one.status))
      if (!charter) throw new Error('The sample has no active charter')
      await visit(page, '/charters')
      const row = page.getByRole('row').filter({ has: page.locator(`a[href="/charter/${charter.slug}"]`) })
      await expect(row.locator(`a[href="/brand/${charter.brand}"]`)).toHaveText(charter.brandName)
    })

    await test.step('shows No charters to display', async () => {
      await visit(page, '/charters?q=nothing+has+this+name')
      await expect(page.getByRole('heading', { name: 'No charters to display', exact: true })).toBeVisible()
    })

    await test.step('shows cards on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, '/charters')
      await expect(page.getByRole('list', { name: 'Charters', exact: true })).toBeVisible()
      await expect(page.getByRole('table')).toHaveCount(0)
    })
  })
})

test.describe('the brand list', () => {
  test('starts with Active, links by _id, and shows an empty message', { tag: '@all' }, async ({ page, context }) => {
    for (const address of ['/brand', '/brands'])
      await test.step(`is at ${address} and starts with Active`, async () => {
        const brands = await sendCall(context, listBrands)
        expect(new Set(brands.map((brand) => isActive(brand.status))), 'the sample has active and closed brands').toEqual(
          new Set([true, false]),
        )
        await visit(page, address)
        await expect(page.getByRole('heading', { level: 1, name: 'Brands', exact: true })).toBeVisible()
        await expect(page.getByRole('button', { pressed: true })).toHaveText(['Active'])
        await expect(count(page)).toHaveText(showing(brands.filter((brand) => isActive(brand.status)).length, brands.length))
      })

    await test.step('links by _id, and shows No brands to display', async () => {
      const [brand] = (await sendCall(context, listBrands)).filter((one) => isActive(one.status))
      if (!brand) throw new Error('The sample has no active brand')
      await visit(page, '/brand')
      await searchField(page).fill(brand.brandName)
      await expect(links(page, `/brand/${brand._id}`)).toHaveText(brand.brandName)
      await searchField(page).fill('nothing has this name')
      await expect(page.getByRole('heading', { name: 'No brands to display', exact: true })).toBeVisible()
    })
  })
})

test.describe('regions', () => {
  test('are cards that link to their sites, which can be filtered', { tag: '@all' }, async ({ page, context }) => {
    await test.step('each show how many active and closed sites they have, and link by slug', async () => {
      const regions = await sendCall(context, listRegions)
      await visit(page, '/regions')
      await expect(count(page)).toHaveText(`Showing all ${regions.length}`)
      for (const region of regions) {
        const active = region.sites.filter((site) => isActive(site.status)).length
        const closed = region.sites.length - active
        const card = page.getByRole('article').filter({ has: page.locator(`a[href="/region/${region.slug}"]`) })
        await expect(card).toContainText(`${active} active ${active === 1 ? 'site' : 'sites'}`)
        await expect(card).toContainText(`${closed} closed ${closed === 1 ? 'site' : 'sites'}`)
      }
      await searchField(page).fill('mich')
      await expect(links(page, '/region/')).toHaveText(['Michigan'])
    })

    await test.step('show their active sites first, closed ones with a toggle, with neither toggle all', async () => {
      const region = await sendCall(context, readRegion, { slug: 'california' })
      const active = region.sites.filter((site) => isActive(site.status)).length
      expect(active).toBeGreaterThan(0)
      expect(active).toBeLessThan(region.sites.length)
      await visit(page, '/region/california')
      await expect(page).toHaveTitle('California - Homeroom')
      await expect(page.getByRole('button', { pressed: true })).toHaveText(['Active Sites'])
      await expect(count(page)).toHaveText(showing(active, region.sites.length))
      await page.getByRole('button', { name: 'Closed Sites', exact: true }).click()
      await expect(count(page)).toHaveText(showing(region.sites.length - active, region.sites.length))
      await page.getByRole('button', { name: 'Closed Sites', exact: true }).click()
      await expect(page.getByRole('button', { pressed: true })).toHaveCount(0)
      await expect(count(page)).toHaveText(`Showing all ${region.sites.length}`)
    })
  })
})

test.describe('staff lists', () => {
  test('are searched, filtered by role, and have cards with contact buttons', { tag: '@all' }, async ({ page, context }) => {
    for (const [address, title, group, role] of [
      ['/leadership', 'Leadership', 'LEADERSHIP', 'Principal'],
      ['/support', 'Student Support', 'STUDENT_SUPPORT', 'Registrar'],
    ] as const)
      await test.step(`${title} has a search by name and the roles of its group as a filter`, async () => {
        const people = await sendCall(context, listPeopleOfGroup, { group })
        const inRole = people.filter((person) => person.roles.some((one) => one.name === role))
        const [person] = inRole
        if (!person) throw new Error(`No one in the sample is ${role}`)
        await visit(page, address)
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
        await expect(count(page)).toHaveText(showing(people.length, people.length))
        await page.getByLabel('Role', { exact: true }).selectOption(role)
        await expect(count(page)).toHaveText(showing(inRole.length, people.length))
        await expect(page).toHaveURL(new RegExp(`role=${role}`))
        await searchField(page).fill(person.name)
        await expect(links(page, `/staff/${person.slug}`)).toHaveText(person.name)
        await page.reload()
        await expect(links(page, `/staff/${person.slug}`)).toHaveText(person.name)
      })

    await test.step('a card has buttons to call, email and chat in Teams', async () => {
      const people = await sendCall(context, listPeopleOfGroup, { group: 'LEADERSHIP' })
      const person = people.find((one) => one.email && one.phone)
      if (!person?.email) throw new Error('No one in the sample has both a phone number and an email address')
      await visit(page, `/leadership?q=${encodeURIComponent(person.name)}`)
      const card = page.getByRole('article').filter({ has: page.locator(`a[href="/staff/${person.slug}"]`) })
      await expect(card.locator('a[href^="tel:+1"]').first()).toBeVisible()
      await expect(card.locator(`a[href="mailto:${person.email}"]`)).toBeVisible()
      await expect(card.locator(`a[href="https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(person.email)}"]`)).toBeVisible()
    })
  })
})
