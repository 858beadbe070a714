import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expect } from './fixtures.ts'

const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 820, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const

/** axe finds nothing on the page as it stands, wide and narrow, light and dark, and nothing sticks out at the side. The window is then as wide as before. */
export const expectAccessible = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // One page without frames: axe needs no second page to gather its results in, and nothing but violations is asked for.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .analyze()
    const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
    expect(found, `${width} ${colorScheme}`).toEqual([])
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(tooWide, `sticks out at ${width}`).toBe(0)
  }
  if (size) await page.setViewportSize(size)
}
