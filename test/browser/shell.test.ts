import { waitUntilLoaded } from '../support/browser-pages.ts'
import { expect, test } from './fixtures.ts'

test.use({ level: 10 })

test.describe('the side menu', () => {
  test('is open by default, has sections that close each other, and links to every page', async ({ page }) => {
    await test.step('is open by default with a margin of 225 pixels; the hamburger closes it and opens it', async () => {
      await page.goto('/')
      const heading = page.getByRole('banner')
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
      expect((await heading.boundingBox())?.x).toBe(225)
      await page.getByRole('button', { name: 'Close menu' }).click()
      await expect(page.getByRole('link', { name: 'Leadership' }).and(page.locator('#menu a'))).toBeHidden()
      await expect.poll(async () => (await heading.boundingBox())?.x).toBe(0)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect.poll(async () => (await heading.boundingBox())?.x).toBe(225)
    })

    await test.step('has sections that close each other', async () => {
      await page.goto('/')
      const locations = page.getByRole('button', { name: 'Locations' })
      const staff = page.getByRole('button', { name: 'Staff' })
      await expect(locations).toHaveAttribute('aria-expanded', 'true')
      await staff.click()
      await expect(staff).toHaveAttribute('aria-expanded', 'true')
      await expect(locations).toHaveAttribute('aria-expanded', 'false')
      await expect(page.locator('#menu').getByRole('link', { name: 'Charters' })).toBeHidden()
      await locations.click()
      await expect(staff).toHaveAttribute('aria-expanded', 'false')
      await locations.click()
      await expect(locations).toHaveAttribute('aria-expanded', 'false')
    })

    await test.step('links to every page, to the regions by slug', async () => {
      await page.goto('/')
      const menu = page.locator('#menu')
      for (const [name, address] of [
        ['Resource Centers', '/locations'],
        ['Charters', '/charters'],
        ['Brands', '/brand'],
        ['Regions & States', '/regions'],
        ['California', '/region/california'],
        ['South Carolina', '/region/south-carolina'],
      ] as const)
        await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', address)
      await page.getByRole('button', { name: 'Staff' }).click()
      await expect(menu.getByRole('link', { name: 'Leadership' })).toHaveAttribute('href', '/leadership')
      await menu.getByRole('link', { name: 'Student Support' }).click()
      await expect(page).toHaveURL(/\/support$/)
      await expect(menu.getByRole('link', { name: 'Student Support' })).toHaveAttribute('aria-current', 'page')
    })

    await test.step('stays open after navigation above 745 pixels', async () => {
      await page.setViewportSize({ width: 746, height: 900 })
      await page.goto('/')
      await page.getByRole('button', { name: 'Open menu', exact: true }).click()
      await page.locator('#menu').getByRole('link', { name: 'Charters' }).click()
      await expect(page).toHaveURL(/\/charters$/)
      await expect(page.locator('#menu').getByRole('link', { name: 'Charters' })).toBeVisible()
    })
  })
})

test.describe('at 745 pixels and less', () => {
  test.use({ viewport: { width: 745, height: 844 } })

  test('the menu closes after navigation, on a click outside and on Escape, and traps the focus', async ({ page }) => {
    await test.step('the menu closes after navigation', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Open menu' }).click()
      const link = page.locator('#menu').getByRole('link', { name: 'Charters' })
      await link.click()
      await expect(page).toHaveURL(/\/charters$/)
      await expect(link).toBeHidden()
      await expect(page.getByRole('heading', { level: 1, name: 'Charters' })).toBeFocused()
    })

    await test.step('a click on the page area closes the menu and has no other effect', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.mouse.click(600, 250)
      await expect(page.locator('#menu')).toBeHidden()
      await expect(page).toHaveURL(/\/$/)
    })

    await test.step('the open menu traps the focus; Escape closes it and returns the focus', async () => {
      await page.goto('/regions')
      await page.getByRole('button', { name: 'Open menu' }).press('Enter')
      await expect(page.locator('#menu').getByRole('link', { name: 'Regions & States' })).toBeFocused()
      for (let step = 0; step < 25; step++) {
        await page.keyboard.press('Tab')
        const isInFront = await page.evaluate(() => document.activeElement?.closest('#main, header') !== null)
        expect(isInFront, 'focus moved behind the menu').toBe(false)
      }
      await page.keyboard.press('Escape')
      await expect(page.locator('#menu')).toBeHidden()
      await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
    })
  })

  test('nothing is wider than the window', { tag: '@all' }, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    for (const address of ['/', '/locations', '/charters', '/brand', '/regions', '/leadership', '/nowhere']) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await waitUntilLoaded(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(320)
    }
  })
})

