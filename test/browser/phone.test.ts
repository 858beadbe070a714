import type { Page } from '@playwright/test'

import { formatPhone } from '../../src/contract/phones.ts'
import { listPeopleOfGroup } from '../../src/records/people/contract.ts'
import { listRegions } from '../../src/records/regions/contract.ts'
import { waitUntilLoaded } from '../support/browser-pages.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

/** The buttons whose label is not in their middle, with the distance in pixels. */
const listOffCenter = (page: Page): Promise<string[]> =>
  page.locator('.mantine-Button-root').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const box = button.getBoundingClientRect()
      const label = button.querySelector('.mantine-Button-label')?.getBoundingClientRect()
      if (!label || box.height === 0) return []
      const distance = (label.top + label.bottom - box.top - box.bottom) / 2
      return Math.abs(distance) > 1 ? [`${location.pathname}: ${button.textContent}, ${distance} px`] : []
    }),
  )

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the label of every button is in its middle, also of a button that is a link', async ({ page }) => {
    const found: string[] = []
    for (const address of ['/', '/requests', '/locations?q=nothing+is+called+this', '/downloads', '/account', '/nowhere']) {
      await visit(page, address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await waitUntilLoaded(page)
      found.push(...(await listOffCenter(page)))
    }
    expect(found).toEqual([])
  })

  test('the first record of every list is in the first third of the screen', async ({ page }) => {
    for (const address of ['/locations', '/charters', '/brand', '/regions', '/leadership', '/support'])
      await test.step(address, async () => {
        await visit(page, address)
        const first = page.getByRole('main').getByRole('article').first()
        await expect(first).toBeVisible()
        await expect.poll(async () => (await first.boundingBox())?.y, 'the top of the first card').toBeLessThan(844 / 3)
      })
  })

  test('all tools of a list are in one menu, with their names', async ({ page }) => {
    await visit(page, '/leadership')
    await expect(page.getByRole('group', { name: 'List tools', exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Tools', exact: true }).click()
    const tools = page.getByRole('group', { name: 'List tools', exact: true })
    for (const text of ['Copy', 'Download list', 'Print call list', 'Views', 'Cards', 'Table'])
      await expect(tools.getByText(text, { exact: true })).toBeVisible()
    await expect(tools.getByRole('combobox', { name: 'Sort', exact: true })).toBeVisible()
  })

  test('a hit shows the number that was typed, and all of its role and site', async ({ page, context }) => {
    const people = await sendCall(context, listPeopleOfGroup, { group: 'LEADERSHIP' })
    const { name, phone } = findRecord(
      people,
      'person with a site and a phone number of their own',
      (one) => one.sites.length === 1 && one.phone !== null && people.filter((other) => other.phone === one.phone).length === 1,
    )
    await visit(page, '/')
    // The shortcuts work once the page is rendered.
    await expect(page.getByRole('banner').getByRole('button', { name: 'Search everything', exact: true })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill((phone ?? '').slice(4).replace(/\D/g, ''))
    const row = page.getByRole('row').filter({ hasText: name }).first()
    await expect(row.getByText(formatPhone(phone ?? '')).filter({ visible: true })).toHaveCount(1)
    const cut = await page
      .getByRole('dialog')
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.flatMap((one) =>
          [...one.querySelectorAll('span')].filter((span) => span.scrollWidth > span.clientWidth + 1).map((span) => span.textContent),
        ),
      )
    expect(cut, 'texts that are cut off').toEqual([])
  })
})

/** The text that is visible in print. */
const readPaper = async (page: Page): Promise<string> => {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  const text = await page.locator('body').innerText()
  await page.emulateMedia({ media: null })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  return text
}

test('a call list of the principals in Ohio is printed with three clicks, with every email address', async ({ page, context }) => {
  const people = await sendCall(context, listPeopleOfGroup, { group: 'LEADERSHIP' })
  const regions = await sendCall(context, listRegions)
  const sites = new Set(findRecord(regions, 'Ohio', ({ name }) => name === 'Ohio').sites.map(({ _id }) => _id))
  const principals = people.filter(({ locations }) => locations.some(({ role, site }) => role.name === 'Principal' && sites.has(site._id)))
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.goto('/leadership')
  let clicks = 0
  const choose = async (name: string, choice: string) => {
    clicks += 1
    await page.getByRole('combobox', { name, exact: true }).selectOption(choice)
  }
  await choose('Role', 'Principal')
  await choose('Region', 'Ohio')
  await expect(page.getByRole('status').filter({ hasText: `${principals.length} of` })).toBeVisible()
  clicks += 1
  await page.getByRole('button', { name: 'Print call list', exact: true }).click()
  expect(clicks).toBe(3)
  await expect(page.locator('html')).toHaveAttribute('data-printed', '')
  const paper = await readPaper(page)
  expect(paper).toContain('Leadership: Call list')
  expect(paper).toContain(`${principals.length} people with the role Principal and in Ohio`)
  for (const { name, email } of principals) {
    expect(paper).toContain(name)
    expect(paper).toContain(email ?? '')
  }
  expect(paper).not.toContain('Welcome, ')
})
