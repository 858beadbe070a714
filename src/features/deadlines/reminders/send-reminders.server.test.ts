import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { startMailServer } from '../../../../test/support/mail-server.ts'
import { startMail } from '../../../app/app.server.ts'
import { createDeparture } from '../../../app/departures/contract.ts'
import { formatDay } from '../../../contract/dates.ts'
import { setActor } from '../../../database/connection.server.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { createDeadline, listDeadlines, updateDeadline, saveDeadlineSettings } from '../deadlines/contract.ts'
import { addDays } from '../deadlines/rules.ts'
import { readReminderPreferences, saveReminderPreferences } from './contract.ts'
import { toLocalTime } from './rules.ts'
import { sendReminders } from './send-reminders.server.ts'

const ZONE = 'America/Los_Angeles'
/** A Wednesday, at noon in Los Angeles. */
const START = '2026-12-02'

/** Noon in Los Angeles, or another hour there, on days when the clock does not change in the first hours. */
const at = (day: string, hour = 12): Date => {
  const guess = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
  const offset = (24 + hour - toLocalTime(guess, ZONE).hour) % 24
  return new Date(guess.getTime() + offset * 3_600_000)
}

let clock: Date
let app: TestApp
beforeEach(async () => {
  clock = at(START)
  app = await startApp({ TIME_ZONE: ZONE }, undefined, undefined, () => clock)
})
afterEach(() => app.stop())

const setUp = async () => {
  const { make, as } = app
  const charter = await make.charter()
  const site = await make.site({ charter: charter._id })
  const person = await make.person({ email: 'ana.ruiz@network.test' })
  const officer = as(5)
  /** Adds a deadline at the fake clock's time. */
  const add = async (values: object): Promise<string> => {
    const body = { title: 'Renew', date: addDays(START, 30), kind: 'lease', site: site._id, responsible: person._id, ...values }
    const { _id } = await officer.send(createDeadline, { body: body as never })
    await date(_id)
    return _id
  }
  /** The database uses its own clock. */
  const date = async (_id: string): Promise<void> => {
    await app.context.db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Test' })
      await tx.updateTable('deadline').set({ datedAt: clock }).where('_id', '=', _id).execute()
    })
    await app.context.lists.invalidate(['deadline'])
  }
  return { ...app, charter, site, person, officer, add, date }
}

const listMails = () => app.context.db.selectFrom('mail').selectAll().orderBy('createdAt').execute()
/** Subjects and recipients of the emails since the last call. */
let seen = 0
beforeEach(() => void (seen = 0))
const run = async (moment?: Date, server = app) => {
  if (moment) clock = moment
  await sendReminders(server.context)
  const mails = await listMails()
  const fresh = mails.slice(seen)
  seen = mails.length
  return fresh.map(({ kind, recipients, subject }) => `${kind} ${recipients.join(' ')}: ${subject}`)
}
/** Marks the digests of all weeks as sent, so that only reminders are sent. */
const stopDigests = () => app.context.db.insertInto('deadline_round').values({ at: clock, digest: '2099-12-28' }).execute()
const ONE = 'reminder ana.ruiz@network.test: Your deadlines: 1 coming'
const OVERDUE = 'reminder ana.ruiz@network.test: Your deadlines: 1 overdue'

