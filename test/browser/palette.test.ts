import type { BrowserContext, Page } from '@playwright/test'

import { formatPhone } from '../../src/contract/phones.ts'
import { listFailedSearches } from '../../src/features/finding/search/contract.ts'
import { listPeople } from '../../src/records/people/contract.ts'
import { listSites } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 7 })

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' })
const selected = (page: Page) => palette(page).getByRole('row', { selected: true })
const openWithKeys = async (page: Page): Promise<void> => {
  // The shortcuts work once the page is rendered.
  await expect(page.getByRole('banner').getByRole('button', { name: 'Search everything' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}
/** A principal with a phone number and a unique name and number. */
const somePrincipal = async (context: BrowserContext) => {
  const people = await sendCall(context, listPeople)
  const names = new Map<string, number>()
  for (const { name, phone } of people) for (const one of [name, phone ?? '']) names.set(one, (names.get(one) ?? 0) + 1)
  const principals = new Set(
    (await sendCall(context, listSites)).flatMap((site) =>
      site.people.filter(({ role_match }) => role_match.name === 'Principal').map(({ person }) => person._id),
    ),
  )
  return findRecord(
    people,
    'principal with a name and a number of their own',
    ({ _id, name, phone, email }) =>
      principals.has(_id) &&
      /^[A-Z][a-z]{4,} [A-Z][a-z]{5,}$/.test(name) &&
      phone !== null &&
      email !== null &&
      names.get(name) === 1 &&
      names.get(phone) === 1,
  )
}
/** A name with two letters of its last word swapped. */
const misspelt = (name: string): string => name.replace(/(..)(.)(.)(\w*)$/, '$1$3$2$4')

test.describe('the search window', () => {
  test('opens with shortcuts and buttons, from every page', async ({ page }) => {
    await test.step('on Ctrl K, on / and from the top bar of every page, and closes with the button that opened it', async () => {
      for (const address of ['/', '/locations', '/charters', '/regions', '/404', '/leadership']) {
        await visit(page, address)
        const button = page.getByRole('banner').getByRole('button', { name: 'Search everything' })
        await button.click()
        await expect(field(page)).toBeFocused()
        await page.keyboard.press('Escape')
        await expect(palette(page)).toHaveCount(0)
        await expect(button).toBeFocused()
        await page.keyboard.press('/')
        await expect(field(page)).toBeFocused()
        await expect(field(page)).toHaveValue('')
        await page.keyboard.press('Escape')
        await openWithKeys(page)
        await page.getByRole('button', { name: 'Close search' }).click()
        await expect(palette(page)).toHaveCount(0)
      }
    })

    await test.step('not with a / typed into a field, but with Ctrl K there too', async () => {
      await visit(page, '/charters')
      const list = page.locator('main').getByRole('textbox')
      await list.press('/')
      await expect(list).toHaveValue('/')
      await expect(palette(page)).toHaveCount(0)
      await list.press('Control+k')
      await expect(field(page)).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(list).toBeFocused()
    })

    await test.step('from the field on the home page, keeping each typed letter, and returns the focus', async () => {
      await page.goto('/')
      const hero = page.getByRole('textbox', { name: 'Who or what are you looking for?' })
      await expect(hero).toBeFocused()
      await page.keyboard.type('resource', { delay: 5 })
      await expect(field(page)).toHaveValue('resource')
      await expect(selected(page)).toContainText('Resource')
      await page.keyboard.press('Escape')
      await expect(hero).toBeFocused()
      await expect(hero).toHaveValue('')
    })
  })
})

test.describe('a principal is found immediately on the home page', () => {
  test('by a misspelled name, half a phone number or a nickname', { tag: '@all' }, async ({ page, context }) => {
    await test.step('by a misspelled name, and Enter opens the page', async () => {
      const { name } = await somePrincipal(context)
      await visit(page, '/')
      await expect(page.getByRole('textbox', { name: 'Who or what are you looking for?' })).toBeFocused()
      await page.keyboard.type(misspelt(name))
      await expect(selected(page)).toContainText(name)
      await expect(selected(page)).toContainText('Principal · ')
      await expect(palette(page).getByText('Showing the closest names.')).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(palette(page)).toHaveCount(0)
    })

    await test.step('even if Enter is pressed before the response arrives', async () => {
      const { name } = await somePrincipal(context)
      await visit(page, '/')
      await openWithKeys(page)
      await field(page).fill(name)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    })

    await test.step('by half a phone number, which is highlighted', async () => {
      const { name, phone } = await somePrincipal(context)
      const half = (phone ?? '').slice(4)
      await visit(page, '/')
      await openWithKeys(page)
      await field(page).fill(phone ?? '')
      const row = palette(page).getByRole('row', { name })
      await expect(row.locator('mark').filter({ visible: true })).toHaveText(formatPhone(phone ?? ''))
      await field(page).fill(half)
      await expect(palette(page).locator('mark').first()).toHaveText(half)
    })

    await test.step('by a nickname', async () => {
      const short: Record<string, string> = { Harriet: 'hattie', Teresa: 'tess', Cheryl: 'sherry', Octavia: 'tavy', Phoebe: 'fee' }
      const people = await sendCall(context, listPeople)
      const { name } = findRecord(
        people,
        'Harriet, Teresa, Cheryl, Octavia or Phoebe with a name of her own',
        (person) =>
          /^\w+ [A-Z][a-z]{4,}$/.test(person.name) &&
          person.name.split(' ').some((word) => word in short) &&
          people.filter((other) => other.name === person.name).length === 1,
      )
      const [first = '', last = ''] = name.split(' ')
      await visit(page, '/')
      await openWithKeys(page)
      await field(page).fill(`${short[first]} ${last}`)
      await expect(selected(page)).toContainText(name)
      await expect(selected(page).locator('mark').first()).toHaveText(first)
    })
  })
})

test.describe('by keyboard', () => {
  test('arrows and Tab move through the results, which are announced', async ({ page, context }) => {
    await test.step('arrows select a person, Tab moves to call, email and Teams', async () => {
      const { name, phone, email } = await somePrincipal(context)
      await visit(page, '/charters')
      await openWithKeys(page)
      await field(page).fill(name)
      await expect(selected(page)).toContainText(name)
      await expect(field(page)).toHaveAttribute('aria-activedescendant', (await selected(page).getAttribute('id')) ?? '')
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: `Call ${name}` })).toBeFocused()
      await expect(page.getByRole('link', { name: `Call ${name}` })).toHaveAttribute('href', new RegExp((phone ?? '').replace(/\D/g, '')))
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: `Email ${name}` })).toBeFocused()
      await expect(page.getByRole('link', { name: `Email ${name}` })).toHaveAttribute('href', `mailto:${email}`)
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: `Message ${name} in Teams` })).toBeFocused()
      await expect(page.getByRole('link', { name: `Message ${name} in Teams` })).toHaveAttribute(
        'href',
        /^https:\/\/teams\.microsoft\.com\//,
      )
    })

    await test.step('arrows wrap around through all groups', async () => {
      await visit(page, '/charters')
      await openWithKeys(page)
      await field(page).fill('lodi')
      const rows = palette(page).getByRole('row')
      await expect(rows.nth(3)).toBeVisible()
      await expect(rows.nth(0)).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('ArrowDown')
      await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true')
      await expect(selected(page)).toHaveCount(1)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await expect(rows.last()).toHaveAttribute('aria-selected', 'true')
      await expect(rows.last()).toBeInViewport()
      const way = await rows.last().getByRole('link').first().getAttribute('href')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`${way}$`))
    })

    await test.step('the number of results is announced', async () => {
      await visit(page, '/charters')
      await openWithKeys(page)
      await field(page).fill('lodi')
      await expect(palette(page).getByRole('status')).toHaveText(/People: \d.*Sites: \d|Sites: \d.*People: \d/)
      await expect(palette(page).getByRole('grid', { name: 'Sites' })).toBeVisible()
      await expectAccessible(page)
    })
  })
})

