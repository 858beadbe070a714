import { sql } from 'kysely'

import { createProposal, readProposal, sendSupportRequest } from '../../../src/features/changing/requests/contract.ts'
import { addFavorite } from '../../../src/features/finding/favorites/contract.ts'
import { createPerson, listLeadershipRoles } from '../../../src/records/people/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test as base } from '../fixtures.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

/** A separate server without requests: the home page depends on everything that is pending. */
const test = base.extend<{ server: TestServer }>({
  server: async ({}, provide) => {
    const server = await startServer()
    await sql`truncate request cascade`.execute(server.db)
    await provide(server)
    await server.stop()
  },
  baseURL: async ({ server }, provide) => provide(server.url),
})

const SIGNED_OUT = { cookies: [], origins: [] }
const ADMINISTRATOR = 'level5@sample.test'
const PRINCIPAL = 'miriam.kealoha@sample.test'

interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** Layout shifts since the page was opened. */
const listShifted = () =>
  new Promise<string[]>((resolve) => {
    const shifted: string[] = []
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of list.getEntries() as LayoutShift[])
        for (const { node } of hadRecentInput ? [] : sources)
          if (node !== null && document.querySelector('main')?.contains(node)) shifted.push(node.textContent?.slice(0, 60) ?? '')
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifted)))
  })