describe('a reminder', () => {
  beforeEach(stopDigests)

  test('is sent at each lead time in the morning, and every week while the deadline is overdue', async () => {
    const { add } = await setUp()
    await add({ date: addDays(START, 40) })
    const received: string[] = []
    for (let day = 0; day <= 60; day++)
      for (const hour of [6, 7])
        for (const mail of await run(at(addDays(START, day), hour))) received.push(`${day - 40} at ${hour}: ${mail}`)
    // The lead time of 60 days had passed already.
    expect(received).toEqual([...[-30, -7, -1].map((day) => `${day} at 7: ${ONE}`), ...[1, 8, 15].map((day) => `${day} at 7: ${OVERDUE}`)])
  })

  test('is sent for the day on which a deadline is added, even at night', async () => {
    const { add } = await setUp()
    clock = at(START, 2)
    await add({ date: addDays(START, 7) })
    expect(await run()).toEqual([ONE])
    expect(await run()).toEqual([])
  })

  test('of several deadlines is one mail that lists them', async () => {
    const { add, charter, site } = await setUp()
    await app.make.permission({ applicationID: 'homeroom', azureID: 'Ana.Ruiz@network.test', accessLevel: 6 })
    await add({ title: 'Lease of the annex' })
    await add({ title: 'Audit & <b>report</b>', date: addDays(START, -3), kind: 'funding', charter: charter._id, site: null })
    expect(await run()).toEqual(['reminder Ana.Ruiz@network.test: Your deadlines: 1 overdue, 1 coming'])
    const [mail] = await listMails()
    expect(mail?.body).toContain('Nov 29 (3 days overdue): Audit & <b>report</b>')
    expect(mail?.body).toContain(`Lease, ${site.displayName}`)
    expect(mail?.html).toContain('Audit &amp; &lt;b&gt;report&lt;/b&gt;')
    expect(mail?.html).toContain(`href="${app.context.configuration.publicUrl}/charter_affair/${charter.slug}"`)
  })

  test('is not sent for a deadline that is handled, or put off until a later day', async () => {
    const { add, officer } = await setUp()
    const handled = await add({})
    await officer.send(updateDeadline, { params: { id: handled }, body: { state: 'handled' } })
    const putOff = await add({ title: 'Put off' })
    await officer.send(updateDeadline, { params: { id: putOff }, body: { state: 'snoozed', snoozedUntil: addDays(START, 24) } })
    expect(await run()).toEqual([])
    // The lead time of 7 days passes in the meantime.
    expect(await run(at(addDays(START, 23)))).toEqual([])
    expect(await run(at(addDays(START, 24), 8))).toEqual([ONE])
    expect(await run(at(addDays(START, 24), 9))).toEqual([])
  })

  test('is sent again at the lead times of a changed date', async () => {
    const { add, officer, date } = await setUp()
    const id = await add({})
    expect(await run()).toEqual([ONE])
    clock = at(addDays(START, 1))
    await officer.send(updateDeadline, { params: { id }, body: { date: addDays(START, 31) } })
    await date(id)
    expect(await run()).toEqual([ONE])
    await officer.send(updateDeadline, { params: { id }, body: { date: addDays(START, 50) } })
    await date(id)
    expect(await run()).toEqual([])
    expect(await run(at(addDays(START, 20)))).toEqual([ONE])
  })

  test('follows the lead times of the settings; a new lead time applies from then on', async () => {
    const { add, officer } = await setUp()
    const save = (leadDays: number[]) =>
      officer.send(saveDeadlineSettings, { body: { kinds: [{ kind: 'lease', leadDays, responsible: null, regions: [] }] } })
    await add({ date: addDays(START, 45) })
    await save([45, 10])
    expect(await run()).toEqual([ONE])
    clock = at(addDays(START, 3))
    await save([45, 44, 41, 10])
    expect(await run()).toEqual([])
    expect(await run(at(addDays(START, 4)))).toEqual([ONE])
  })

  test('goes to the default person of the region or the kind, or to the person responsible at that time', async () => {
    const { add, officer, make } = await setUp()
    const [first, second] = [await make.person({ email: 'first@network.test' }), await make.person({ email: 'second@network.test' })]
    await officer.send(saveDeadlineSettings, {
      body: { kinds: [{ kind: 'lease', leadDays: [30, 7], responsible: first._id, regions: [] }] },
    })
    const id = await add({ responsible: null })
    expect(await run()).toEqual(['reminder first@network.test: Your deadlines: 1 coming'])
    await officer.send(updateDeadline, { params: { id }, body: { responsible: second._id } })
    expect(await run()).toEqual([])
    expect(await run(at(addDays(START, 23)))).toEqual(['reminder second@network.test: Your deadlines: 1 coming'])
  })

  test('stays pending until someone is responsible', async () => {
    const { add, officer, person } = await setUp()
    const id = await add({ responsible: null })
    expect(await run()).toEqual([])
    await officer.send(updateDeadline, { params: { id }, body: { responsible: person._id } })
    expect(await run()).toEqual([ONE])
  })

  test('is not sent to a person who left or has no email address', async () => {
    const { add, as, make, person } = await setUp()
    const silent = await make.person({ email: null })
    await add({})
    await add({ responsible: silent._id })
    await as(6).send(createDeparture, { params: { id: person._id }, body: {} })
    expect(await run()).toEqual([])
  })

  test('of a charter is sent only to people who can read charter affairs', async () => {
    const { add, make, charter } = await setUp()
    const ofCharter = { charter: charter._id, site: null, title: 'Secret of the charter', kind: 'dass' }
    await add(ofCharter)
    expect(await run()).toEqual([])
    await make.permission({ applicationID: 'homeroom', azureID: 'ANA.RUIZ@network.test', accessLevel: 7 })
    expect(await run()).toEqual([])
    const reader = app.as(6)
    const { azureID } = await reader.who()
    await add({ ...ofCharter, responsible: (await make.person({ email: azureID.toUpperCase() }))._id })
    expect(await run()).toEqual([`reminder ${azureID}: Your deadlines: 1 coming`])
  })
})

