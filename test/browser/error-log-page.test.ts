import type { Page } from '@playwright/test'

import { logError } from '../../src/features/operations/error-log/contract.ts'
import { expectAccessible } from './accessibility.ts'
import { baseUrl, expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'

const report = async (page: Page, body: object): Promise<void> => {
  const response = await page.request.post(baseUrl() + logError.path, { data: body })
  expect(response.status()).toBe(204)
}
const errors = (page: Page) => page.getByRole('list', { name: 'Errors', exact: true })

test.describe('level 1', () => {
  test.use({ level: 1 })

  test('finds an error, reads its latest report, and dismisses it until it happens again', async ({ page }) => {
    const word = `Trouble${Date.now().toString(36).replaceAll(/\d/g, 'q')}`
    const error = (n: number) => ({
      errorName: 'TypeError',
      errorMessage: `${word} in row ${n}`,
      errorLocation: `/location/site-${n}`,
      stackTrace: `TypeError: ${word}\n    at row ${n}`,
      requestData: JSON.stringify({ method: 'GET', headers: { authorization: 'Bearer abcdefghijkl' } }),
    })
    for (const n of [1, 2, 3]) await report(page, error(n))
    await visit(page, '/')
    await page.locator('#menu').getByRole('button', { name: 'Management', exact: true }).click()
    await page.locator('#menu').getByRole('link', { name: 'Error Log', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Error Log', exact: true })).toBeVisible()
    await page.getByRole('textbox', { name: 'Search by message, name or location', exact: true }).fill(word)
    await expect(errors(page).getByRole('listitem')).toHaveCount(1)
    await expect(errors(page)).toContainText('3 times')
    await expectAccessible(page)

    await errors(page)
      .getByRole('button', { name: `${word} in row 3`, exact: true })
      .press('Enter')
    await expect(page).toHaveURL(/open=[0-9a-f]{16}/)
    await expect(errors(page).getByRole('region', { name: 'Stack', exact: true })).toContainText('at row 3')
    await expect(errors(page).getByRole('region', { name: 'Request', exact: true })).toContainText('[secret]')
    await expect(errors(page)).not.toContainText('abcdefghijkl')
    await expectAccessible(page)
    await errors(page).getByRole('button', { name: 'Older', exact: true }).click()
    await expect(errors(page).getByRole('region', { name: 'Stack', exact: true })).toContainText('at row 2')

    await errors(page).getByRole('button', { name: 'Dismiss Until It Happens Again', exact: true }).click()
    await expect(errors(page)).toContainText('Dismissed')
    await errors(page)
      .getByRole('button', { name: `${word} in row 3`, exact: true })
      .click()
    await expect(page.getByRole('heading', { name: 'No errors to display', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Include dismissed', exact: true }).click()
    await expect(errors(page).getByRole('listitem')).toHaveCount(1)
    await page.getByRole('button', { name: 'Include dismissed', exact: true }).click()
    await report(page, error(4))
    await page.reload()
    await expect(errors(page)).toContainText(`${word} in row 4`)
  })

  test('sees how often each page is viewed', { tag: '@all' }, async ({ page }) => {
    await visit(page, '/regions')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await visit(page, '/usage')
    await expect(page.getByRole('img', { name: /^All pages: [\d,]+ views from / })).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Page', { exact: true }).selectOption('Regions & States')
    await expect(page.getByRole('img', { name: /^Regions & States: [\d,]+ views? / })).toBeVisible()
    await page.getByText('Show as a table').click()
    await expect(page.getByRole('table', { name: 'Regions & States by day', exact: true }).getByRole('row')).toHaveCount(31)
    await page.getByRole('button', { name: '7 days', exact: true }).click()
    await expect(page.getByRole('table', { name: 'Regions & States by day', exact: true }).getByRole('row')).toHaveCount(8)
    await expect(page).toHaveURL(/days=7/)
    await page.getByRole('link', { name: 'searches without results', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Searches Without Results', exact: true })).toBeVisible()
  })
})

test.describe('an administrator', () => {
  test.use({ level: 5 })

  test('is sent home from both pages', { tag: '@all' }, async ({ page }) => {
    for (const path of ['/errors', '/usage']) {
      await visit(page, path)
      await expect(page).toHaveURL(/\/$/)
    }
    await expect(page.locator('#menu').getByRole('link', { name: 'Usage', exact: true })).toHaveCount(0)
  })
})