test('the top bar greets the user by first name', { tag: '@all' }, async ({ page }) => {
  await page.goto('/')
  const name = await page.evaluate(
    async () =>
      ((await (await fetch('/auth', { headers: { 'x-auth-token': localStorage.getItem('token') ?? '' } })).json()) as { name: string })
        .name,
  )
  await expect(page.getByRole('banner').getByText(`Welcome, ${name.split(' ')[0]}!`, { exact: true })).toBeVisible()
})

test('the home tiles link to the lists and show how many records there are', { tag: '@all' }, async ({ page }) => {
  await page.goto('/')
  for (const [name, address] of [
    ['Regions & States', '/regions'],
    ['Brands', '/brand'],
    ['Charters', '/charters'],
    ['Resource Centers', '/locations'],
    ['Leadership', '/leadership'],
    ['Student Support', '/support'],
  ] as const) {
    const tile = page.getByRole('list', { name: 'Browse' }).getByRole('link', { name })
    await expect(tile).toHaveAttribute('href', address)
    await expect(tile).toHaveText(/\d/)
  }
  await expect(page.getByRole('list', { name: 'Browse' }).getByRole('link', { name: 'Excel Downloads' })).toHaveAttribute(
    'href',
    '/downloads',
  )
})

test('navigating to another page announces it and moves the focus to its heading', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle('Home - Homeroom')
  for (const [link, title] of [
    ['Charters', 'Charters'],
    ['Regions & States', 'Regions & States'],
  ] as const) {
    await page.locator('#menu').getByRole('link', { name: link, exact: true }).click()
    await expect(page).toHaveTitle(`${title} - Homeroom`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
  }
})

test('the first Tab offers to skip the menu', async ({ page }) => {
  await page.goto('/regions')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('unknown URLs show that the page could not be found', { tag: '@all' }, async ({ page }) => {
  for (const address of ['/404', '/no/such/page', '/charter'])
    await test.step(`${address} shows that the page could not be found`, async () => {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1, name: 'Page could not be found' })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`${address}$`))
    })
})

test.describe('the support window', () => {
  test('sends a request to Information Services', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Support', exact: true }).click()
    const window = page.getByRole('dialog', { name: 'IS Support Request' })
    await window.getByRole('button', { name: 'Send Request' }).click()
    await expect(window.getByText('Please describe what you need')).toBeVisible()
    await expect(window.getByLabel('How can we help?')).toBeFocused()
    await window.getByLabel('How can we help?').fill('The projector in room 4 is dark.')
    const sent = page.waitForRequest(/is_support$/)
    await window.getByRole('button', { name: 'Send Request' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ request: 'The projector in room 4 is dark.' })
    await expect(window.getByRole('status')).toHaveText(/^Your request was saved/)
  })

  test('keeps what was typed if it is closed or cannot be sent', { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/is_support/)
    pageErrors.expect(/POST \/locations-api\/is_support failed/)
    await page.route('**/is_support', (route) => route.abort())
    await page.goto('/')
    await page.getByRole('button', { name: 'Support', exact: true }).click()
    const window = page.getByRole('dialog', { name: 'IS Support Request' })
    await window.getByLabel('How can we help?').fill('My badge')
    await window.getByRole('button', { name: 'Send Request' }).click()
    await expect(window.getByRole('alert')).toContainText('Error: The connection was lost')
    await expect(window.getByLabel('How can we help?')).toHaveValue('My badge')
    await window.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Support', exact: true }).click()
    await expect(window.getByLabel('How can we help?')).toHaveValue('My badge')
  })
})

