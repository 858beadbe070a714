import { expect, signIn, test } from './fixtures.ts'
import { visit } from './navigation.ts'

const failure = 'Error: Something has gone wrong loging you in.'
const token = () => localStorage.getItem('token')

test.describe('a failed sign-in', () => {
  test('opens the login error window and clears the token of an ended session', async ({ page, pageErrors }) => {
    pageErrors.expect(/401/)
    for (const value of ['fail', 'login_failed'])
      await test.step(`with auth=${value}`, async () => {
        await page.goto('/login')
        await expect(page.getByRole('button', { name: 'Login Using O365', exact: true })).toBeVisible()
        await page.evaluate(() => localStorage.setItem('token', 'old'))
        await page.goto(`/login?auth=${value}`)
        await expect(page.getByRole('dialog').getByText(failure, { exact: true })).toBeVisible()
        await expect(page).toHaveURL(/\/login$/)
        expect(await page.evaluate(token)).toBeNull()
      })
  })

  test('with an unknown ticket opens the same window', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/401/)
    pageErrors.expect(/GET \/auth\/refresh failed/)
    await page.goto('/login?auth=0123456789abcdef')
    await expect(page.getByText(failure, { exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    expect(await page.evaluate(token)).toBeNull()
  })

  test('through a link does not end a valid session', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/401/)
    pageErrors.expect(/GET \/auth\/refresh failed/)
    await signIn(page, 'level10@sample.test')
    const before = await page.evaluate(token)
    for (const value of ['fail', 'x-fail-x', '0'.repeat(64), 'f'.repeat(64), 'garbage', ''])
      await test.step(`with auth=${value.slice(0, 9)}`, async () => {
        await page.goto(`/login?auth=${value}`)
        await expect(page.getByText('Welcome, ')).toBeVisible()
        expect(await page.evaluate(token)).toBe(before)
        await visit(page, '/regions')
        await expect(page.getByRole('heading', { level: 1, name: 'Regions & States', exact: true })).toBeVisible()
      })
  })

  test('links to the IS Support Request window, which works without a session', { tag: '@all' }, async ({ page }) => {
    await page.goto('/login?auth=fail')
    await page.getByRole('button', { name: 'Please contact Information Services', exact: true }).click()
    const window = page.getByRole('dialog', { name: 'IS Support Request', exact: true })
    await window.getByLabel('How can we help?').fill('I cannot sign in.')
    await window.getByRole('button', { name: 'Send Request', exact: true }).click()
    await expect(window.getByText('This field is required')).toHaveCount(2)
    await window.getByLabel('Your name').fill('Marisol Vance')
    await window.getByLabel('Your email').fill('nobody at all')
    await window.getByRole('button', { name: 'Send Request', exact: true }).click()
    await expect(window.getByText('Please provide a valid email address')).toBeVisible()
    await window.getByLabel('Your email').fill('marisol@sample.test')
    await window.getByRole('button', { name: 'Send Request', exact: true }).click()
    await expect(window.getByRole('status')).toHaveText(/^Your request was saved/)
  })
})

test.describe('a session that has ended', () => {
  test('leads to the login page and, after signing in, back to the page with its filters', async ({ page, context, pageErrors }) => {
    pageErrors.expect(/401/)
    await signIn(page, 'level10@sample.test')
    await page.locator('#menu').getByRole('link', { name: 'Brands', exact: true }).click()
    await expect(page.locator('main').getByRole('status')).toHaveText(/match|all/)
    await context.clearCookies({ name: /./ })
    await page.goto('/locations?status=closed&q=e')
    await expect(page).toHaveURL(/\/login$/)
    expect(await page.evaluate(token)).toBeNull()
    await page.getByRole('button', { name: 'Login Using O365', exact: true }).click()
    await page.locator('input[name=login]').fill('level10@sample.test')
    await page.locator('input[name=login]').press('Enter')
    await expect(page).toHaveURL(/\/locations\?status=closed&q=e$/)
    await expect(page.getByRole('button', { pressed: true })).toHaveText(['Closed'])
  })

  test('is noticed during work', { tag: '@all' }, async ({ page, context, pageErrors }) => {
    pageErrors.expect(/401/)
    await signIn(page, 'level10@sample.test')
    await context.clearCookies({ name: /./ })
    await page.locator('#menu').getByRole('link', { name: 'Resource Centers', exact: true }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('Welcome, ')).toHaveCount(0)
  })
})

