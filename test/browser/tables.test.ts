import type { Page } from '@playwright/test'

import { formatPhone } from '../../src/contract/phones.ts'
import { isClosed } from '../../src/contract/status.ts'
import { listViews } from '../../src/features/record-tools/saved-views/contract.ts'
import { listPeopleOfGroup } from '../../src/features/records/people/contract.ts'
import { listSiteSummaries } from '../../src/features/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { ask } from './records.ts'

test.use({ level: 10 })

const LISTS = ['/locations', '/leadership', '/support', '/charters', '/brand', '/region/ohio'] as const

const tools = (page: Page) => page.getByRole('group', { name: 'How the list is shown' })
const look = (page: Page, name: 'Cards' | 'Table') => tools(page).getByText(name, { exact: true })
const rows = (page: Page) => page.locator('main tbody tr[aria-rowindex]')
/** The texts of a column, as far as its rows are drawn. */
const textsOf = async (page: Page, column: string): Promise<string[]> => {
  const heads = await page.locator('main thead th').allTextContents()
  const at = heads.indexOf(column)
  expect(at, `${column} among ${heads.join(', ')}`).toBeGreaterThanOrEqual(0)
  return rows(page)
    .locator(`> :nth-child(${at + 1})`)
    .allTextContents()
}
const inOrder = (texts: readonly string[]): string[] =>
  texts.filter(Boolean).toSorted(new Intl.Collator('en', { sensitivity: 'base', numeric: true }).compare)
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

test.describe('every list', () => {
  for (const address of LISTS)
    test(`${address} is cards or a table of the same records, and remembers which`, async ({ page }) => {
      await page.goto(`${address}?show=cards`)
      const cards = page.locator('main li[aria-setsize]')
      const count = Number(await cards.first().getAttribute('aria-setsize'))
      const first = await cards.first().getByRole('link').first().textContent()
      await look(page, 'Table').click()
      await expect(rows(page).first().getByRole('link').first()).toHaveText(first ?? '')
      await expect(page.locator('main table')).toHaveAttribute('aria-rowcount', String(count + 1))
      await page.goto(address)
      await expect(rows(page).first()).toBeVisible()
      await look(page, 'Cards').click()
      await expect(cards.first()).toBeVisible()
      await page.goto(address)
      await expect(cards.first()).toBeVisible()
      await page.goto(`${address}?show=table`)
      await expect(rows(page).first()).toBeVisible()
    })

  for (const address of ['/locations', '/leadership', '/charters', '/region/ohio'])
    test(`${address} is accessible as a table`, async ({ page }) => {
      await page.goto(`${address}?show=table&sort=-name`)
      await expect(rows(page).first()).toBeVisible()
      await expectAccessible(page)
    })

  for (const menu of ['Columns', 'Copy'])
    test(`is accessible with ${menu} open`, async ({ page }) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto('/locations?show=table')
      await tools(page).getByRole('button', { name: menu }).click()
      await expect(page.getByRole('dialog', { name: menu })).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: menu })).toHaveCount(0)
    })

  // What stands far down is found by counting rows.
  test('has rows of one height at 390, 820 and 1440 px', async ({ page }) => {
    for (const address of LISTS) {
      await page.goto(`${address}?show=table`)
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expect(rows(page).first()).toBeVisible()
        const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
        expect(heights.length).toBeGreaterThan(3)
        expect([...new Set(heights)], `every row of ${address} is 49 pixels high at ${width}`).toEqual([49])
      }
    }
  })
})