test('the search window shows all of a kind, finds pages and actions, and handles empty results and failures', async ({
  page,
  pageErrors,
}) => {
  await test.step('Show all shows every hit of a kind, and back', async () => {
    await visit(page, '/charters')
    await openWithKeys(page)
    await field(page).fill('resource center')
    await expect(palette(page).getByRole('grid', { name: 'Sites' }).getByRole('row')).toHaveCount(5)
    await palette(page).getByRole('button', { name: 'Show all sites' }).click()
    await expect(palette(page).getByRole('row')).toHaveCount(50)
    await expect(field(page)).toBeFocused()
    await palette(page).getByRole('button', { name: 'Show everything' }).click()
    await expect(palette(page).getByRole('grid', { name: 'Sites' }).getByRole('row')).toHaveCount(5)
  })

  await test.step('pages and actions are found: help opens its window, a page opens', async () => {
    await visit(page, '/charters')
    await openWithKeys(page)
    await field(page).fill('student support')
    await palette(page)
      .getByRole('grid', { name: 'Pages and actions' })
      .getByRole('link', { name: /^Student Support Page/ })
      .click()
    await expect(page).toHaveURL(/\/support$/)
    await openWithKeys(page)
    await field(page).fill('help desk')
    await expect(selected(page)).toContainText('Request Information Services support')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'IS Support Request' })).toBeVisible()
  })

  await test.step('a search without results suggests what to try', async () => {
    await visit(page, '/charters')
    await openWithKeys(page)
    await field(page).fill('qqxyzzy vvkk')
    await expect(palette(page).getByText('No results for “qqxyzzy vvkk”.')).toBeVisible()
    await expect(palette(page).getByRole('status')).toHaveText('No results')
    await expectAccessible(page)
  })

  await test.step('a failed search shows an error and offers Retry', async () => {
    pageErrors.expect(/api\/search/)
    await visit(page, '/charters')
    await page.route('**/api/search?**', (route) => route.abort())
    await openWithKeys(page)
    await field(page).fill('lodi')
    const retry = palette(page).getByRole('button', { name: 'Retry' })
    await expect(retry).toBeVisible()
    await page.unroute('**/api/search?**')
    await retry.click()
    await expect(selected(page)).toContainText('Lodi')
  })
})

