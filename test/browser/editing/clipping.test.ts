import { readFileSync } from 'node:fs'

import type { BrowserContext, Page } from '@playwright/test'

import { createBrand } from '../../../src/features/brands/contract.ts'
import { createCharter, listCharters } from '../../../src/features/charters/contract.ts'
import { createPerson, listRoles } from '../../../src/features/people/contract.ts'
import { listRegions } from '../../../src/features/regions/contract.ts'
import { createSisSite } from '../../../src/features/sis-sites/contract.ts'
import { addSiteStaff } from '../../../src/features/site-staff/contract.ts'
import { updateSite } from '../../../src/features/sites/contract.ts'
import { clippedIn } from '../clipping.ts'
import { expect, test } from '../fixtures.ts'
import { ask, letters, newSite, such, tell } from '../records.ts'

// Nothing that can be read or pressed is cut off at the widths of a tablet and of a phone: on any page, with its forms and windows open,
// with a record whose every text is as long as it may be.

test.use({ level: 1, viewport: { width: 820, height: 900 }, contextOptions: { reducedMotion: 'reduce' } })

const WIDTHS = [820, 390] as const
const sixty = (begin: string): string => `${begin} ${letters()} of the Greater Sacramento Valley Independent Study`.slice(0, 60)

interface Ugly {
  readonly site: string
  readonly charter: string
  readonly brand: string
  readonly person: string
  readonly sis: string
  readonly affair: string
}

/** A network of records with the longest names there may be, without photos, numbers or people where those may be missing. */
const uglyRecords = async (context: BrowserContext): Promise<Ugly> => {
  const web = `https://${letters()}.independent-study.example`
  const brand = await tell(
    context,
    createBrand,
    {},
    {
      brandName: sixty('Brand'),
      websiteUrl: web,
      EnrollmentsUrl: web,
      status: 'CLOSED - TEMPORARILY',
      brandPhoto: null,
      brandIcon: null,
    },
  )
  const charter = await tell(
    context,
    createCharter,
    {},
    {
      name: sixty('Charter'),
      slug: letters(),
      abbreviation: 'GSVISCHART',
      brand: brand._id,
      status: 'ACTIVE - TEMPORARY',
      studentCount: 12_345,
      charterWebsite: web,
      charterContactnumber: '916-555-0188',
      schoolTypeUrls: [{ name: 'Independent study for grades kindergarten through twelve', url: web }],
      photo: null,
    },
  )
  const site = await newSite(context, { name: sixty('Site').slice(0, 50), displayName: sixty('Site'), charter: charter._id })
  await tell(
    context,
    updateSite,
    { id: site._id },
    {
      status: 'CLOSED - TEMPORARILY',
      category: 'Administrative Office',
      finance_id: '12345678901234567890',
      address: {
        address_1: '12345 North Martin Luther King Junior Boulevard, Building 12',
        address_2: 'Suite 1234',
        city: 'Rancho Santa Margarita-Las Flores',
      },
    },
  )
  const person = await tell(
    context,
    createPerson,
    {},
    {
      name: sixty('Wilhelmina'),
      email: `${letters()}.wilhelmina.featherstonehaugh-cholmondeley@independent-study.example`,
      phone: '916-555-0189 x123456',
      fax: null,
      sql_person_id: null,
    },
  )
  for (const role of (await ask(context, listRoles)).filter(({ name }) => /Student Relations|Principal|Regional SRM/.test(name)))
    await tell(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role._id })
  const sis = await tell(
    context,
    createSisSite,
    {},
    {
      name: sixty('SIS'),
      site: site._id,
      sislc_id: '12345678901234567890',
      charterName: sixty('Charter'),
      type_array: ['Independent study', 'Home study', 'Online education and intersession'],
    },
  )
  const affair = such(await ask(context, listCharters), 'charter with an affair', (one) => one.charter_affair_info.length > 0)
  return { site: site.slug, charter: charter.slug, brand: brand._id, person: person.slug, sis: sis._id, affair: affair.slug }
}

const ROUTES = [
  ...readFileSync(new URL('../../../src/pages.web.tsx', import.meta.url), 'utf8').matchAll(/'(\/[^']*)',?\n|page\('(\/[^']*)'/g),
]
  .map(([, guarded, page]) => guarded ?? page ?? '')
  .filter((path) => !path.includes('.tsx'))

