import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { readWorkbook } from '../support/workbooks.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'

test.use({ level: 10 })

test('a list is downloaded as shown: filtered, sorted, with all columns of its table', async ({ page }) => {
  await visit(page, '/charters?sort=-name&show=table')
  const table = page.getByRole('table', { name: 'Charters', exact: true })
  await expect(table).toBeVisible()
  const count = Number(await table.getAttribute('aria-rowcount')) - 1
  const first = await table.getByRole('rowheader').first().textContent()
  for (const [label, ending] of [
    ['Excel workbook (.xlsx)', 'xlsx'],
    ['CSV (.csv)', 'csv'],
  ] as const) {
    await page.getByRole('button', { name: 'Download list', exact: true }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: label }).click()])
    expect(file.suggestedFilename()).toMatch(new RegExp(`^Charters - .*\\.${ending}$`))
    const bytes = await readFile(await file.path())
    if (ending === 'csv') {
      const lines = bytes.toString('utf8').trimEnd().split('\r\n')
      expect(lines).toHaveLength(count + 1)
      expect(lines[0]).toContain('Charter number')
    } else {
      const [sheet] = await readWorkbook(bytes)
      expect(sheet?.rows).toHaveLength(count)
      expect(sheet?.rows[0]?.['Name']).toBe(first)
    }
  }
})

/** The names in the downloaded file, in order. */
const namesInFile = async (page: Page): Promise<unknown[]> => {
  await page.getByRole('button', { name: 'Download list', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Excel workbook (.xlsx)', exact: true }).click(),
  ])
  const [sheet] = await readWorkbook(await readFile(await file.path()))
  return sheet?.rows.map((row) => Object.values(row)[0]) ?? []
}

for (const address of [
  '/locations?status=closed&sort=-name&show=table',
  '/locations?q=an&region=ohio&sort=city&show=table',
  '/leadership?role=Principal&region=california&q=a&sort=-site&show=table',
  '/region/texas?status=all&sort=charter&show=table',
  '/brand?status=all&sort=charters&show=table',
])
  test(`the file contains what ${address} shows, in the same order`, async ({ page }) => {
    await visit(page, address)
    const names = page.getByRole('table').getByRole('rowheader')
    await expect(names.first()).toBeVisible()
    const count = Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1
    const seen = await names.allTextContents()
    const written = await namesInFile(page)
    expect(written).toHaveLength(count)
    // A long table renders only the rows near the viewport.
    expect(written.slice(0, seen.length)).toEqual(seen)
  })
