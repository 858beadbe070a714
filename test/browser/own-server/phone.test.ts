import type { Browser, BrowserContext, Page } from '@playwright/test'
import { sql } from 'kysely'

import { disableAccount } from '../../../src/features/access/session/mutations.server.ts'
import { startServer, TestServer } from '../../support/server.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test as base } from '../fixtures.ts'

const SITES = '12'
const STAFF = 'level10@sample.test'

const openPhone = (browser: Browser, { url }: TestServer): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: url,
    serviceWorkers: 'allow',
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })

/** A phone of its own for each test, with the app of one server. */
const test = base.extend<{ phone: BrowserContext }, { server: TestServer }>({
  server: [
    async ({}, provide) => {
      const server = await startServer({ SAMPLE: SITES })
      await provide(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  phone: async ({ browser, server }, provide) => {
    const phone = await openPhone(browser, server)
    await provide(phone)
    await phone.close()
  },
})

/** Opens the app, and waits until the program is on the device. */
const install = async (phone: BrowserContext, address = STAFF): Promise<Page> => {
  const page = await phone.newPage()
  await signIn(page, address)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  return page
}

// Each test waits until all files of the program are on the device.
test.describe.configure({ timeout: 120_000 })

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

test('a new version waits until it is wanted, and takes nothing that is typed', async ({ browser }) => {
  const server = await startServer({ SAMPLE: SITES })
  const phone = await openPhone(browser, server)
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
    await phone.close()
    await next.terminate()
    await server.stop()
  }
})

/** Everything that the browser stores of the directory: databases, caches with data, notes. */
const listStored = (page: Page) =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
    const requests = (await caches.keys()).map(async (name) => (await caches.open(name)).keys())
    const cached = (await Promise.all(requests)).flat().map(({ url }) => new URL(url).pathname)
    return [
      ...names,
      ...cached.filter((path) => path !== '/' && !path.startsWith('/assets/')),
      ...Object.keys(localStorage).filter((key) => key.includes('copy')),
    ]
  })
const NOTHING: string[] = []

const keepDirectory = async (page: Page): Promise<void> => {
  await page.goto('/account')
  await page.getByRole('switch', { name: /Keep the directory on this device/ }).click()
  await expect(page.getByText(/^On this device: 12 sites, \d+ people, as of \d+:\d\d [AP]M\.$/)).toBeVisible()
  expect(await listStored(page)).toEqual(['homeroom', 'homeroom.copy'])
}

const findPrincipal = async ({ db }: TestServer) =>
  db
    .selectFrom('site_person')
    .innerJoin('person', 'person._id', 'site_person.person')
    .innerJoin('role', 'role._id', 'site_person.role')
    .innerJoin('site', 'site._id', 'site_person.site')
    .select(['person.name', 'person.phone', 'site.displayName', 'site.slug', 'site._id as site', 'site.city', 'site.version'])
    .where('role.name', '=', 'Principal')
    .where('person.phone', 'is not', null)
    .where('site.status', '=', 'ACTIVE')
    .orderBy('person._id')
    .executeTakeFirstOrThrow()

