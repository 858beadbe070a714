import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'

// What a finger has to meet on a phone is at least 44 pixels high (WCAG 2.5.5). Links within a sentence are exempt.

const MIN_HEIGHT = 44

/** What is lower than a finger needs: its text and its height. A box that the whole row fills, and the label of a filter around its select, count as they are pressed. */
const listSmallTargets = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate(
    (main, least) =>
      [...main.querySelectorAll<HTMLElement>('button, a, input, select, summary')].flatMap((target) => {
        const isCovered = getComputedStyle(target, '::after').position === 'absolute'
        const inSentence = target.tagName === 'A' && target.parentElement?.tagName === 'P' && getComputedStyle(target).display === 'inline'
        const box = target.tagName === 'SELECT' ? (target.closest('label') ?? target.parentElement ?? target) : target
        const { width, height } = box.getBoundingClientRect()
        if (width === 0 || isCovered || inSentence || height > least - 1) return []
        return [`${target.tagName} "${(target.textContent || target.getAttribute('aria-label') || target.id).slice(0, 60)}": ${height}`]
      }),
    MIN_HEIGHT,
  )

test.describe('on a phone', () => {
  test.use({ level: 1, viewport: { width: 390, height: 844 } })

  for (const address of ['/audit', '/webhooks', '/settings', '/planned', '/reorganize'])
    test(`${address} has targets for a finger`, async ({ page }) => {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      const row = page.getByRole('listitem').getByRole('button', { expanded: false }).first()
      if (address === '/audit') {
        await row.click()
        await expect(page.getByRole('button', { name: 'Only this person', exact: true })).toBeVisible()
      }
      expect(await listSmallTargets(page), 'targets that are too low').toEqual([])
    })
})
