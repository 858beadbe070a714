import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expect } from './fixtures.ts'

const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 820, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const
const isEveryLook = process.env['BROWSER_TESTS'] === 'all'

/** axe finds nothing on the page as it stands, and nothing sticks out at the side. `npm run test:all` also looks at it wide and narrow, light and dark. */
export const expectAccessible = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  if (!isEveryLook) return expectNoViolations(page, 'as it stands')
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectNoViolations(page, `${width} wide, ${colorScheme}`)
  }
  if (size) await page.setViewportSize(size)
}

const expectNoViolations = async (page: Page, look: string): Promise<void> => {
  // One page without frames: axe needs no second page to gather its results in, and nothing but violations is asked for.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
  expect(found, `axe finds nothing, ${look}`).toEqual([])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide, `nothing sticks out at the side, ${look}`).toBe(0)
}