test('arrives at a mail server as text and as HTML', async () => {
  const server = await startMailServer()
  const sender = await startApp(
    { TIME_ZONE: ZONE, SMTP_URL: server.url, MAIL_FROM: 'homeroom@network.test' },
    undefined,
    undefined,
    () => clock,
  )
  const site = await sender.make.site()
  const person = await sender.make.person({ email: 'ana.ruiz@network.test' })
  const body = { title: 'Renew', date: addDays(START, -3), kind: 'lease', site: site._id, responsible: person._id } as const
  await sender.as(5).send(createDeadline, { body })
  startMail(sender.context)
  await sendReminders(sender.context)
  await server.waitForMails(1)
  expect(server.received[0]).toMatchObject({ to: ['ana.ruiz@network.test'], from: 'homeroom@network.test' })
  const text = server.received[0]?.text ?? ''
  expect(text).toContain('Subject: Your deadlines: 1 overdue')
  expect(text).toContain('Content-Type: multipart/alternative')
  expect(text.indexOf('Content-Type: text/plain')).toBeLessThan(text.indexOf('Content-Type: text/html'))
  await sender.stop()
  await server.stop()
})

describe('email preferences', () => {
  beforeEach(stopDigests)

  test('belong to an account and are all on at first', async () => {
    const [one, other] = [app.as(10), app.as(10)]
    expect(await one.send(readReminderPreferences)).toEqual({ reminders: true, digest: true, checks: true })
    const body = { reminders: false, digest: true, checks: true }
    expect(await one.send(saveReminderPreferences, { body })).toEqual(body)
    expect(await one.send(saveReminderPreferences, { body: { reminders: false, digest: false } })).toEqual({
      reminders: false,
      digest: false,
      checks: true,
    })
    expect(await one.send(readReminderPreferences)).toEqual({ reminders: false, digest: false, checks: true })
    expect(await other.send(readReminderPreferences)).toEqual({ reminders: true, digest: true, checks: true })
    expect((await one.trySend(saveReminderPreferences, { body: { reminders: true } as never })).statusCode).toBe(422)
  })

  test('turn off reminders; reminders that were due while off are not sent after they are turned on', async () => {
    const { add, as, make } = await setUp()
    const reader = as(10)
    const { azureID } = await reader.who()
    await add({ responsible: (await make.person({ email: azureID }))._id })
    await reader.send(saveReminderPreferences, { body: { reminders: false, digest: true } })
    expect(await run()).toEqual([])
    await reader.send(saveReminderPreferences, { body: { reminders: true, digest: true } })
    expect(await run()).toEqual([])
    expect(await run(at(addDays(START, 23)))).toEqual([`reminder ${azureID}: Your deadlines: 1 coming`])
  })
})

