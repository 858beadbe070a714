import type { Page } from '@playwright/test'

import { formatPhone } from '../../src/contract/phones.ts'
import { listCharters } from '../../src/records/charters/contract.ts'
import type { CharterWithSites } from '../../src/records/charters/contract.ts'
import { listSites } from '../../src/records/sites/contract.ts'
import type { Site } from '../../src/records/sites/contract.ts'
import { expect, test } from './fixtures.ts'
import { visit } from './navigation.ts'
import { findRecord, sendCall } from './records.ts'

test.use({ level: 10 })

/** The printed sheets of a page. In a PDF by Chromium each page is a separate object. */
const sheetsOf = async (page: Page): Promise<number> => {
  const pdf = await page.pdf({ format: 'Letter', preferCSSPageSize: true })
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length
}

/** The text visible in print. */
const onPaper = async (page: Page): Promise<string> => {
  await page.emulateMedia({ media: 'print' })
  const text = await page.locator('body').innerText()
  await page.emulateMedia({ media: null })
  return text
}

const LONG = 'The Greater Sacramento Valley Independent Learning Center East'
const readable = (phone: string | null): string => (phone ? formatPhone(phone) : 'No number on file')

test('a site prints on one page: its address, its leaders and all other staff, each with their phone number', async ({ page, context }) => {
  const site = findRecord(
    await sendCall(context, listSites),
    'site with ten people and an address',
    ({ people, address }) => people.length >= 10 && people.length <= 16 && address.phone !== null && address.city !== null,
  )
  await visit(page, `/location/${site.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: site.displayName })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeVisible()
  // On the screen the staff has its own page.
  await expect(page.getByRole('heading', { name: 'Staff', exact: true })).toHaveCount(0)
  const text = await onPaper(page)
  expect(text).toMatch(/Homeroom · \d{2}\/\d{2}\/\d{4}/)
  for (const words of [site.displayName, site.address.city, site.charter?.name, site.region?.name, readable(site.address.phone)])
    expect(text).toContain(words ?? '')
  for (const { person, role_match } of site.people) {
    expect(text).toContain(person.name)
    expect(text).toContain(readable(person.phone))
    if (!/Area Superintendent|Regional SRM/.test(role_match.name)) expect(text).toContain(role_match.name)
  }
  for (const words of ['Welcome, ', 'Sign Out', 'Print', 'Resource Centers\n']) expect(text).not.toContain(words)
  expect(await sheetsOf(page)).toBe(1)
})

test('a site with the longest name, no photo and no staff prints on one page too', { tag: '@all' }, async ({ page, context }) => {
  const site = findRecord(await sendCall(context, listSites), 'closed site', ({ status }) => status === 'CLOSED - PERMANENTLY')
  await page.route(`**/siteslugprograms/${site.slug}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as Site
    await route.fulfill({ response, json: { ...answer, displayName: LONG, photo: null, people: [] } satisfies Site })
  })
  await visit(page, `/location/${site.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: LONG })).toBeVisible()
  const text = await onPaper(page)
  for (const words of [LONG, 'This Location is Closed', 'Vacant']) expect(text).toContain(words)
  expect(await sheetsOf(page)).toBe(1)
})

test(
  'a charter with forty sites prints on one page: its facts, and a line per site with phone number and principal',
  { tag: '@all' },
  async ({ page, context }) => {
    const charter = findRecord(await sendCall(context, listCharters), 'charter with sites', ({ sites }) => sites.length > 4)
    await page.route(`**/charterbyslug/${charter.slug}`, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as CharterWithSites
      const sites = Array.from({ length: 40 }, (_, at) => {
        const like = answer.sites[at % answer.sites.length]!
        return { ...like, _id: `${like._id} ${at}`, displayName: at === 7 ? LONG : `${like.displayName} ${at}` }
      })
      await route.fulfill({ response, json: { ...answer, sites } satisfies CharterWithSites })
    })
    await visit(page, `/charter/${charter.slug}`)
    await expect(page.getByRole('heading', { level: 1, name: charter.name })).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    const lines = await page.locator('main table tbody tr').allInnerTexts()
    await page.emulateMedia({ media: null })
    expect(lines).toHaveLength(40)
    expect(lines.join('\n')).toContain(LONG)
    expect(lines.filter((line) => /\d{3}-\d{3}-\d{4}/.test(line)).length).toBeGreaterThan(20)
    const text = await onPaper(page)
    for (const words of [charter.name, charter.brandName, readable(charter.charterContactnumber), 'Students']) expect(text).toContain(words)
    for (const words of ['View Charter', 'Sign Out', 'Charter Affair']) expect(text).not.toContain(words)
    expect(await sheetsOf(page)).toBe(1)
  },
)
