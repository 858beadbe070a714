import type { Page } from '@playwright/test'

/** Signs in like a user: the button of the login page, the provider's form, and back. */
export const signInWithForm = async (page: Page, address: string, url = ''): Promise<void> => {
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'Login Using O365', exact: true }).click()
  await page.locator('input[name=login]').fill(address)
  await page.locator('input[name=login]').press('Enter')
  await page.getByText('Welcome, ').waitFor()
}

/** How many milliseconds a page has worked so far: of script, or altogether. */
export type PageTimer = (metric: 'ScriptDuration' | 'TaskDuration') => Promise<number>

/** Returns a function that reads a page's working time, as Chromium counts it. */
export const openPageTimer = async (page: Page): Promise<PageTimer> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return async (metric) => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === metric)?.value ?? 0) * 1000
  }
}

/** How long nothing may be loaded until a page counts as loaded. */
const QUIET_MS = 500

/** Waits until the page loads nothing more. The network is never idle, because the stream of changes does not end. */
export const waitUntilLoaded = async (page: Page): Promise<void> => {
  await page.waitForLoadState('load')
  await page.evaluate(async (quietMs) => {
    const count = () => performance.getEntriesByType('resource').length
    for (let before = -1; count() !== before; await new Promise((resolve) => setTimeout(resolve, quietMs))) before = count()
  }, QUIET_MS)
}