test.describe('favorites and recently viewed records', () => {
  // Recent records are personal: no other test opens pages at this level.
  test.use({ level: 8 })
  test('are on the home page and in the search window before anything is typed', { tag: '@all' }, async ({ page, context }) => {
    const sites = await sendCall(context, listSites)
    const [first, second] = [
      findRecord(sites, 'site', ({ address }) => address.phone !== null),
      findRecord(sites.slice(50), 'site', ({ address }) => address.phone !== null),
    ]
    await visit(page, `/location/${first.slug}`)
    const star = page.getByRole('button', { name: 'Favorite', exact: true })
    await expect(star).toHaveAttribute('aria-pressed', 'false')
    const kept = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/api/favourites/site/'),
    )
    await star.click()
    expect((await kept).status()).toBe(204)
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    const noted = page.waitForResponse((response) => response.url().includes(`/api/recent/site/${second._id}`))
    await visit(page, `/location/${second.slug}`)
    expect((await noted).status()).toBe(204)
    await expect(star).toHaveAttribute('aria-pressed', 'false')

    await visit(page, '/')
    const favorites = page.getByRole('region', { name: 'Favorites' })
    await expect(favorites.getByRole('link', { name: first.displayName, exact: true })).toHaveAttribute('href', `/location/${first.slug}`)
    const recent = page.getByRole('region', { name: 'Recently viewed' })
    await expect(recent.getByRole('listitem').first()).toContainText(second.displayName)
    await expect(
      recent
        .getByRole('listitem')
        .first()
        .getByRole('link', { name: /^Call / }),
    ).toHaveAttribute('href', /^tel:/)
    await expectAccessible(page)
    await openWithKeys(page)
    await expect(selected(page)).toContainText(second.displayName)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: second.displayName })).toBeVisible()

    await visit(page, `/location/${first.slug}`)
    await expect(star).toHaveAttribute('aria-pressed', 'true')
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', 'false')
    await visit(page, '/')
    await expect(recent).toBeVisible()
    await expect(favorites).toHaveCount(0)
  })
})

