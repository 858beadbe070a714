import { waitUntilLoaded } from '../support/browser-pages.ts'
import { expect, test } from './fixtures.ts'
import { listSmallTargets } from './small-targets.ts'

test.describe('on a phone', () => {
  test.use({ level: 1, viewport: { width: 390, height: 844 } })

  for (const address of ['/audit', '/webhooks', '/settings', '/planned', '/reorganize'])
    test(`${address} has large touch targets`, { tag: '@all' }, async ({ page }) => {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await waitUntilLoaded(page)
      const row = page.getByRole('listitem').getByRole('button', { expanded: false }).first()
      if (address === '/audit') {
        await row.click()
        await expect(page.getByRole('button', { name: 'Only this person', exact: true })).toBeVisible()
      }
      expect(await listSmallTargets(page.locator('main')), 'targets that are not high enough').toEqual([])
    })
})