describe('the weekly summary', () => {
  const MONDAY = '2026-12-07'

  test('is sent on Monday from 7 in the morning, once, to responsible people and to level 5 and lower', async () => {
    const { add, as, officer } = await setUp()
    const [manager, reader] = [as(1), as(6)]
    await reader.who()
    await add({ title: 'Late', date: addDays(START, -1) })
    await add({ title: 'Soon', date: addDays(MONDAY, 2) })
    await add({ title: 'Next', date: addDays(MONDAY, 20) })
    await add({ title: 'Far', date: addDays(MONDAY, 300) })
    await add({ title: 'Nobody’s', date: addDays(MONDAY, 200), responsible: null })
    await run()
    expect(await run(at(addDays(MONDAY, -1)))).not.toContainEqual(expect.stringMatching(/^digest/))
    expect(await run(at(MONDAY, 6))).toEqual([])
    const [officerAddress, managerAddress] = [(await officer.who()).azureID, (await manager.who()).azureID]
    expect((await run(at(MONDAY, 7))).toSorted()).toEqual(
      [
        'digest ana.ruiz@network.test: Your deadlines this week: 1 overdue, 1 coming',
        `digest ${managerAddress}: Deadlines this week: 1 overdue, 1 coming`,
        `digest ${officerAddress}: Deadlines this week: 1 overdue, 1 coming`,
      ].toSorted(),
    )
    const mails = await listMails()
    const own = mails.find(({ kind, recipients }) => kind === 'digest' && recipients[0] === 'ana.ruiz@network.test')?.body
    const all = mails.find(({ kind, recipients }) => kind === 'digest' && recipients[0] === managerAddress)?.body
    expect(own).toContain('Your week, Dec 7 to 13')
    expect(own).toContain('One of your deadlines is overdue, one is due this week and one is due in the next 30 days.')
    for (const title of ['Late', 'Soon', 'Next']) expect([own, all].every((body) => body?.includes(`: ${title}\n`))).toBe(true)
    expect([own, all].some((body) => body?.includes('Far'))).toBe(false)
    expect([own?.includes('Nobody’s'), all?.includes('Nobody’s')]).toEqual([false, true])
    expect(await run(at(MONDAY, 8))).toEqual([])
    expect(await run(at(addDays(MONDAY, 1)))).not.toContainEqual(expect.stringMatching(/^digest/))
  })

  test('includes the reminders of that morning', async () => {
    const { add } = await setUp()
    await add({ title: 'At sixty days', date: addDays(MONDAY, 60) })
    await run()
    const mails = await run(at(MONDAY, 9))
    expect(mails.filter((mail) => mail.includes('ana.ruiz'))).toEqual(['digest ana.ruiz@network.test: Your deadlines this week: 1 later'])
    expect(await run(at(MONDAY, 10))).toEqual([])
  })

  test('counts the dates to confirm, about which nothing else is sent', async () => {
    const { charter, person, officer } = await setUp()
    await app.make.permission({ applicationID: 'homeroom', azureID: 'ana.ruiz@network.test', accessLevel: 6 })
    const text = `${formatDay(addDays(START, -3))} or ${formatDay(addDays(MONDAY, 3))}`
    const save = (overview: object) => officer.send(saveCharterAffair, { params: { id: charter._id }, body: { overview } })
    await save({ oversight_date: text, dass_due_date: text, fol_visit: text })
    const proposals = await officer.send(listDeadlines, { query: { proposed: 'true' } })
    expect(proposals).toHaveLength(3)
    for (const { _id } of proposals.slice(1)) await officer.send(updateDeadline, { params: { id: _id }, body: { responsible: person._id } })
    expect(await run()).toEqual([])
    const address = (await officer.who()).azureID
    expect((await run(at(MONDAY, 9))).toSorted()).toEqual(
      [
        'digest ana.ruiz@network.test: Your deadlines this week: 2 dates to confirm',
        `digest ${address}: Deadlines this week: 3 dates to confirm`,
      ].toSorted(),
    )
    const own = (await listMails()).find(({ recipients }) => recipients[0] === 'ana.ruiz@network.test')?.body
    expect(own).toContain('2 dates to confirm: no reminders are sent about dates that are not certain.')
    expect(own).toContain(`2 dates to confirm (${app.context.configuration.publicUrl}/deadlines?view=sort-out&responsible=me)`)
    await officer.send(updateDeadline, { params: { id: proposals[1]?._id ?? '' }, body: { confirmed: true, date: addDays(MONDAY, 300) } })
    expect(await run(at(addDays(MONDAY, 7), 9))).toContain('digest ana.ruiz@network.test: Your deadlines this week: 1 date to confirm')
  })

  test('is not sent if it is empty, or if it is turned off', async () => {
    const { add, officer } = await setUp()
    await add({ date: addDays(MONDAY, 100) })
    await run()
    expect(await run(at(MONDAY, 9))).toEqual([])
    await add({ date: addDays(MONDAY, 25), responsible: null })
    await officer.send(saveReminderPreferences, { body: { reminders: true, digest: false } })
    expect(await run(at(addDays(MONDAY, 7), 9))).toEqual([])
  })

  test('names responsible people who get no mail', async () => {
    const { add, make, officer, charter } = await setUp()
    await officer.who()
    const silent = await make.person({ email: null, name: 'Wendell Obi' })
    await add({ responsible: silent._id })
    await add({ charter: charter._id, site: null, title: 'Of the charter' })
    await run()
    await run(at(MONDAY, 9))
    const digest = (await listMails()).find(({ kind }) => kind === 'digest')?.body
    expect(digest).toContain('Nobody responsible (2)')
    expect(digest).toContain('Wendell Obi has no email address')
    expect(digest).toContain('may not read charter affairs')
  })
})

