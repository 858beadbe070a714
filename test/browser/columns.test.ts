import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { listSiteSummaries } from '../../src/records/sites/contract.ts'
import { readWorkbook } from '../support/workbooks.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { sendCall } from './records.ts'
import { listSmallTargets } from './small-targets.ts'

const panel = (page: Page) => page.getByRole('dialog', { name: /column options$/ })
const choose = async (page: Page, column: string, entry: string): Promise<void> => {
  await page.getByRole('button', { name: `${column} column options`, exact: true }).click()
  await panel(page).getByRole('button', { name: entry, exact: true }).click()
}
const rows = (page: Page) => page.locator('main tbody tr[data-place]')
const head = (page: Page, column: string) => page.getByRole('columnheader', { name: column, exact: true })
const widthOf = async (page: Page, column: string): Promise<number> => (await head(page, column).boundingBox())?.width ?? 0
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
/** The first texts of the rows of a file that a click downloads. */
const download = async (page: Page, click: () => Promise<void>, column: string): Promise<unknown[]> => {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  const [sheet] = await readWorkbook(await readFile(await file.path()))
  return sheet?.rows.map((row) => row[column]) ?? []
}

test.describe('a table of level 1', () => {
  test.use({ level: 1 })

  test('is filtered, grouped and resized by its columns, and its files have what it shows', async ({ page, context }) => {
    const sites = await sendCall(context, listSiteSummaries)
    const inLodi = sites.filter(({ address: { city, phone } }) => city === 'Lodi' && phone !== null)
    expect(inLodi.length).toBeGreaterThan(1)
    await visit(page, '/locations?show=table')
    await expect(rows(page).first()).toBeVisible()

    await test.step('filtered by values and by what is not empty', async () => {
      await choose(page, 'City', 'Filter…')
      await page.keyboard.type('lodi')
      await panel(page)
        .getByRole('checkbox', { name: /^Lodi, CA \d+$/ })
        .check()
      await page.keyboard.press('Escape')
      await choose(page, 'Phone', 'Filter…')
      await panel(page)
        .getByRole('checkbox', { name: /^Not empty \d+$/ })
        .check()
      await page.keyboard.press('Escape')
      await expect(page.locator('main').getByRole('status').first()).toHaveText(`${inLodi.length} of ${sites.length} match`)
      expect(parameters(page)).toEqual({ show: 'table', where: 'city:Lodi, CA;phone!' })
    })

    await test.step('grouped, with rows in the order of the groups', async () => {
      await choose(page, 'Status', 'Group by this column')
      await expect(rows(page)).toHaveCount(inLodi.length)
      const headings = page.locator('main tbody button[aria-expanded]')
      await expect(headings.first()).toBeVisible()
      await expectAccessible(page)
      const count = Number(/\d+$/.exec((await headings.first().textContent()) ?? '')?.[0])
      await headings.first().click()
      await expect(rows(page)).toHaveCount(inLodi.length - count)
      await headings.first().click()
      await expect(rows(page)).toHaveCount(inLodi.length)
    })

    const names = await page.getByRole('rowheader').allTextContents()
    await test.step('the download and the sheet to edit have the same rows in the same order', async () => {
      await page.getByRole('button', { name: 'Download list', exact: true }).click()
      const workbook = page.getByRole('button', { name: 'Excel workbook (.xlsx)', exact: true })
      expect(await download(page, () => workbook.click(), 'Name')).toEqual(names)
      await page.getByRole('button', { name: 'Edit in Excel', exact: true }).click()
      const sheet = page.getByRole('button', { name: new RegExp(`^These ${inLodi.length} sites`) })
      expect(await download(page, () => sheet.click(), 'Display name')).toEqual(names)
    })

    await test.step('the address shows the same to others, and the selection is of these rows', async () => {
      await page.reload()
      await expect(rows(page)).toHaveCount(inLodi.length)
      expect(await page.getByRole('rowheader').allTextContents()).toEqual(names)
      await page.getByRole('checkbox', { name: `Select all ${inLodi.length} rows`, exact: true }).check()
      await expect(page.getByText(`${inLodi.length} selected`, { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
    })

    await test.step('a width is dragged, and is remembered', async () => {
      const before = await widthOf(page, 'City')
      const box = await page.getByRole('separator', { name: 'Width of City', exact: true }).boundingBox()
      const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 10]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x - 20, y, { steps: 4 })
      await page.mouse.move(x - 40, y)
      await page.mouse.up()
      expect(await widthOf(page, 'City')).toBeCloseTo(before - 40, 0)
      await page.reload()
      await expect.poll(() => widthOf(page, 'City')).toBeCloseTo(before - 40, 0)
    })
  })
})

test.describe('on a phone', () => {
  test.use({ level: 10, viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the menu of a column works by touch, and the page does not scroll sideways', async ({ page }) => {
    await visit(page, '/charters?show=table&status=all')
    await expect(rows(page).first()).toBeVisible()
    expect(await listSmallTargets(page.locator('main thead tr')), 'targets that are not high enough').toEqual([])
    await page.getByRole('button', { name: 'Name column options', exact: true }).tap()
    await panel(page).getByRole('button', { name: 'Filter…', exact: true }).tap()
    await panel(page)
      .getByRole('checkbox', { name: /^Not empty \d+$/ })
      .tap()
    await expect.poll(() => parameters(page)['where']).toBe('name!')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Name: Not empty', exact: true }).tap()
    await expect.poll(() => parameters(page)['where']).toBeUndefined()
  })
})
