import { readFile } from 'node:fs/promises'

import type { Page } from '@playwright/test'

import { listSiteSummaries } from '../../src/records/sites/contract.ts'
import { readWorkbook } from '../support/workbooks.ts'
import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, signIn, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { sendCall } from './records.ts'

const main = (page: Page) => page.locator('main')
const kinds = (page: Page) => main(page).getByLabel('Export', { exact: true })
const button = (page: Page) => main(page).getByRole('button', { name: 'Download', exact: true })
const preview = (page: Page, name: string) => main(page).getByRole('region', { name: new RegExp(`^${name} - `) })

/** Presses Download and returns the file. */
const download = async (page: Page): Promise<{ name: string; bytes: Buffer }> => {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page).click()])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test.describe('level 7', () => {
  test.use({ level: 7 })

  test('chooses an export and gets the workbook, without Charter Affairs', async ({ page, context }) => {
    await test.step('chooses one of five exports before Download can be pressed', async () => {
      await visit(page, '/')
      await main(page)
        .getByRole('link', { name: /^Excel Downloads/ })
        .click()
      await expect(page.getByRole('heading', { level: 1, name: 'Excel Downloads', exact: true })).toBeVisible()
      await expect(page.getByRole('navigation').getByRole('link', { name: 'Excel Downloads', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await expect(button(page)).toBeDisabled()
      await expect(kinds(page).getByRole('option')).toHaveText([
        'Choose an export',
        'Facilities',
        'Finance',
        'Site Leadership',
        'Student Support',
        'Deadlines',
      ])
      await expect(main(page).getByText('Download History')).toHaveCount(0)
      await expectAccessible(page)
      await kinds(page).selectOption('Finance')
      await expect(button(page)).toBeEnabled()
      await expect(page).toHaveURL(/\?export=finance$/)
      await expect(preview(page, 'Finance')).toContainText('columns')
      await kinds(page).selectOption('')
      await expect(button(page)).toBeDisabled()
      await main(page)
        .getByRole('button', { name: /^Student Support/ })
        .click()
      await expect(kinds(page)).toHaveValue('student_support')
      await expect(button(page)).toBeEnabled()
    })

    await test.step('gets the workbook under its name, with a row for each site', async () => {
      const sites = await sendCall(context, listSiteSummaries)
      await visit(page, '/downloads?export=facilities')
      await expect(preview(page, 'Facilities')).toContainText(`${sites.length} rows, `)
      await preview(page, 'Facilities').getByText('All columns').click()
      await expect(preview(page, 'Facilities').getByRole('listitem').filter({ hasText: 'Lease open-ended' })).toBeVisible()
      await expectAccessible(page)
      const { name, bytes } = await download(page)
      // Chromium replaces the colon with an underscore.
      expect(name).toMatch(/^Facilities - \d\d-\d\d-\d{4}_\d\d_\d\d[AP]M\.xlsx$/)
      await expect(page.getByText(/^Facilities - .*M\.xlsx was downloaded\./)).toBeVisible()
      const [sheet] = await readWorkbook(bytes)
      expect(sheet?.rows.map((row) => row['Display name']).toSorted()).toEqual(sites.map((site) => site.displayName).toSorted())
    })

    await test.step('does not see Charter Affairs, and cannot request it by URL', async () => {
      await visit(page, '/downloads?export=charter_affairs')
      await expect(kinds(page)).toHaveValue('')
      await expect(button(page)).toBeDisabled()
      await expect(main(page).getByText('The Charter Affairs export is for administrators only.')).toBeVisible()
      await expect(main(page).getByRole('button', { name: /^Charter Affairs/ })).toHaveCount(0)
    })
  })

  test('sees the progress of a long download, and can stop it', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/downloads?export=site_leadership')
    // Never responds, since the download is stopped first.
    await page.route('**/api/exports/excel/**', () => {})
    await button(page).click()
    await expect(main(page).getByRole('progressbar', { name: 'Downloading Site Leadership', exact: true })).toBeVisible()
    await expect(button(page)).toBeDisabled()
    await expectAccessible(page)
    await main(page).getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(main(page).getByRole('progressbar')).toHaveCount(0)
    await expect(button(page)).toBeEnabled()
    await expect(main(page).getByRole('alert')).toHaveCount(0)
  })

  test('shows a lost connection, discards the partial file, and retries', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/net::ERR/)
    pageErrors.expect(/excel\/finance failed/)
    await visit(page, '/downloads?export=finance')
    await page.route('**/api/exports/excel/**', (route) => route.abort())
    let retained = 0
    page.on('download', () => retained++)
    await button(page).click()
    await expect(main(page).getByRole('alert')).toContainText('Finance could not be downloaded. The connection was lost.')
    expect(retained).toBe(0)
    await page.unroute('**/api/exports/excel/**')
    expect((await download(page)).name).toMatch(/^Finance - /)
    await expect(main(page).getByRole('alert')).toHaveCount(0)
  })
})

test.describe('an administrator', () => {
  test.use({ level: 6 })

  test('gets Charter Affairs with its three sheets', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/downloads')
    await kinds(page).selectOption('Charter Affairs')
    await expect(preview(page, 'Charter Affairs')).toContainText('3 sheets')
    const { name, bytes } = await download(page)
    expect(name).toMatch(/^Charter Affairs - /)
    const sheets = await readWorkbook(bytes)
    expect(sheets.map((sheet) => sheet.name)).toEqual(['Charter Affairs', 'Authorizer Board Members', 'Center District'])
    expect(sheets.every(({ rows }) => rows.length > 0)).toBe(true)
  })
})

test('level 1 sees who downloaded what', { tag: '@all' }, async ({ browser }) => {
  const context = await browser.newContext({ baseURL: baseUrl() })
  const page = await context.newPage()
  await signIn(page, 'super@sample.test')
  await visit(page, '/downloads?export=student_support')
  await download(page)
  const log = page.getByRole('table', { name: 'Download History', exact: true })
  await expect(log.getByRole('row').filter({ hasText: 'super@sample.test' }).first()).toContainText(/Student Support.*rows/)
  await expectAccessible(page)
  await context.close()
})
