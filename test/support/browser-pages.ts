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
