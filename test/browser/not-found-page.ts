import type { Page } from '@playwright/test'

import { expect } from './fixtures.ts'

interface Leaving {
  noticed?: number
  left?: number
}

/**
 * Opens a URL that leads to the not-found page, and returns for how many milliseconds the notice was shown first. The page itself records the
 * times, since on a busy machine the test may check too late.
 */
export const timeBeforeNotFound = async (page: Page, path: string, notice: string): Promise<number> => {
  await page.addInitScript((words) => {
    const leaving: Leaving = {}
    Object.assign(window, { leaving })
    new MutationObserver(() => {
      if (document.body?.textContent.includes(words)) leaving.noticed ??= performance.now()
      if (location.pathname === '/404') leaving.left ??= performance.now()
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, notice)
  await page.goto(path)
  await expect(page).toHaveURL(/\/404$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Page could not be found' })).toBeVisible()
  const { noticed = Number.NaN, left = Number.NaN } = await page.evaluate(() => (window as unknown as { leaving: Leaving }).leaving)
  return left - noticed
}
