import { sql } from 'kysely'
import sharp from 'sharp'

import { saveCheckSettings } from '../../../src/features/changing/checks/contract.ts'
import { listRequests } from '../../../src/features/changing/requests/contract.ts'
import { createPerson, listLeadershipRoles } from '../../../src/records/people/contract.ts'
import { saveSettings } from '../../../src/records/settings/contract.ts'
import { addSiteStaff } from '../../../src/records/site-staff/contract.ts'
import { readSite } from '../../../src/records/sites/contract.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { expectAccessible } from '../accessibility.ts'
import { expect, signIn, test as base } from '../fixtures.ts'
import { findRecord, newSite, sendCall } from '../records.ts'

/** A separate server, which sends its mails to a mail server. */
const test = base.extend<{ mail: MailServer; server: TestServer }>({
  mail: async ({}, provide) => {
    const mail = await startMailServer()
    await provide(mail)
    await mail.stop()
  },
  server: async ({ mail }, provide) => {
    const server = await startServer({ SMTP_URL: mail.url, MAIL_FROM: 'Homeroom <homeroom@network.test>' })
    await provide(server)
    await server.stop()
  },
  baseURL: async ({ server }, provide) => provide(server.url),
})

/** The text of a mail, without the line breaks of its encoding. */
const toPlainText = (mail: string): string => mail.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n', '\n')

/** Waits for the mail to an address about suggestions, or with the given subject. */
const waitForMail = async (mail: MailServer, address: string, subject = /[Ss]ugg/): Promise<string> => {
  const find = () => mail.received.find(({ to, text }) => to.includes(address) && subject.test(/^Subject: (.*)$/m.exec(text)?.[1] ?? ''))
  await expect.poll(() => find() !== undefined, { timeout: 60_000 }).toBe(true)
  return toPlainText(find()?.text ?? '')
}

const SIGNED_OUT = { cookies: [], origins: [] }
const STAFF = 'level10@sample.test'
const ADMINISTRATOR = 'level5@sample.test'
const PRINCIPAL = 'miriam.kealoha@sample.test'