test.describe('signing out', () => {
  test('ends the session in this browser and returns to the login page', async ({ page }) => {
    await signIn(page, 'level10@sample.test')
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
    // The provider may ask for confirmation, on its own page.
    const confirm = page.getByRole('button', { name: /sign out|yes/i })
    await expect(confirm.or(page.getByRole('button', { name: 'Login Using O365', exact: true }))).toBeVisible()
    if (await confirm.isVisible()) await confirm.click()
    await expect(page).toHaveURL(/\/login$/)
    expect(await page.evaluate(token)).toBeNull()
    await page.goto('/regions')
    await expect(page).toHaveURL(/\/login$/)
  })

  test('in one window ends the session in the others', { tag: '@all' }, async ({ page, context }) => {
    await signIn(page, 'level10@sample.test')
    const other = await context.newPage()
    await other.goto('/regions')
    await expect(other.getByText('Welcome, ')).toBeVisible()
    await other.evaluate(() => localStorage.removeItem('token'))
    await expect(page).toHaveURL(/\/login$/)
  })
})

test.describe('a failed request', () => {
  test.use({ level: 10 })

  test('without a connection offers Retry and stays', async ({ page, pageErrors }) => {
    pageErrors.expect(/brand/)
    await page.goto('/')
    await page.route('**/locations-api/brand', (route) => route.abort())
    await page.locator('#menu').getByRole('link', { name: 'Brands', exact: true }).click()
    await expect(page.getByText('The connection was lost. Check your network and try again.')).toBeVisible()
    await expect(page).toHaveURL(/\/brand$/)
    await page.unroute('**/locations-api/brand')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect(page.locator('main').getByRole('status')).toHaveText(/match|all/)
  })

  test('of the session offers Retry and stays', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/auth/)
    await page.route('**/auth', (route) => route.abort())
    await page.goto('/regions')
    await expect(page.getByRole('heading', { name: 'No connection', exact: true })).toBeVisible()
    await page.unroute('**/auth')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Regions & States', exact: true })).toBeVisible()
  })

  test('for a missing record leads to /404 after two seconds', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/404/)
    pageErrors.expect(/regionbyslug.* failed/)
    await page.goto('/region/atlantis')
    await expect(page.getByText('This region could not be found.')).toBeVisible()
    const seen = Date.now()
    await expect(page).toHaveURL(/\/404$/)
    expect(Date.now() - seen).toBeGreaterThan(1000)
    await expect(page.getByText('Page could not be found')).toBeVisible()
  })

  test('while an earlier response is shown displays the banner, which a click closes', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/locations-api\/brand failed/)
    pageErrors.expect(/500/)
    await page.clock.install()
    await page.goto('/brand')
    await expect(page.locator('main').getByRole('status')).toHaveText(/match|all/)
    await page.route('**/locations-api/brand', (route) => route.fulfill({ status: 500, json: { title: 'Something broke', status: 500 } }))
    await page.locator('#menu').getByRole('link', { name: 'Home', exact: true }).click()
    await expect(page).toHaveTitle('Home - Homeroom')
    await page.clock.fastForward(60_000)
    await page.locator('#menu').getByRole('link', { name: 'Brands', exact: true }).click()
    const banner = page.getByRole('alert').getByRole('button')
    await expect(banner).toContainText('Error: Something broke')
    await banner.click()
    await expect(banner).toHaveCount(0)
    await expect(page.getByRole('article').first()).toBeVisible()
  })
})