test.describe('the star', () => {
  test('is on every kind of record, and is reset if saving fails', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    await test.step('is on every kind of record', async () => {
      const [site] = await sendCall(context, listSites)
      const { slug } = await somePrincipal(context)
      for (const address of [
        `/staff/${slug}`,
        `/location/${site?.slug}`,
        `/location/staff/${site?.slug}`,
        `/charter/${site?.charter?.slug}`,
        `/charterview/${site?.charter?.slug}`,
        `/brand/${site?.charter?.brand}`,
        `/brandview/${site?.charter?.brand}`,
        '/region/ohio',
        '/region/ohio/org',
      ]) {
        await visit(page, address)
        await expect(page.getByRole('button', { name: 'Favorite', exact: true }), address).toHaveAttribute('aria-pressed', 'false')
      }
    })

    await test.step('is reset if saving fails, and shows the reason', async () => {
      pageErrors.expect(/favourites/)
      await visit(page, '/region/texas')
      const star = page.getByRole('button', { name: 'Favorite', exact: true })
      await expect(star).toBeEnabled()
      await page.route('**/api/favourites/**', (route) => route.abort())
      await star.click()
      await expect(page.getByRole('alert').filter({ hasText: 'Error: ' })).toBeVisible()
      await expect(star).toHaveAttribute('aria-pressed', 'false')
    })
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the search fills the screen, each person can be called, and the menu has email and Teams', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/locations')
    await page.getByRole('banner').getByRole('button', { name: 'Search everything' }).click()
    await field(page).fill('marisol')
    const rows = palette(page).getByRole('grid', { name: 'People' }).getByRole('row')
    await expect(rows.nth(1)).toBeVisible()
    expect(await palette(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
    const other = rows.nth(1)
    await expect(other.getByRole('link', { name: /^Email / })).toBeHidden()
    await other.getByRole('button', { name: /^More ways to contact / }).click()
    await expect(other.getByRole('link', { name: /^Email / })).toBeVisible()
    await expect(other.getByRole('link', { name: /in Teams$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Close search' }).click()
    await expect(palette(page)).toHaveCount(0)
  })
})

test.describe('searches without results', () => {
  test.use({ level: 1 })

  test('are counted for level 1, who can repeat them', { tag: '@all' }, async ({ page, context }) => {
    const text = 'zzqfrobnicatorium'
    await visit(page, '/charters')
    await openWithKeys(page)
    await field(page).fill(text)
    await expect(palette(page).getByText('No results')).not.toHaveCount(0)
    await expect.poll(async () => (await sendCall(context, listFailedSearches)).map(({ query }) => query)).toContain(text)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Management' }).click()
    await page.locator('#menu').getByRole('link', { name: 'Searches Without Results' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Searches Without Results' })).toBeFocused()
    const row = page.getByRole('row', { name: text })
    await expect(row).toContainText('1')
    await expectAccessible(page)
    await row.getByRole('button', { name: text }).click()
    await expect(field(page)).toHaveValue(text)
  })
})

test('are hidden from level 7', { tag: '@all' }, async ({ page }) => {
  await visit(page, '/searches')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('button', { name: 'Management' })).toHaveCount(0)
})