test.describe('people without the required level', () => {
  test('are sent home', { tag: '@all' }, async ({ page }) => {
    for (const address of ['/charter_affair/any', '/location/any/sis/any'])
      await test.step(`are sent home from ${address}`, async () => {
        await page.goto(address)
        await expect(page).toHaveURL(/\/$/)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      })
  })
})

test('Back closes the Support window together with its page', async ({ page }) => {
  await page.goto('/regions')
  await page.locator('#menu').getByRole('button', { name: 'Staff' }).click()
  await page.locator('#menu').getByRole('link', { name: 'Leadership' }).click()
  await expect(page).toHaveURL(/\/leadership/)
  await page.locator('#menu').getByRole('button', { name: 'Support', exact: true }).click()
  const window = page.getByRole('dialog', { name: 'IS Support Request' })
  await window.getByLabel('How can we help?').fill('Half a question')
  await page.goBack()
  await expect(page).toHaveURL(/\/regions/)
  await expect(window).toHaveCount(0)
  await page.locator('#menu').getByRole('button', { name: 'Support', exact: true }).click()
  await expect(window.getByLabel('How can we help?')).toHaveValue('Half a question')
})

test('a browser below the oldest supported version is told so, others are not', async ({ page }) => {
  const notice = page.getByText('This browser is too old for Homeroom.')
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(notice).toBeHidden()
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.reload()
  await expect(notice).toBeVisible()
})

test('a page has its shape before the session is known, and nothing of it can be used', async ({ page }) => {
  let answer = () => {}
  const known = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/auth', async (route) => {
    await known
    await route.continue()
  })
  for (const path of ['/', '/locations', '/regions']) {
    await page.goto(path)
    const menu = page.locator('#menu')
    await expect(menu.getByText('Homeroom', { exact: true })).toBeVisible()
    await expect(page.locator('#main .mantine-Skeleton-root').first()).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(1)
    // But the one that skips the menu.
    await expect(page.getByRole('link', { name: /^(?!Skip to)/ })).toHaveCount(0)
  }
  answer()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Welcome, ')).toBeVisible()
})

test('while it waits the search says that it searches, and names no number of results', async ({ page }) => {
  let answer = () => {}
  const known = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/search?**', async (route) => {
    await known
    await route.continue()
  })
  await page.goto('/locations')
  await page.getByRole('banner').getByRole('button', { name: 'Search everything' }).click()
  const palette = page.getByRole('dialog', { name: 'Search', exact: true })
  await page.getByRole('combobox', { name: 'Search everything', exact: true }).fill('lodi')
  await expect(palette.getByRole('status')).toHaveText('Searching…')
  await expect(palette).not.toContainText(/\d results|No results/)
  answer()
  await expect(palette.getByRole('row', { selected: true })).toBeVisible()
  await expect(palette).toContainText(/\d+ results?/)
})

test('the search window gets all that is typed after Ctrl K while its code is loading', async ({ page }) => {
  const { promise: requested, resolve: send } = Promise.withResolvers<void>()
  await page.route('**/Palette-*.js', async (route) => {
    await requested
    await route.continue()
  })
  await page.goto('/charters')
  const field = page.getByRole('combobox', { name: 'Search everything', exact: true })
  const list = page.locator('main').getByRole('textbox')
  await list.press('Control+k')
  await page.keyboard.type('principel')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('al 1/2')
  send()
  await page.keyboard.type(' galt')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('principal 1/2 galt')
  await page.unroute('**/Palette-*.js')
  await page.keyboard.press('Escape')
  await expect(list).toHaveValue('')
})