test('the home page shows what needs attention, and each part links to it', async ({ page, context, browser, baseURL, server }) => {
  test.setTimeout(150_000)
  await signIn(page, ADMINISTRATOR)
  const site = await newSite(context)
  const [role] = (await sendCall(context, listLeadershipRoles)).filter(({ name }) => name === 'Principal')
  const person = await sendCall(context, createPerson, {}, { name: 'Miriam Kealoha', email: PRINCIPAL })
  await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role?._id ?? '' })
  await server.db
    .updateTable('site')
    .set({ checkedAt: sql<Date>`now() - interval '200 days'` })
    .where('_id', '=', site._id)
    .execute()

  // The principal's view on a phone: a site to check, vacant positions, and an unsent draft.
  const phone = await browser.newContext({ baseURL, storageState: SIGNED_OUT, viewport: { width: 390, height: 844 } })
  const principal = await phone.newPage()
  await signIn(principal, PRINCIPAL)
  const suggest = (changes: Record<string, unknown>) =>
    sendCall(phone, createProposal, {}, { record: { kind: 'site', _id: site._id }, changes })
  const { _id: short } = await suggest({ 'address.fax': '6615550187' })
  const { _id: long } = await suggest({ 'address.city': 'Palmdale', 'address.zip': '93550' })
  const { _id: third } = await suggest({ finance_id: '4711' })
  await sendCall(phone, sendSupportRequest, {}, { request: 'The scanner does not start.' })
  await principal.reload()
  const needs = principal.getByRole('region', { name: 'Needs you', exact: true })
  await expect(needs.getByRole('link', { name: '1 site to check', exact: true })).toBeVisible()
  await expect(needs).toContainText('661-555-0140')
  for (const button of await needs.getByRole('button').all())
    expect((await button.boundingBox())?.height, 'height of a button').toBeGreaterThanOrEqual(44)
  expect(await principal.evaluate(listShifted), 'nothing on the page moves').toEqual([])
  await expectAccessible(principal)
  await needs.getByRole('link', { name: /^Something is wrong: / }).click()
  await expect(principal.getByRole('heading', { level: 1, name: 'Suggest changes', exact: true })).toBeVisible()
  await principal.locator('input[name="address.address_2"]').fill('Suite 9')
  await principal.goto('/')
  const typed = needs.getByRole('listitem').filter({ hasText: 'Suggested changes' })
  await expect(typed).toContainText('1 field typed')
  await typed.getByRole('link', { name: /^Continue editing: / }).click()
  await expect(principal.locator('input[name="address.address_2"]')).toHaveValue('Suite 9')
  await principal.goto('/')
  await typed.getByRole('button', { name: /^Discard: / }).click()
  await principal.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(typed).toHaveCount(0)
  await needs.getByRole('button', { name: /^Everything is right: / }).click()
  // Four of their own suggestions are pending.
  await principal.getByRole('dialog').getByRole('button', { name: 'Check the rest', exact: true }).click()
  await expect(principal.getByText(/^Thank you\./)).toBeVisible()
  await expect(needs.getByRole('link', { name: '1 site to check', exact: true })).toHaveCount(0)
  expect((await sendCall(context, readSite, { slug: site._id })).checkedBy).toBe('Miriam Kealoha')

  // The administrator's view: suggestions, longest waiting first, and requests.
  await sendCall(context, addFavorite, { kind: 'site', id: site._id })
  await page.goto('/')
  const numbers = page.getByRole('region', { name: 'Needs you', exact: true })
  await numbers.getByRole('link', { name: '3 suggested changes', exact: true }).click()
  await expect(page).toHaveURL(/#suggestions-title$/)
  await expect(page.getByRole('heading', { name: 'Suggested changes to decide 3', exact: true })).toBeInViewport()
  expect(await page.evaluate(listShifted), 'nothing on the page moves').toEqual([])
  await expectAccessible(page)
  await expect(page.getByRole('link', { name: /^Requests ?, 4 waiting/ })).toBeVisible()
  const fax = numbers.getByRole('listitem').filter({ hasText: `Fax of ${site.displayName}` })
  await expect(fax).toContainText(/empty\s*661-555-0187/)
  // Accepted and undone: nothing was sent.
  await fax.getByRole('button', { name: /^Accept / }).click()
  await expect(page.getByText(`Accepted: Fax, ${site.displayName}.`)).toBeVisible()
  await expect(fax).toContainText('Accepted')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await fax.getByRole('button', { name: /^Accept / }).click()
  expect((await sendCall(context, readProposal, { id: short })).state).toBe('open')
  // It is sent at the latest on the next navigation.
  await numbers
    .getByRole('listitem')
    .filter({ hasText: `2 changes of ${site.displayName}` })
    .getByRole('link', { name: /^Open / })
    .click()
  await expect(page).toHaveURL(new RegExp(`/requests/${long}$`))
  await expect.poll(async () => (await sendCall(context, readProposal, { id: short })).state).toBe('done')
  await page.goto('/')
  await numbers.getByRole('button', { name: /^Decline Finance number / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Why\?/).fill('The number is another one.')
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(numbers.getByRole('link', { name: '1 suggested change', exact: true })).toBeVisible()
  expect(findRecord((await sendCall(context, readProposal, { id: third })).fields, 'field', () => true).word).toBe(
    'The number is another one.',
  )
  await numbers.getByRole('link', { name: 'All: Requests to answer', exact: true }).click()
  await expect(page).toHaveURL(/\/requests$/)
  await page.goto('/')
  const latest = page.getByRole('region', { name: 'Latest changes at your sites', exact: true })
  await latest.getByRole('link', { name: site.displayName, exact: true }).first().click()
  await expect(page.getByRole('dialog')).toContainText('suggested by')
  await page.goto('/')
  await latest.getByRole('link', { name: 'All activity', exact: true }).click()
  await expect(page).toHaveURL(/\/activity$/)

  // The sender can read the answers, which link to the outcome.
  await principal.goto('/')
  await needs.getByRole('listitem').filter({ hasText: 'Declined by' }).getByRole('link').click()
  await expect(principal).toHaveURL(new RegExp(`/requests/${third}$`))

  // Someone without responsibilities has nothing to do.
  const quiet = await browser.newContext({ baseURL, storageState: SIGNED_OUT })
  const reader = await quiet.newPage()
  await signIn(reader, 'level10@sample.test')
  await expect(reader.getByText('Nothing needs you today')).toBeVisible()
  await expectAccessible(reader)
  await quiet.close()
  await phone.close()
})
