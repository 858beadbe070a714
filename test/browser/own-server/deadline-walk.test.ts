import type { Page } from '@playwright/test'
import ICAL from 'ical.js'

import { createDayFormat, formatDay, toIsoDay } from '../../../src/contract/dates.ts'
import { listDeadlines, readDeadlineSettings, saveDeadlineSettings } from '../../../src/features/deadlines/deadlines/contract.ts'
import { addDays } from '../../../src/features/deadlines/deadlines/rules.ts'
import { createPerson } from '../../../src/records/people/contract.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { input, isReadOnly, open, recorded, submit } from '../affair-form.ts'
import { expect, signIn, test as base } from '../fixtures.ts'
import { findRecord, sendCall } from '../records.ts'

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

const ADDRESS = 'level5@sample.test'
const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')
/** The lead time of its kind, so that the reminder is due immediately. */
const DATE = addDays(TODAY, 7)

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Oversight visit', exact: true }) })

/** The events of a feed, parsed like a calendar program. */
const readFeed = async (page: Page, url: string) => {
  const answer = await page.request.get(url, { headers: { cookie: '' } })
  expect(answer.status()).toBe(200)
  const calendar = new ICAL.Component(ICAL.parse(await answer.text()) as never[])
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, summary, startDate } = new ICAL.Event(component)
    return { uid, summary, date: startDate.toString() }
  })
}

/** The text of a mail, without the line breaks of its encoding. */
const toPlainText = (mail: string): string => mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')

test('a date in words is read, assigned, sent as a reminder, subscribed to, handled, and gone from the feed', async ({
  page,
  context,
  mail,
}) => {
  test.setTimeout(240_000)
  await signIn(page, ADDRESS)
  const me = await sendCall(context, createPerson, {}, { name: 'Corinne Adler', email: ADDRESS })
  const charter = await recorded(context)
  // A reminder is sent only once, so a round before the assignment must find nobody responsible.
  const { kinds } = await sendCall(context, readDeadlineSettings)
  const { leadDays } = findRecord(kinds, 'kind', ({ kind }) => kind === 'oversight')
  await sendCall(context, saveDeadlineSettings, {}, { kinds: [{ kind: 'oversight', leadDays, responsible: null, regions: [] }] })

  // Typed in words, and recognized below the field while typing.
  await open(page, charter)
  const words = `Visit on ${createDayFormat({ month: 'long', day: 'numeric', year: 'numeric' })(DATE)}, 9 AM`
  await input(page, 'overview.oversight_date').fill(words)
  await expect(page.locator('[data-field="overview.oversight_date"]')).toContainText(`Read as ${formatDay(DATE)} · in 7 days`)
  await submit(page).click()
  await isReadOnly(page)

  // Found on the deadlines page, and assigned.
  await page.getByRole('link', { name: `1 deadline, next ${formatDay(DATE)}`, exact: true }).click()
  await expect(row(page)).toContainText(words)
  await row(page).getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Responsible', exact: true }).fill(me.name)
  await button(page, `Select ${me.name}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/deadlines?charter=${charter.slug}&responsible=me`)
  await expect(row(page)).toContainText('in 7 days')

  // Subscribed to.
  await button(page, 'Calendar feed').click()
  await button(page, 'Create feed').click()
  const url = await page.getByLabel('Or copy the private address', { exact: true }).inputValue()
  const [event, ...others] = await readFeed(page, url)
  expect([event, others]).toMatchObject([{ summary: `Oversight visit: ${charter.name}`, date: DATE }, []])
  await button(page, 'Copy').click()
  await button(page, 'Done').click()

  // A reminder is mailed: the next round runs within a minute.
  const listOwnMails = () => mail.received.filter(({ to }) => to.includes(ADDRESS))
  await expect.poll(() => listOwnMails().length, { timeout: 120_000 }).toBe(1)
  const [reminder] = listOwnMails()
  expect(reminder?.to).toEqual([ADDRESS])
  const text = toPlainText(reminder?.text ?? '')
  expect(text).toContain('Subject: Your deadlines: 1 coming')
  expect(text).toContain('Oversight visit')
  expect(text).toContain(`/charter_affair/${charter.slug}`)
  expect(text).not.toContain(new URL(url).pathname)

  // The link in the mail opens the field; the deadline is handled, and leaves the feed of open ones.
  await page.goto(`/charter_affair/${charter.slug}`)
  await expect(page.getByText(`Read as ${formatDay(DATE)} · in 7 days`, { exact: true })).toBeVisible()
  await page.goto(`/deadlines?charter=${charter.slug}&responsible=me`)
  await row(page).getByRole('button', { name: 'Handled', exact: true }).click()
  await expect(row(page)).toContainText('Handled by you just now')
  expect(await readFeed(page, url)).toEqual([])
  expect((await sendCall(context, listDeadlines)).filter((one) => one.charter?._id === charter._id)).toMatchObject([
    { state: 'handled', responsible: { _id: me._id } },
  ])
  expect(listOwnMails()).toHaveLength(1)
})