test.describe('sorting', () => {
  test('goes from the beginning, from the end and back with presses on a head, and stands in the address', async ({ page }) => {
    await page.goto('/locations?show=table')
    await expect(rows(page).first()).toBeVisible()
    const own = await textsOf(page, 'Name')
    const head = page.getByRole('columnheader', { name: 'City' })
    await expect(head).not.toHaveAttribute('aria-sort')
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    expect(parameters(page)).toMatchObject({ sort: 'city' })
    const up = (await textsOf(page, 'City')).filter(Boolean)
    expect(up).toEqual(inOrder(up))
    expect(new Set(up).size).toBeGreaterThan(3)
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    expect(parameters(page)).toMatchObject({ sort: '-city' })
    const down = (await textsOf(page, 'City')).filter(Boolean)
    expect(down).toEqual(inOrder(down).toReversed())
    await page.reload()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await head.getByRole('button').click()
    await expect(head).not.toHaveAttribute('aria-sort')
    expect(await textsOf(page, 'Name')).toEqual(own)
  })

  test('holds for cards as well, and numbers are sorted as numbers', async ({ page, context }) => {
    const sites = await ask(context, listSiteSummaries)
    const last = inOrder(sites.map(({ address: { city, state } }) => [city, state].filter(Boolean).join(', '))).at(-1)
    await page.goto('/locations')
    await tools(page).getByLabel('Sort').selectOption('City')
    await tools(page).getByRole('button', { name: 'Reverse order' }).click()
    await expect(page.locator('main li[aria-setsize]').first()).toContainText(last ?? '')

    await page.goto('/charters?sort=-students&status=all&show=table')
    await expect(rows(page).first()).toBeVisible()
    const students = (await textsOf(page, 'Students')).filter(Boolean).map((text) => Number(text.replaceAll(',', '')))
    expect(students).toEqual(students.toSorted((a, b) => b - a))
    expect(students[0]).toBeGreaterThan(999)
  })

  test('and the look are kept by a saved view', async ({ page, context }) => {
    await page.goto('/locations?show=table&sort=-city')
    await expect(rows(page).first()).toBeVisible()
    const cities = await textsOf(page, 'City')
    const name = `Reverse order ${Math.random().toString(36).slice(2, 8)}`
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('button', { name: 'Save this view…' }).click()
    await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Save view' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect((await ask(context, listViews)).find((view) => view.name === name)?.search).toBe('show=table&sort=-city')

    await page.goto('/locations?show=cards&sort=name')
    await expect(page.locator('main li[aria-setsize]').first()).toBeVisible()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('dialog', { name: 'Views', exact: true }).getByRole('link', { name }).click()
    await expect(rows(page).first()).toBeVisible()
    expect(parameters(page)).toEqual({ show: 'table', sort: '-city' })
    expect(await textsOf(page, 'City')).toEqual(cities)
  })
})

test.describe('columns', () => {
  test('are chosen, remembered, and go back to the usual ones', async ({ page }) => {
    await page.goto('/locations?show=table')
    const heads = page.locator('main thead th')
    await expect(heads).toHaveText(['Name', 'City', 'Phone', 'Principal', 'Charter', 'Finance no.', 'Status'])
    await tools(page).getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Region' }).check()
    await page.getByRole('checkbox', { name: 'Charter' }).uncheck()
    await page.keyboard.press('Escape')
    const chosen = ['Name', 'City', 'Phone', 'Principal', 'Finance no.', 'Status', 'Region']
    await expect(heads).toHaveText(chosen)
    await page.reload()
    await expect(heads).toHaveText(chosen)
    await page.goto('/leadership?show=table')
    await expect(heads).toHaveText(['Name', 'Role', 'Site', 'Phone', 'Email'])
    await page.goto('/locations?show=table')
    await tools(page).getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Default Columns' }).click()
    await expect(heads).toHaveText(['Name', 'City', 'Phone', 'Principal', 'Charter', 'Finance no.', 'Status'])
  })
})

test.describe('copying', () => {
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const copy = async (page: Page, entry: RegExp): Promise<string> => {
    await tools(page).getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('dialog', { name: 'Copy' }).getByRole('button', { name: entry }).click()
    await expect(
      tools(page)
        .getByText(/^Copied /)
        .first(),
    ).toBeVisible()
    return clipboard(page)
  }

  test('takes the addresses or the numbers of just what is shown, each once', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const sites = (await ask(context, listSiteSummaries)).filter(({ status, region }) => isClosed(status) && region?.slug === 'ohio')
    await page.goto('/locations?status=closed&region=ohio')
    const phones = new Set(sites.flatMap(({ address: { phone } }) => (phone ? [formatPhone(phone)] : [])))
    expect(new Set((await copy(page, /^Copy \d+ phone numbers?$/)).split('\n'))).toEqual(phones)
    const addresses = (await copy(page, /^Copy \d+ address/)).split('\n')
    expect(addresses.length).toBe(new Set(addresses).size)
    for (const { address } of sites)
      expect(addresses.some((line) => line.includes(`${address.address_1}`) && line.includes(`${address.zip}`))).toBe(true)
    await expect(page.locator('main').getByRole('status')).toHaveText(new RegExp(`^${sites.length} of`))
  })

  test('takes a table with the columns and the order that are shown, and people’s e-mail addresses', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/locations?status=closed&show=table&sort=-name')
    await expect(rows(page).first()).toBeVisible()
    const names = await textsOf(page, 'Name')
    const [head, ...lines] = (await copy(page, /^Copy as a table$/)).split('\n')
    expect(head).toBe(['Name', 'City', 'Phone', 'Principal', 'Charter', 'Finance no.', 'Status'].join('\t'))
    expect(lines.map((line) => line.split('\t')[0])).toEqual(names)

    const people = await ask(context, listPeopleOfGroup, { group: 'LEADERSHIP' })
    const principals = people.filter(({ roles }) => roles.some(({ name }) => name === 'Principal'))
    await page.goto('/leadership?role=Principal')
    const mails = (await copy(page, /^Copy \d+ email addresses$/)).split('\n')
    expect(new Set(mails)).toEqual(new Set(principals.flatMap(({ email }) => (email ? [email] : []))))
  })

  test('says so where the browser forbids it', async ({ page }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('forbidden', 'NotAllowedError'))
    })
    await page.goto('/locations')
    await tools(page).getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copy as a table' }).click()
    await expect(page.getByRole('alert').getByText('Your browser does not allow copying from this page.')).toBeVisible()
  })
})

