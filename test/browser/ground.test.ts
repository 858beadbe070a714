import { expectAccessible } from './accessibility.ts'
import { expect, test } from './fixtures.ts'

test.describe('axe finds nothing', () => {
  for (const [what, address] of [
    ['the login page', '/login'],
    ['the login error window', '/login?auth=fail'],
  ] as const)
    test(`on ${what}`, async ({ page }) => {
      await page.goto(address)
      await expect(page.getByRole('button', { name: 'Login Using O365', exact: true, includeHidden: true })).toBeVisible()
      if (address.includes('fail')) await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
    })

  test.describe('signed in', () => {
    test.use({ level: 10 })

    for (const address of [
      '/',
      '/regions',
      '/region/california',
      '/charters',
      '/brand',
      '/locations',
      '/locations?type=Online',
      '/locations?status=closed&q=nothing+has+this+name',
      '/leadership',
      '/support?role=Registrar',
      '/404',
    ])
      test(`on ${address}`, async ({ page }) => {
        await page.goto(address)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        await expectAccessible(page)
      })

    test('on the open menu of a phone', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto('/')
      await page.getByRole('button', { name: 'Open menu', exact: true }).click()
      await expect(page.locator('#menu')).toBeVisible()
      await expectAccessible(page)
    })

    test('on the support window', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Support', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'IS Support Request', exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Send Request', exact: true }).click()
      await expectAccessible(page)
    })
  })
})
