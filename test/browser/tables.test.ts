import type { Page } from '@playwright/test'

import { formatPhone } from '../../src/contract/phones.ts'
import { isClosed } from '../../src/contract/status.ts'
import { listViews } from '../../src/features/finding/saved-views/contract.ts'
import { listPeopleOfGroup } from '../../src/records/people/contract.ts'
import { listSiteSummaries } from '../../src/records/sites/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { sendCall } from './records.ts'

test.use({ level: 10 })

const LISTS = ['/locations', '/leadership', '/support', '/charters', '/brand', '/region/ohio'] as const

const tools = (page: Page) => page.getByRole('group', { name: 'List tools' })
const look = (page: Page, name: 'Cards' | 'Table') => tools(page).getByText(name, { exact: true })
const rows = (page: Page) => page.locator('main tbody tr[aria-rowindex]')
/** The texts of a column, in the rendered rows. */
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
  test('can show cards or a table, and remembers which', async ({ page }) => {
    for (const address of LISTS)
      await test.step(`${address} shows cards or a table of the same records, and remembers which`, async () => {
        await visit(page, `${address}?show=cards`)
        const cards = page.locator('main li[aria-setsize]')
        const count = Number(await cards.first().getAttribute('aria-setsize'))
        const first = await cards.first().getByRole('link').first().textContent()
        await look(page, 'Table').click()
        await expect(rows(page).first().getByRole('link').first()).toHaveText(first ?? '')
        await expect(page.locator('main table')).toHaveAttribute('aria-rowcount', String(count + 1))
        await visit(page, address)
        await expect(rows(page).first()).toBeVisible()
        await look(page, 'Cards').click()
        await expect(cards.first()).toBeVisible()
        await visit(page, address)
        await expect(cards.first()).toBeVisible()
        await visit(page, `${address}?show=table`)
        await expect(rows(page).first()).toBeVisible()
      })
  })

  test('is accessible as a table, in rows of one height', { tag: '@all' }, async ({ page }) => {
    for (const address of ['/locations', '/leadership', '/charters', '/region/ohio'])
      await test.step(`${address} is accessible as a table`, async () => {
        await visit(page, `${address}?show=table&sort=-name`)
        await expect(rows(page).first()).toBeVisible()
        await expectAccessible(page)
      })

    // The position of a row far down is computed from the row height.
    await test.step('has rows of one height at 390, 820 and 1440 px', async () => {
      for (const address of LISTS) {
        await visit(page, `${address}?show=table`)
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
})

test.describe('sorting', () => {
  test('also applies to cards and numbers, and is stored in a view', async ({ page, context }) => {
    await test.step('applies to cards, and sorts numbers as numbers', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      const last = inOrder(sites.map(({ address: { city, state } }) => [city, state].filter(Boolean).join(', '))).at(-1)
      await visit(page, '/locations')
      await tools(page).getByLabel('Sort').selectOption('City')
      await tools(page).getByRole('button', { name: 'Reverse order' }).click()
      await expect(page.locator('main li[aria-setsize]').first()).toContainText(last ?? '')

      await visit(page, '/charters?sort=-students&status=all&show=table')
      await expect(rows(page).first()).toBeVisible()
      const students = (await textsOf(page, 'Students')).filter(Boolean).map((text) => Number(text.replaceAll(',', '')))
      expect(students).toEqual(students.toSorted((a, b) => b - a))
      expect(students[0]).toBeGreaterThan(999)
    })

    await test.step('a saved view includes the display options', async () => {
      await visit(page, '/locations?show=table&sort=-city')
      await expect(rows(page).first()).toBeVisible()
      const cities = await textsOf(page, 'City')
      const name = `Reverse order ${Math.random().toString(36).slice(2, 8)}`
      await page.getByRole('button', { name: 'Views', exact: true }).click()
      await page.getByRole('button', { name: 'Save this view…' }).click()
      await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Save view' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect((await sendCall(context, listViews)).find((view) => view.name === name)?.search).toBe('show=table&sort=-city')

      await visit(page, '/locations?show=cards&sort=name')
      await expect(page.locator('main li[aria-setsize]').first()).toBeVisible()
      await page.getByRole('button', { name: 'Views', exact: true }).click()
      await page.getByRole('dialog', { name: 'Views', exact: true }).getByRole('link', { name }).click()
      await expect(rows(page).first()).toBeVisible()
      expect(parameters(page)).toEqual({ show: 'table', sort: '-city' })
      expect(await textsOf(page, 'City')).toEqual(cities)
    })
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

  test('copies exactly what is shown', { tag: '@all' }, async ({ page, context }) => {
    await test.step('copies the addresses or the phone numbers of exactly what is shown, each once', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const sites = (await sendCall(context, listSiteSummaries)).filter(({ status, region }) => isClosed(status) && region?.slug === 'ohio')
      await visit(page, '/locations?status=closed&region=ohio')
      const phones = new Set(sites.flatMap(({ address: { phone } }) => (phone ? [formatPhone(phone)] : [])))
      expect(new Set((await copy(page, /^Copy \d+ phone numbers?$/)).split('\n'))).toEqual(phones)
      const addresses = (await copy(page, /^Copy \d+ address/)).split('\n')
      expect(addresses.length).toBe(new Set(addresses).size)
      for (const { address } of sites)
        expect(addresses.some((line) => line.includes(`${address.address_1}`) && line.includes(`${address.zip}`))).toBe(true)
      await expect(page.locator('main').getByRole('status')).toHaveText(new RegExp(`^${sites.length} of`))
    })

    await test.step('copies people’s email addresses', async () => {
      const people = await sendCall(context, listPeopleOfGroup, { group: 'LEADERSHIP' })
      const principals = people.filter(({ roles }) => roles.some(({ name }) => name === 'Principal'))
      await visit(page, '/leadership?role=Principal')
      const mails = (await copy(page, /^Copy \d+ email addresses$/)).split('\n')
      expect(new Set(mails)).toEqual(new Set(principals.flatMap(({ email }) => (email ? [email] : []))))
    })
  })
})

test('a table prints with all its columns', { tag: '@all' }, async ({ page }) => {
  for (const address of ['/locations?show=table&status=closed', '/charters?show=table', '/region/ohio?show=table']) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await visit(page, address)
    await expect(rows(page).first()).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    // The printable width of a letter-size sheet.
    await page.setViewportSize({ width: 740, height: 900 })
    const last = page.locator('main thead th').last()
    await expect.poll(async () => ((await last.boundingBox())?.x ?? Infinity) + ((await last.boundingBox())?.width ?? 0)).toBeLessThan(741)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(740)
    await page.emulateMedia({ media: 'screen' })
  }
})
