import { waitUntilLoaded } from '../support/browser-pages.ts'
import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'

test('axe finds nothing on the login page and its error window', async ({ page }) => {
  const button = page.getByRole('button', { name: 'Login Using O365', exact: true, includeHidden: true })
  await page.goto('/login')
  await expect(button).toBeVisible()
  await expectAccessible(page)
  await page.goto('/login?auth=fail')
  await expect(button).toBeVisible()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
})

test.describe('signed in', () => {
  test.use({ level: 10 })

  // Pages with a map are checked with their maps, in map.test.ts.
  test('axe finds nothing on the pages that everyone opens', async ({ page }) => {
    test.slow()
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await waitUntilLoaded(page)
    await expectAccessible(page)
    for (const [address, shown] of [
      ['/charters', 'main tbody tr[aria-rowindex]'],
      ['/brand', 'main li[aria-setsize]'],
      ['/locations', 'main li[aria-setsize]'],
      ['/locations?type=Online', 'main li[aria-setsize]'],
      ['/locations?status=closed&q=nothing+has+this+name', 'main h2:has-text("No locations to display")'],
      ['/leadership', 'main li[aria-setsize]'],
      ['/support?role=Registrar', 'main li[aria-setsize]'],
      ['/404', 'main h1'],
    ] as const)
      await test.step(address, async () => {
        await visit(page, address)
        await expect(page.locator(shown).first()).toBeVisible()
        await expectAccessible(page)
      })
  })

  test('axe finds nothing on the support window and the open menu of a phone', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Support', exact: true }).click()
    const window = page.getByRole('dialog', { name: 'IS Support Request', exact: true })
    await expect(window).toBeVisible()
    await page.getByRole('button', { name: 'Send Request', exact: true }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(window).toHaveCount(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Open menu', exact: true }).click()
    await expect(page.locator('#menu')).toBeVisible()
    await expectAccessible(page)
  })
})
