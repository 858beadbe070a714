import type { BrowserContext, Page } from '@playwright/test'

import { startServer, TestServer } from '../../support/server.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test as base } from '../fixtures.ts'

const SITES = '12'
const STAFF = 'level10@sample.test'

/** A phone with the app of a server of its own. */
const test = base.extend<{ server: TestServer; phone: BrowserContext }>({
  server: async ({}, provide) => {
    const server = await startServer({ SAMPLE: SITES })
    await provide(server)
    await server.stop()
  },
  phone: async ({ browser, server }, provide) => {
    const phone = await browser.newContext({
      baseURL: server.url,
      serviceWorkers: 'allow',
      viewport: { width: 390, height: 844 },
      storageState: { cookies: [], origins: [] },
    })
    await provide(phone)
    await phone.close()
  },
})

/** Opens the app, and waits until the program is on the device. */
const install = async (phone: BrowserContext): Promise<Page> => {
  const page = await phone.newPage()
  await signIn(page, STAFF)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  return page
}

const line = (page: Page) => page.getByText('A new version is ready')

test('the app can be installed: manifest, icons, shortcuts, and a page that opens from the device', async ({ phone, server }) => {
  const page = await install(phone)
  const manifest = (await (await phone.request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string; sizes: string; purpose?: string }[]
    shortcuts: { name: string; url: string; icons: { src: string }[] }[]
  }
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap((shortcut) => shortcut.icons)].map(({ src }) => src)
  for (const src of [...icons, '/icons/apple-touch.png'])
    expect((await phone.request.get(src)).headers()['content-type'], src).toMatch(/^image\//)
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable')
  // What Chromium itself finds wrong with the manifest and the icons.
  const devTools = await phone.newCDPSession(page)
  const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((error) => error !== 'in-incognito')).toEqual([])

  // The page comes from the device, each time with another nonce that its policy has too.
  const nonces = new Set<string>()
  for (const path of ['/regions', '/leadership']) {
    const response = await page.goto(path)
    expect(response?.fromServiceWorker(), path).toBe(true)
    await expect(page.locator('main h1')).toBeVisible()
    nonces.add(/'nonce-([\w-]+)'/.exec(response?.headers()['content-security-policy'] ?? '')?.[1] ?? '')
  }
  expect(nonces.size).toBe(2)
  // What the server answers itself does not.
  for (const path of ['/docs', '/icon.svg', '/openapi.json']) {
    const response = await page.goto(path)
    expect(response?.fromServiceWorker(), path).toBe(false)
  }
  // No response of the API is in any cache.
  const cached = await page.evaluate(async () => {
    const requests = (await caches.keys()).map(async (name) => (await caches.open(name)).keys())
    return (await Promise.all(requests)).flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached.length).toBeGreaterThan(50)
  expect(cached.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])

  await page.goto('/?open=search')
  await expect(page.getByRole('combobox')).toBeFocused()
  await expect(page).toHaveURL(`${server.url}/`)

  await phone.setOffline(true)
  await page.goto('/locations')
  await expect(page.getByText('No connection')).toBeVisible()
})

test('a new version waits until it is wanted, and takes nothing that is typed', async ({ phone, server }) => {
  test.setTimeout(120_000)
  const page = await install(phone)
  const other = await phone.newPage()
  await other.goto('/regions')
  await server.terminate()
  // The settings in the page are a part of its version.
  const next = new TestServer({ ...server.environment, TIME_ZONE: 'America/Denver' })
  await next.start()
  try {
    await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration?.update()))
    await expect(line(page)).toBeVisible()
    await expect(line(other)).toBeVisible()
    await expectAccessible(page)

    // What is typed holds it back.
    await page.getByRole('button', { name: 'Open menu', exact: true }).click()
    await page.getByRole('button', { name: 'Support', exact: true }).click()
    const text = page.getByRole('dialog').locator('textarea').first()
    await text.fill('The door is broken')
    await page.getByRole('button', { name: 'Update', exact: true }).evaluate((button: HTMLElement) => button.click())
    await expect(page.getByText('First save or discard what you have typed')).toBeVisible()
    await expect(text).toHaveValue('The door is broken')
    await text.fill('')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(line(page)).toBeHidden()
    await expect.poll(() => page.evaluate(() => document.getElementById('configuration')?.textContent)).toContain('America/Denver')
    // The other window keeps its files until it is loaded again.
    await expect(line(other)).toBeVisible()
    await other.evaluate(() => caches.keys().then((names) => names.length)).then((count) => expect(count).toBe(2))
    await other.getByRole('button', { name: 'Update', exact: true }).click()
    await expect(line(other)).toBeHidden()
  } finally {
    await next.terminate()
  }
})
