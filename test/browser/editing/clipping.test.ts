import type { BrowserContext, Page } from '@playwright/test'

import { PAGE_LIST } from '../../../src/contract/pages.ts'
import { applyBulkChange } from '../../../src/features/changing/changesets/contract.ts'
import { createProposal } from '../../../src/features/changing/requests/contract.ts'
import { createWebhook } from '../../../src/features/exchange/webhooks/contract.ts'
import { EVENT_TYPES } from '../../../src/features/exchange/webhooks/rules.ts'
import { listRegions } from '../../../src/records/regions/contract.ts'
import { waitUntilLoaded } from '../../support/browser-pages.ts'
import { clippedIn } from '../clipping.ts'
import { expect, getToken, test } from '../fixtures.ts'
import { type LongRecords, longRecords } from '../long-records.ts'
import { visit } from '../navigation.ts'
import { findRecord, sendCall } from '../records.ts'

// Nothing that can be read or pressed is clipped at tablet and phone widths: on any page, including its forms and dialogs, with a record in which
// every text has its maximum length.

test.use({ level: 1, viewport: { width: 820, height: 900 }, contextOptions: { reducedMotion: 'reduce' } })

const WIDTHS = [820, 390] as const
const ROUTES = PAGE_LIST.flatMap(([path, { standalone }]) => (standalone === undefined && path !== '/$' ? [path] : []))

/** The URLs of every page, by route. */
const addressesOf = (
  records: LongRecords,
  region: string,
  account: string,
  webhook: string,
  suggestion: string,
  changes: string,
  sheet: string,
): Record<string, readonly string[]> => ({
  '/': ['/'],
  '/regions': ['/regions'],
  '/region/$id': [`/region/${region}?status=all`],
  '/region/$id/org': [`/region/${region}/org?status=all`],
  '/region/$id/calls': [`/region/${region}/calls?status=all`],
  '/charters': ['/charters', '/charters?show=cards'],
  '/brand': ['/brand?status=all&show=cards', '/brand?status=all&show=table'],
  '/brands': [],
  '/locations': [
    '/locations?show=cards&q=Greater+Sacramento',
    '/locations?show=cards&status=coming-soon',
    '/locations?show=table',
    '/locations?q=nothing+is+called+this',
  ],
  '/add_staff': ['/add_staff?q=mar'],
  '/add_location': ['/add_location'],
  '/addbrand': ['/addbrand'],
  '/addcharter': ['/addcharter'],
  '/charter/$id': [`/charter/${records.charter}`, `/charter/${records.affair}`],
  '/charterview/$id': [`/charterview/${records.charter}`, `/charterview/${records.charter}?edit=1`],
  '/charter_affair/$id': [
    `/charter_affair/${records.charter}`,
    `/charter_affair/${records.affair}`,
    `/charter_affair/${records.affair}?edit=1`,
  ],
  '/brand/$id': [`/brand/${records.brand}?status=all`],
  '/brandview/$id': [`/brandview/${records.brand}`, `/brandview/${records.brand}?edit=1`],
  '/location/$slug': [`/location/${records.site}`, `/location/${records.site}?edit=1`, `/location/${records.site}?history=1`],
  '/location/fac/$slug': [`/location/fac/${records.site}`, `/location/fac/${records.site}?edit=1`],
  '/location/enrollment/$slug': [`/location/enrollment/${records.site}`, `/location/enrollment/${records.site}?edit=1`],
  '/location/staff/$slug': [`/location/staff/${records.site}`],
  '/location/$slug/sis': [`/location/${records.site}/sis`, `/location/${records.site}/sis?edit=1`],
  '/location/$slug/sis/$id': [`/location/${records.site}/sis/${records.sis}`, `/location/${records.site}/sis/${records.sis}?edit=1`],
  '/leadership': ['/leadership?show=cards', '/leadership?show=table'],
  '/support': ['/support?show=cards'],
  '/coverage': ['/coverage?status=all', `/coverage?region=${region}&status=all`],
  '/downloads': ['/downloads'],
  '/requests': ['/requests'],
  '/reorganize': ['/reorganize'],
  '/planned': ['/planned'],
  '/duplicates': ['/duplicates'],
  '/merge': [`/merge?kind=charter&keep=${records.charter}&merge=${records.affair}`],
  '/requests/$id': [suggestion],
  '/changes/$id': [changes],
  '/sheets/$id': [sheet],
  '/activity': ['/activity'],
  '/deadlines': ['/deadlines'],
  '/permissions': ['/permissions'],
  '/settings': ['/settings'],
  '/searches': ['/searches'],
  '/audit': ['/audit'],
  '/usage': ['/usage'],
  '/errors': ['/errors'],
  '/webhooks': ['/webhooks'],
  '/webhooks/$id': [`/webhooks/${webhook}`],
  '/account': ['/account'],
  '/accounts': ['/accounts'],
  '/accounts/$id': [account],
  '/staff/$slug': [`/staff/${records.person}`, `/staff/${records.person}?edit=1`],
  '/404': ['/404'],
})

/** Downloads the sheet of a site and uploads it unchanged; returns the id of its preview. */
const uploadSheet = async (context: BrowserContext, site: string): Promise<string> => {
  const headers = { authorization: `Bearer ${await getToken(context)}` }
  const buffer = await (await context.request.get(`/api/sheets/sites?ids=${site}`, { headers })).body()
  const file = { name: `${'Sites'.repeat(20)}.xlsx`, mimeType: 'application/octet-stream', buffer }
  const answer = await context.request.post('/api/sheets/sites/preview', { headers, multipart: { file } })
  return ((await answer.json()) as { _id: string })._id
}