test.describe('arrow keys', () => {
  test('lead from the field through the rows of a table, to its end and back up', async ({ page, context }) => {
    const { length } = await ask(context, listSiteSummaries)
    await page.goto('/locations?show=table')
    const field = page.locator('main').getByRole('textbox')
    const at = (place: number) => page.locator(`main [data-place="${place}"]`).getByRole('link').first()
    await expect(at(0)).toBeVisible()
    await field.press('ArrowDown')
    await expect(at(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(at(1)).toBeFocused()
    await page.keyboard.press('End')
    await expect(at(length - 1)).toBeFocused()
    await expect(at(length - 1)).toBeInViewport()
    await page.keyboard.press('ArrowDown')
    await expect(at(length - 1)).toBeFocused()
    await page.keyboard.press('Home')
    await expect(at(0)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(field).toBeFocused()
    await field.press('ArrowDown')
    const name = await at(0).textContent()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: name ?? '' })).toBeVisible()
  })

  test('lead through cards by row and column', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/locations')
    const at = (place: number) => page.locator(`main [data-place="${place}"]`).getByRole('link').first()
    await expect(at(5)).toBeVisible()
    const tops = await page
      .locator('main li[data-place]')
      .evaluateAll((cards) => cards.slice(0, 12).map((card) => card.getBoundingClientRect().top))
    const columns = tops.filter((top) => top === tops[0]).length
    expect(columns).toBeGreaterThan(2)
    await at(0).focus()
    await page.keyboard.press('ArrowRight')
    await expect(at(1)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(at(1 + columns)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(at(columns)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(at(0)).toBeFocused()
  })
})

test('a table stays on the paper with all its columns', async ({ page }) => {
  for (const address of ['/locations?show=table&status=closed', '/charters?show=table', '/region/ohio?show=table']) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(address)
    await expect(rows(page).first()).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    // What is left of a sheet of letter size between its margins.
    await page.setViewportSize({ width: 740, height: 900 })
    const last = page.locator('main thead th').last()
    await expect.poll(async () => ((await last.boundingBox())?.x ?? Infinity) + ((await last.boundingBox())?.width ?? 0)).toBeLessThan(741)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(740)
    await page.emulateMedia({ media: 'screen' })
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a table moves sideways beside its first column, and the page does not', async ({ page }) => {
    await page.goto('/locations?show=table')
    await expect(rows(page).first()).toBeVisible()
    const room = page.getByRole('region', { name: 'Resource Centers' })
    await room.focus()
    await expect(room).toBeFocused()
    await room.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await expect(page.getByRole('columnheader', { name: 'Status' })).toBeInViewport()
    await expect(page.getByRole('columnheader', { name: 'Name' })).toBeInViewport()
    await expect(rows(page).first().getByRole('link').first()).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('what has the focus is never below the first column', async ({ page }) => {
    await page.goto('/locations?show=table')
    const row = rows(page)
      .filter({ has: page.locator('td:nth-child(4) a') })
      .first()
    const phone = row.locator('td:nth-child(3) a')
    await expect(phone).toBeVisible()
    await page.getByRole('region', { name: 'Resource Centers' }).evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    await row.locator('td:nth-child(4) a').focus()
    await page.keyboard.press('Shift+Tab')
    await expect(phone).toBeFocused()
    const name = await row.locator('th').boundingBox()
    const link = await phone.boundingBox()
    expect(link?.x).toBeGreaterThanOrEqual((name?.x ?? Infinity) + (name?.width ?? 0))
  })
})
