import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { withAllDrawn } from './draw-all.ts'
import { expect } from './fixtures.ts'

const COLOR_SCHEMES = [
  { width: 1440, colorScheme: 'light' },
  { width: 820, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const
const OPEN_DIALOG = '[aria-modal="true"]'
const isEveryScheme = process.env['BROWSER_TESTS'] === 'all'

/**
 * Expects that axe finds nothing on the page, and that nothing overflows sideways. `npm run test:all` also checks wide and narrow, light and dark;
 * with `resize: false` only the current width, for content that closes when the window is resized.
 */
export const expectAccessible = async (page: Page, { resize = true } = {}): Promise<void> => {
  const size = page.viewportSize()
  if (!isEveryScheme) return expectNoViolations(page, 'as it stands')
  for (const { width, colorScheme } of COLOR_SCHEMES) {
    if (resize) await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page, `${resize ? width : size?.width} wide, ${colorScheme}`)
  }
  if (resize && size) await page.setViewportSize(size)
}

const expectNoViolations = async (page: Page, scheme: string): Promise<void> => {
  // The page has no frames, so axe needs no second page to collect results; only violations are requested.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  // Content under the overlay of an open dialog is dimmed and cannot be used until the dialog is closed.
  if (await page.locator(OPEN_DIALOG).first().isVisible()) axe.include(OPEN_DIALOG)
  const { violations } = await withAllDrawn(page, () => axe.analyze())
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
  expect(found, `axe finds nothing, ${scheme}`).toEqual([])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide, `nothing overflows at the side, ${scheme}`).toBe(0)
}