test(
  'staff suggest two fields and a photo, an administrator decides on each, and a month later the site is checked',
  { tag: '@all' },
  async ({ page, context, browser, baseURL, mail, server }) => {
    test.setTimeout(150_000)
    await signIn(page, ADMINISTRATOR)
    await sendCall(context, saveSettings, {}, { changeRequestsTo: [{ region: null, emails: [ADMINISTRATOR] }] })
    const site = await newSite(context)

    // Suggested from a phone; a reload loses nothing.
    const phone = await browser.newContext({ baseURL, storageState: SIGNED_OUT, viewport: { width: 390, height: 844 } })
    const sender = await phone.newPage()
    await signIn(sender, STAFF)
    await sender.goto(`/location/${site.slug}`)
    await sender.getByRole('button', { name: 'More actions', exact: true }).click()
    await sender.getByRole('menuitem', { name: 'Request a Change', exact: true }).click()
    await expect(sender.getByRole('note')).toContainText('An administrator decides.')
    await sender.getByRole('button', { name: /^Send Suggestion/ }).click()
    await expect(sender.getByText('Nothing is changed yet')).toBeVisible()
    await sender.locator('input[name="address.phone"]').fill('661-555-0187')
    await sender.locator('input[name="address.city"]').fill('Palmdal')
    await sender.getByLabel('Why should this change?').fill('The old number rings at the dental office.')
    await sender.reload()
    await sender.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(sender.locator('[data-field="address.phone"]')).toContainText(/Now: 661-555-0140\s+suggested:\s+661-555-0187/)
    const picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#27a' } })
      .png()
      .toBuffer()
    await sender
      .locator('[data-field="photo"] input[type=file]')
      .setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer: picture })
    await expect(sender.getByText('3 suggested changes')).toBeVisible()
    await sender.getByRole('button', { name: /^Send Suggestion/ }).click()
    await expect(sender.getByText('Your suggestion is sent.')).toBeVisible()
    await expect(sender.getByRole('link', { name: 'Call 661-555-0140', exact: true })).toBeVisible()

    // The mail to people who decide links to the decision page.
    const received = await waitForMail(mail, ADMINISTRATOR)
    expect(received).toContain('Now: 661-555-0140\n  Suggested: 661-555-0187')
    expect(received).toContain('The old number rings at the dental office.')
    const { requests } = await sendCall(context, listRequests)
    const { _id } = findRecord(requests, 'suggestion', ({ openFields }) => openFields === 3)
    expect(received).toContain(`/requests/${_id}`)

    // Decided field by field with the keyboard where possible; choices survive a reload.
    await page.goto(`/requests/${_id}`)
    const field = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await page.getByRole('button', { name: /^Save and Answer/ }).click()
    await page.getByRole('heading', { level: 1 }).click()
    const buttons = (name: string) => page.getByRole('group', { name: `Decision: ${name}`, exact: true })
    await buttons('Phone').getByRole('button', { name: 'Accept', exact: true }).click()
    await buttons('City').getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('input[name="address.city"]').fill('Palmdale')
    await buttons('Photo').getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByRole('button', { name: /^Save and Answer/ }).click()
    await expect(field('Photo')).toContainText('Please give a reason')
    await page.getByLabel('Reason, sent to').fill('It shows the house next door.')
    await page.reload()
    await expect(page.getByRole('status').filter({ hasText: '2 accepted, 1 declined' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Control+s')
    await expect(page.getByText(/2 accepted, 1 declined\. .* gets an email\./)).toBeVisible()
    await expect(field('Photo')).toContainText('It shows the house next door.')

    const saved = await sendCall(context, readSite, { slug: site._id })
    expect([saved.address.phone, saved.address.city, saved.photo]).toEqual(['661-555-0187', 'Palmdale', null])
    await page.goto(`/location/${site.slug}?history=1`)
    await expect(page.getByRole('dialog')).toContainText('suggested by')

    // The sender is notified.
    const answer = await waitForMail(mail, STAFF)
    expect(answer).toContain('Accepted: Phone, 661-555-0187')
    expect(answer).toContain('Accepted: City, changed to Palmdale (you suggested Palmdal)')
    expect(answer).toContain('Why: It shows the house next door.')
    await sender.goto('/requests')
    await sender.getByRole('link', { name: site.displayName }).click()
    await expect(sender.getByRole('heading', { name: `Suggested changes to ${site.displayName}`, exact: true })).toBeVisible()
    await expect(sender.getByRole('listitem').filter({ hasText: 'Declined' })).toContainText('It shows the house next door.')
    await expect(sender.getByRole('button', { name: 'Withdraw', exact: true })).toHaveCount(0)
    await expectAccessible(sender)
    await phone.close()

    // A month later the principal is asked to check everything.
    const [role] = (await sendCall(context, listLeadershipRoles)).filter(({ name }) => name === 'Principal')
    const person = await sendCall(context, createPerson, {}, { name: 'Miriam Kealoha', email: PRINCIPAL })
    await sendCall(context, addSiteStaff, { id: site._id }, { person: person._id, role_match: role?._id ?? '' })
    await server.db
      .updateTable('site')
      .set({ checkedAt: sql<Date>`now() - interval '31 days'` })
      .where('_id', '=', site._id)
      .execute()
    await sendCall(context, saveCheckSettings, {}, { intervals: { site: 30 } })
    const check = await waitForMail(mail, PRINCIPAL, /right/)
    expect(check).toContain('Phone: 661-555-0187')
    const link = /Everything is right: (\S+)/.exec(check)?.[1] ?? ''
    expect(new URL(link).pathname).toBe(`/location/${site.slug}`)
    const desk = await browser.newContext({ baseURL, storageState: SIGNED_OUT })
    const principal = await desk.newPage()
    await signIn(principal, PRINCIPAL)
    // The home page asks for it as well.
    await expect(principal.getByRole('button', { name: `Everything is right: ${site.displayName}`, exact: true })).toBeVisible()
    await principal.goto(link)
    const strip = principal.getByRole('region', { name: 'Last check', exact: true })
    await expect(strip).toContainText('Not checked since')
    await expect(strip.getByRole('button', { name: 'Everything is right', exact: true })).toBeFocused()
    await principal.keyboard.press('Enter')
    await expect(strip).toContainText('Checked just now by you.')
    expect((await sendCall(context, readSite, { slug: site._id })).checkedBy).toBe('Miriam Kealoha')
    await principal.goto('/')
    await expect(principal.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(principal.getByRole('button', { name: `Everything is right: ${site.displayName}`, exact: true })).toHaveCount(0)
    await desk.close()
  },
)