const isThere = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }).or(page.locator('main form')).first()).toBeVisible({ timeout: 30_000 })
  await waitUntilLoaded(page)
  await page.evaluate(() => document.fonts.ready)
}

/** The content that is cut off at either width, with its page and window. */
const clippedAtWidths = async (page: Page, where: string): Promise<string[]> => {
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    for (const what of await clippedIn(page)) found.push(`${where} at ${width}: ${what}`)
  }
  return found
}

let records: LongRecords
test.beforeAll(async ({ browser, stateOf, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), storageState: await stateOf(1) })
  records = await longRecords(context)
  await context.close()
})

test('nothing is cut off on any page or in any form', { tag: '@all' }, async ({ page, context }) => {
  test.setTimeout(600_000)
  const region = findRecord(await sendCall(context, listRegions), 'California', ({ name }) => name === 'California').slug
  await visit(page, '/accounts')
  const account = (await page.locator('main a[href^="/accounts/"]').first().getAttribute('href')) ?? ''
  const { _id: webhook } = await sendCall(
    context,
    createWebhook,
    {},
    { url: `https://${'long-name-'.repeat(6)}x.example/hook`, events: [...EVENT_TYPES] },
  )
  const suggested = { record: { kind: 'site' as const, _id: records.site }, changes: { 'address.description': 'Unbroken'.repeat(40) } }
  const { _id: suggestion } = await sendCall(context, createProposal, {}, suggested)
  const longChange = { kind: 'site' as const, ids: [records.site], changes: { 'address.closures': 'Closed'.repeat(40) } }
  const { changeset } = await sendCall(context, applyBulkChange, {}, longChange)
  const sheet = await uploadSheet(context, records.site)
  const addresses = addressesOf(
    records,
    region,
    account,
    webhook,
    `/requests/${suggestion}`,
    `/changes/${changeset?._id}`,
    `/sheets/${sheet}`,
  )
  expect(Object.keys(addresses).toSorted(), 'every route is measured').toEqual(ROUTES.toSorted())
  const found: string[] = []
  for (const address of Object.values(addresses).flat()) {
    await visit(page, address)
    await isThere(page)
    found.push(...(await clippedAtWidths(page, address)))
  }
  expect(found).toEqual([])
})

test('nothing is cut off in windows, drawers and menus', { tag: '@all' }, async ({ page }) => {
  test.setTimeout(600_000)
  const found: string[] = []
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const tool = async (name: string | RegExp) => {
    await press('Tools')
    await press(name)
  }
  const more = async (name: string) => {
    await press('More actions')
    await page.getByRole('menuitem', { name }).click()
  }
  const WINDOWS: readonly (readonly [address: string, open: string, width: (typeof WIDTHS)[number], () => Promise<void>])[] = [
    ['/', 'menu', 390, () => press('Menu')],
    ['/', 'palette', 820, () => page.keyboard.press('Control+k').then(() => page.keyboard.type('Greater'))],
    ['/', 'empty palette', 820, () => page.keyboard.press('Control+k')],
    ['/', 'support', 820, () => press('Open menu').then(() => press('Support'))],
    ['/locations', 'views', 390, () => tool('Views')],
    ['/locations', 'copy', 390, () => tool(/^Copy/)],
    ['/locations', 'download', 390, () => tool(/^Download/)],
    ['/locations?show=table', 'columns', 390, () => tool('Columns')],
    [`/location/${records.site}`, 'more', 390, () => press('More actions')],
    [`/location/${records.site}?edit=suggest`, 'request', 820, () => press('Just describe it')],
    [`/location/staff/${records.site}`, 'add', 820, () => press('Add Staff')],
    [`/location/staff/${records.site}`, 'remove', 820, () => press('Remove Staff')],
    [`/location/${records.site}/sis/${records.sis}`, 'remove', 390, () => more('Remove')],
    [`/location/${records.site}/sis/${records.sis}?edit=1`, 'site', 820, () => press('Change Associated Site')],
    [`/staff/${records.person}`, 'QR code', 390, () => more('QR code')],
    [`/staff/${records.person}`, 'leave', 820, () => press(/has left|no longer employed/)],
    [`/charter/${records.charter}`, 'history', 390, () => more('History')],
    [
      `/location/${records.site}?edit=1`,
      'errors',
      820,
      async () => {
        await page.getByLabel('City').fill('')
        await page.getByRole('button', { name: 'Save Changes' }).click()
      },
    ],
    [
      `/location/${records.site}?edit=1`,
      'review',
      820,
      async () => {
        await page.getByLabel('City').fill('Rancho Santa Margarita')
        await press('Review')
      },
    ],
    ['/permissions', 'remove', 820, () => press(/^Remove Admin/)],
    ['/account', 'token', 820, () => press(/token/i)],
    ['/account', 'sign out', 820, () => press(/everywhere/i)],
  ]
  for (const [address, what, width, open] of WINDOWS) {
    await page.setViewportSize({ width, height: 900 })
    // Loads a new document; otherwise the previous window would stay open.
    await page.goto(address)
    await isThere(page)
    await open()
    await waitUntilLoaded(page)
    found.push(...(await clippedAtWidths(page, `${address}, ${what}`)))
  }
  expect(found).toEqual([])
})

test.describe('signed out', () => {
  test.use({ level: null })
  test('nothing is cut off on the login page and in its window', async ({ page }) => {
    await visit(page, '/login?auth=fail')
    await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
    expect(await clippedAtWidths(page, '/login')).toEqual([])
  })
})
