import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'

test.use({ level: 10 })

const nextReport = async (page: Page): Promise<Record<string, unknown>> =>
  (await page.waitForRequest((request) => request.url().endsWith('/log-error'))).postDataJSON() as Record<string, unknown>

test('an uncaught error is reported with its location and its stack', async ({ page, pageErrors }) => {
  pageErrors.expect(/uncaught: Error: broken on purpose/)
  await page.goto('/')
  await expect(page.getByText('Welcome, ')).toBeVisible()
  const reported = nextReport(page)
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose')
    })
  })
  expect(await reported).toMatchObject({ context: 'window error', errorMessage: 'broken on purpose', errorName: 'Error' })
  expect((await reported)['stackTrace']).toContain('broken on purpose')
  expect(Date.parse(String((await reported)['timestamp']))).toBeGreaterThan(0)
})

test('an unhandled rejection is reported', async ({ page, pageErrors }) => {
  pageErrors.expect(/refused on purpose/)
  await page.goto('/')
  await expect(page.getByText('Welcome, ')).toBeVisible()
  const reported = nextReport(page)
  await page.evaluate(() => {
    setTimeout(() => void Promise.reject(new Error('refused on purpose')))
  })
  expect(await reported).toMatchObject({ context: 'unhandled rejection', errorMessage: 'refused on purpose' })
})

test('a failed response is reported with its request and response', async ({ page, pageErrors }) => {
  pageErrors.expect(/404/)
  pageErrors.expect(/regionbyslug.* failed/)
  const reported = nextReport(page)
  await page.goto('/region/atlantis')
  const report = await reported
  expect(report).toMatchObject({
    context: 'response interceptor',
    errorName: 'Problem',
    errorLocation: '/locations-api/regionbyslug/atlantis',
  })
  expect(JSON.parse(String(report['requestData']))).toMatchObject({ method: 'GET', url: '/locations-api/regionbyslug/atlantis' })
  expect(JSON.parse(String(report['responseData']))).toMatchObject({ status: 404 })
})

test('a report that cannot be sent is logged in the console once, without a loop', async ({ page, pageErrors }) => {
  pageErrors.expect(/log-error/)
  pageErrors.expect(/uncaught: Error: broken on purpose/)
  pageErrors.expect(/Failed to send error log to server:/)
  let posted = 0
  await page.route('**/log-error', (route) => {
    posted++
    return route.abort()
  })
  await page.goto('/')
  await expect(page.getByText('Welcome, ')).toBeVisible()
  const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to send error log to server:'))
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose')
    })
  })
  await logged
  await page.goto('/regions')
  await expect(page.getByRole('heading', { level: 1, name: 'Regions & States', exact: true })).toBeVisible()
  expect(posted, 'the failed report is not reported itself').toBe(1)
})

test('each page is counted under the pattern of its path', async ({ page }) => {
  const counted: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/page-views')) counted.push((request.postDataJSON() as { page: string }).page)
  })
  await page.goto('/regions?q=cal')
  await page.getByRole('list', { name: 'Regions' }).getByRole('link', { name: 'California' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'California' })).toBeVisible()
  await expect.poll(() => counted).toEqual(['/regions', '/region/{id}'])
  await page.getByRole('textbox', { name: /^Search/ }).fill('e')
  await expect(page).toHaveURL(/q=e/)
  expect(counted).toHaveLength(2)
})

test('a page view that cannot be sent has no effect', async ({ page, pageErrors }) => {
  pageErrors.expect(/page-views/)
  let reports = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/log-error')) reports++
  })
  await page.route('**/api/page-views', (route) => route.abort('blockedbyclient'))
  await page.goto('/regions')
  await expect(page.locator('main').getByRole('status')).toHaveText(/all/)
  expect(reports).toBe(0)
})