/** Every page, by the route it is of. */
const addressesOf = (ugly: Ugly, region: string, account: string): Record<string, readonly string[]> => ({
  '/': ['/'],
  '/regions': ['/regions'],
  '/region/$id': [`/region/${region}?status=all`],
  '/region/$id/org': [`/region/${region}/org?status=all`],
  '/region/$id/calls': [`/region/${region}/calls?status=all`],
  '/charters': ['/charters', '/charters?show=cards'],
  '/brand': ['/brand?status=all', '/brand?status=all&show=table'],
  '/brands': [],
  '/locations': [
    '/locations?q=Greater+Sacramento',
    '/locations?status=coming-soon',
    '/locations?show=table',
    '/locations?q=nothing+is+called+this',
  ],
  '/add_staff': ['/add_staff?q=mar'],
  '/add_location': ['/add_location'],
  '/addbrand': ['/addbrand'],
  '/addcharter': ['/addcharter'],
  '/charter/$id': [`/charter/${ugly.charter}`, `/charter/${ugly.affair}`],
  '/charterview/$id': [`/charterview/${ugly.charter}`, `/charterview/${ugly.charter}?edit=1`],
  '/charter_affair/$id': [`/charter_affair/${ugly.charter}`, `/charter_affair/${ugly.affair}`, `/charter_affair/${ugly.affair}?edit=1`],
  '/brand/$id': [`/brand/${ugly.brand}?status=all`],
  '/brandview/$id': [`/brandview/${ugly.brand}`, `/brandview/${ugly.brand}?edit=1`],
  '/location/$slug': [`/location/${ugly.site}`, `/location/${ugly.site}?edit=1`, `/location/${ugly.site}?history=1`],
  '/location/fac/$slug': [`/location/fac/${ugly.site}`, `/location/fac/${ugly.site}?edit=1`],
  '/location/enrollment/$slug': [`/location/enrollment/${ugly.site}`, `/location/enrollment/${ugly.site}?edit=1`],
  '/location/staff/$slug': [`/location/staff/${ugly.site}`],
  '/location/$slug/sis': [`/location/${ugly.site}/sis`, `/location/${ugly.site}/sis?edit=1`],
  '/location/$slug/sis/$id': [`/location/${ugly.site}/sis/${ugly.sis}`, `/location/${ugly.site}/sis/${ugly.sis}?edit=1`],
  '/leadership': ['/leadership', '/leadership?show=table'],
  '/support': ['/support'],
  '/coverage': ['/coverage?status=all', `/coverage?region=${region}&status=all`],
  '/downloads': ['/downloads'],
  '/requests': ['/requests'],
  '/permissions': ['/permissions'],
  '/settings': ['/settings'],
  '/searches': ['/searches'],
  '/usage': ['/usage'],
  '/errors': ['/errors'],
  '/account': ['/account'],
  '/accounts': ['/accounts'],
  '/accounts/$id': [account],
  '/staff/$slug': [`/staff/${ugly.person}`, `/staff/${ugly.person}?edit=1`],
  '/404': ['/404'],
})

const isThere = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading', { level: 1 }).or(page.locator('main form')).first()).toBeVisible({ timeout: 30_000 })
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

/** What is cut off at either width, with the page and the window it was found in. */
const clippedAtWidths = async (page: Page, where: string): Promise<string[]> => {
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    for (const what of await clippedIn(page)) found.push(`${where} at ${width}: ${what}`)
  }
  return found
}

let ugly: Ugly
test.beforeAll(async ({ browser, stateOf, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), storageState: await stateOf(1) })
  ugly = await uglyRecords(context)
  await context.close()
})

test('nothing is cut off on any page or in any form', async ({ page, context }) => {
  test.setTimeout(600_000)
  const region = such(await ask(context, listRegions), 'California', ({ name }) => name === 'California').slug
  await page.goto('/accounts')
  const account = (await page.locator('main a[href^="/accounts/"]').first().getAttribute('href')) ?? ''
  const addresses = addressesOf(ugly, region, account)
  expect(Object.keys(addresses).toSorted(), 'every route is measured').toEqual(
    [...new Set(ROUTES)].filter((path) => path !== '/login').toSorted(),
  )
  const found: string[] = []
  for (const address of Object.values(addresses).flat()) {
    await page.goto(address)
    await isThere(page)
    found.push(...(await clippedAtWidths(page, address)))
  }
  expect(found).toEqual([])
})

test('nothing is cut off in windows, drawers and menus', async ({ page }) => {
  test.setTimeout(600_000)
  const found: string[] = []
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
  const more = async (name: string) => {
    await press('More actions')
    await page.getByRole('menuitem', { name }).click()
  }
  const WINDOWS: readonly (readonly [address: string, open: string, width: (typeof WIDTHS)[number], () => Promise<void>])[] = [
    ['/', 'menu', 390, () => press('Menu')],
    ['/', 'palette', 820, () => page.keyboard.press('Control+k').then(() => page.keyboard.type('Greater'))],
    ['/', 'empty palette', 820, () => page.keyboard.press('Control+k')],
    ['/', 'support', 820, () => press('Support')],
    ['/locations', 'views', 390, () => press('Views')],
    ['/locations', 'copy', 390, () => press(/^Copy/)],
    ['/locations', 'download', 390, () => press(/^Download/)],
    ['/locations?show=table', 'columns', 390, () => press('Columns')],
    [`/location/${ugly.site}`, 'more', 390, () => press('More actions')],
    [`/location/${ugly.site}`, 'request', 820, () => press('Request a Change')],
    [`/location/staff/${ugly.site}`, 'add', 820, () => press('Add Staff')],
    [`/location/staff/${ugly.site}`, 'remove', 820, () => press('Remove Staff')],
    [`/location/${ugly.site}/sis/${ugly.sis}`, 'remove', 390, () => more('Remove')],
    [`/location/${ugly.site}/sis/${ugly.sis}?edit=1`, 'site', 820, () => press('Change Associated Site')],
    [`/staff/${ugly.person}`, 'QR code', 390, () => more('QR code')],
    [`/staff/${ugly.person}`, 'leave', 820, () => press(/has left|no longer employed/)],
    [`/charter/${ugly.charter}`, 'history', 390, () => more('History')],
    [
      `/location/${ugly.site}?edit=1`,
      'errors',
      820,
      async () => {
        await page.getByLabel('City').fill('')
        await page.getByRole('button', { name: 'Save Changes' }).click()
      },
    ],
    [
      `/location/${ugly.site}?edit=1`,
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
    await page.goto(address)
    await isThere(page)
    await open()
    await page.waitForLoadState('networkidle')
    found.push(...(await clippedAtWidths(page, `${address}, ${what}`)))
  }
  expect(found).toEqual([])
})

test.describe('signed out', () => {
  test.use({ level: null })
  test('nothing is cut off on the login page and in its window', async ({ page }) => {
    await page.goto('/login?auth=fail')
    await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
    expect(await clippedAtWidths(page, '/login')).toEqual([])
  })
})