describe('each mail is sent once', () => {
  test('while two servers run at the same time', async () => {
    const { add } = await setUp()
    const second = await app.startSecond()
    await add({})
    await second.catchUp()
    const sent = await Promise.all([app, second, app, second].map(({ context }) => sendReminders(context)))
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await run(undefined, second)).toEqual([ONE])
    expect(await run(undefined, app)).toEqual([])
  })

  test('three days without a server are covered by one mail, which says so', async () => {
    const { add } = await setUp()
    const FRIDAY = addDays(START, 2)
    for (const days of [8, 9, 10, 14]) await add({ title: `In ${days}`, date: addDays(FRIDAY, days) })
    await run(at(FRIDAY, 6))
    // No server runs from Friday morning until Monday noon: lead times of 7 days on Saturday, Sunday and Monday, and the digest.
    const mails = await run(at(addDays(FRIDAY, 3), 12))
    expect(mails.filter((mail) => mail.includes('ana.ruiz'))).toEqual(['digest ana.ruiz@network.test: Your deadlines this week: 3 coming'])
    const body = (await listMails()).at(-1)?.body ?? ''
    expect(body).toContain('No reminders could be sent since 12/04/2026.')
    for (const days of [8, 9, 10]) expect(body).toContain(`: In ${days}\n`)
    expect(await run(at(addDays(FRIDAY, 3), 13))).toEqual([])
  })

  test('nothing is sent or recorded if the mail cannot be stored', async () => {
    const { add } = await setUp()
    await add({})
    const { mail } = app.context
    const enqueue = mail.enqueue.bind(mail)
    mail.enqueue = async (tx, one) => {
      await enqueue(tx, one)
      throw new Error('Switched off')
    }
    await expect(sendReminders(app.context)).rejects.toThrow('Switched off')
    mail.enqueue = enqueue
    expect(await run()).toEqual([ONE])
  })
})
