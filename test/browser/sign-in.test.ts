import { expect, signIn, test } from './fixtures.ts'

test.describe('someone who is not signed in', () => {
  test('is sent to the login page', async ({ page }) => {
    await page.goto('/charters')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
  })

  for (const account of ['super', 'affairs', 'manager', 'staff']) {
    test(`signs in as ${account}@sample.test with the provider's button`, async ({ page }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Login Using O365' }).click()
      await page.getByRole('button', { name: `${account}@sample.test` }).click()
      await expect(page.getByText('Welcome, ')).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    })
  }

  test('returns to the requested page', async ({ page }) => {
    await page.goto('/regions')
    await page.getByRole('button', { name: 'Login Using O365' }).click()
    await page.locator('input[name=login]').fill('level9@sample.test')
    await page.locator('input[name=login]').press('Enter')
    await expect(page).toHaveURL(/\/regions$/)
  })

  test('leaves no ticket in the URL or in the history', async ({ page, pageErrors }) => {
    await signIn(page, 'level10@sample.test')
    expect(page.url()).not.toContain('auth=')
    pageErrors.expect(/400 \(Bad Request\).*local-provider/) // going back leads to the provider, whose form was already submitted
    await page.goBack()
    expect(page.url()).not.toMatch(/auth=[0-9a-f]/)
  })
})

test.describe('someone signed in', () => {
  test.use({ level: 10 })

  test('does not see the login page again', { tag: '@all' }, async ({ page }) => {
    await page.goto('/login')
    await expect(page).toHaveURL(/\/$/)
  })

  test('cannot use a token without its cookie', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/401 \(Unauthorized\)/)
    await page.goto('/')
    await expect(page.getByText('Welcome, ')).toBeVisible()
    await context.clearCookies()
    await page.goto('/regions')
    await expect(page).toHaveURL(/\/login$/)
  })
})