test('without a network someone finds and calls a principal, and suggests a change that is sent later', async ({ phone, server }) => {
  const page = await install(phone)
  await keepDirectory(page)
  const principal = await findPrincipal(server)

  await phone.setOffline(true)
  await page.goto('/')
  await expect(page.getByText(/^Offline, as of \d+:\d\d [AP]M$/)).toBeVisible()
  await expect(page.getByText('Edit, history, charter affairs and requests need a connection.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Who or what are you looking for?', exact: true }).click()
  await page.getByRole('combobox').fill(`principal ${principal.displayName}`)
  const call = page.getByRole('link', { name: `Call ${principal.name}`, exact: true })
  await expect(call).toHaveAttribute('href', /^tel:\+1\d{10}/)
  await page.keyboard.press('Escape')

  for (const path of ['/locations', '/leadership', '/support', '/charters', '/brand', '/regions', '/coverage']) {
    await page.goto(path)
    await expect(page.getByText(/^Offline, as of/)).toBeVisible()
    await expect(page.locator('main h1')).toBeVisible()
    await expect(page.locator('main').getByRole('alert'), path).toHaveCount(0)
  }
  await page.setViewportSize({ width: 820, height: 1100 })
  await page.goto('/locations')
  const download = page.getByRole('button', { name: 'Download list', exact: true })
  await expect(download).toBeDisabled()
  await expect(download).toHaveAttribute('title', 'Needs a connection')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/location/${principal.slug}`)
  await expect(page.locator('main h1')).toHaveText(principal.displayName)
  await expect(page.getByText(principal.name).first()).toBeVisible()

  await page.goto(`/location/${principal.slug}?edit=suggest`)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Behind the library')
  await page.getByRole('button', { name: 'Send Suggestion', exact: true }).click()
  await expect(page.getByText('1 suggestion waits for a connection')).toBeVisible()

  await phone.setOffline(false)
  await expect(page.getByText('1 suggestion that waited for a connection is sent.')).toBeVisible()
  await expect(page.getByText(/^Offline, as of/)).toBeHidden()
  const stored = await server.db.selectFrom('proposal_field').select(['path', 'suggested']).execute()
  expect(stored.filter(({ path }) => path === 'address.description').map(({ suggested }) => suggested)).toContain('Behind the library')

  // What the server does not accept is in its form again.
  await phone.setOffline(true)
  await page.goto(`/location/${principal.slug}?edit=suggest`)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Behind the school')
  await page.getByLabel('Why should this change?').fill('I work there')
  await page.getByRole('button', { name: 'Send Suggestion', exact: true }).click()
  await expect(page.getByText('1 suggestion waits for a connection')).toBeVisible()
  const archive = (at: Date | null) => server.db.updateTable('site').set({ archivedAt: at }).where('_id', '=', principal.site).execute()
  await archive(new Date())
  await phone.setOffline(false)
  const change = page.getByRole('button', { name: 'Change It', exact: true })
  await expect(change).toBeVisible()
  await archive(null)
  await change.click()
  await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveValue('Behind the school')
  await expect(page.getByLabel('Why should this change?')).toHaveValue('I work there')
  await page.getByRole('button', { name: 'Send Suggestion', exact: true }).click()
  await expect(page.getByRole('link', { name: 'See it', exact: true })).toBeVisible()

  await signOut(page)
  expect(await listStored(page)).toEqual(NOTHING)
})

test('a page shows the copy while a slow server has not answered, and then what is new', async ({ phone, server }) => {
  const page = await install(phone)
  await keepDirectory(page)
  const { slug, displayName, site } = await findPrincipal(server)
  await server.db.updateTable('site').set({ displayName: 'Renamed Resource Center' }).where('_id', '=', site).execute()
  const devTools = await phone.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: 3000, downloadThroughput: -1, uploadThroughput: -1 })
  await page.goto(`/location/${slug}`)
  await expect(page.locator('main h1')).toHaveText(displayName)
  await expect(page.getByText(/^Offline, as of/)).toBeHidden()
  await expect(page.locator('main h1')).toHaveText('Renamed Resource Center')
})

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Open menu', exact: true }).click()
  await page.locator('#menu').getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Login Using O365', exact: true })).toBeVisible()
}

/** The account of the phone in a test. */
const findAccount = ({ db }: TestServer, address: string) =>
  db.selectFrom('account').select(['_id', 'azureID', 'name']).where('azureID', '=', address).executeTakeFirstOrThrow()
/** Reaches the server as an open page does from time to time, until the copy is gone: the server hears of a change in the database a moment later. */
const reachServer = (page: Page) =>
  expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      return listStored(page)
    })
    .toEqual(NOTHING)

const ENDS: Readonly<Record<string, (page: Page, server: TestServer, address: string) => Promise<unknown>>> = {
  'the switch is turned off': async (page) => page.getByRole('switch', { name: /Keep the directory on this device/ }).click(),
  'someone signs out everywhere': async (page) => {
    await page.getByRole('button', { name: 'Sign Out Everywhere', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out Everywhere', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Login Using O365', exact: true })).toBeVisible()
  },
  'level 1 ends the session': async (page, server, address) => {
    const { _id: account } = await findAccount(server, address)
    const { headers } = await server.signInAt(1)
    const listed = await fetch(`${server.url}/api/accounts/${account}/sessions`, { headers })
    const [session] = (await listed.json()) as { _id: string; copiedAt: string | null }[]
    expect(session?.copiedAt).not.toBeNull()
    const ended = await fetch(`${server.url}/api/accounts/${account}/sessions/${session?._id}`, { method: 'DELETE', headers })
    expect(ended.status).toBe(204)
    await reachServer(page)
  },
  'the account is disabled': async (page, server, address) => {
    const { _id } = await findAccount(server, address)
    await server.db.transaction().execute((tx) => disableAccount(tx, _id))
    await reachServer(page)
  },
  'the level of the account changes': async (page, server, address) => {
    const { _id: account, azureID, name } = await findAccount(server, address)
    await server.db.insertInto('permission').values({ applicationID: 'homeroom', azureID, name, account, accessLevel: 6 }).execute()
    await reachServer(page)
  },
}
for (const [index, [end, make]] of Object.entries(ENDS).entries())
  test(`nothing is on the device once ${end}`, async ({ phone, server }) => {
    const address = `phone${index}@sample.test`
    const page = await install(phone, address)
    await keepDirectory(page)
    await make(page, server, address)
    await expect.poll(() => listStored(page)).toEqual(NOTHING)
    // Nor is anything shown from memory without a network.
    await phone.setOffline(true)
    await page.goto('/leadership')
    await expect(page.getByText(/No connection|Sites, charters and people in one place/)).toBeVisible()
    expect(await listStored(page)).toEqual(NOTHING)
  })

test('a copy stays while its session has expired, and ends after a week without the server', async ({ phone, server }) => {
  const page = await install(phone)
  await keepDirectory(page)
  await sql`update session set "usedAt" = now() - interval '2 days', "createdAt" = now() - interval '2 days'`.execute(server.db)
  await page.goto('/leadership')
  await expect(page.getByRole('button', { name: 'Login Using O365', exact: true })).toBeVisible()
  expect(await listStored(page)).toEqual(['homeroom', 'homeroom.copy'])

  await phone.setOffline(true)
  await page.goto('/leadership')
  await expect(page.getByText(/^Offline, as of/)).toBeVisible()
  await expect(page.locator('main h1')).toBeVisible()

  const nextWeek = await phone.newPage()
  await nextWeek.clock.setFixedTime(Date.now() + 7 * 24 * 3_600_000 + 60_000)
  await nextWeek.goto('/leadership')
  await expect(nextWeek.getByRole('button', { name: 'Login Using O365', exact: true })).toBeVisible()
  await expect.poll(() => listStored(nextWeek)).toEqual(NOTHING)
})
