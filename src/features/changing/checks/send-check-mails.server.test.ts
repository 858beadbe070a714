import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../../test/support/app.ts'
import { CHECK_FACTS } from '../../../app/scheduled-jobs.server.ts'
import { DAY_MS } from '../../../contract/dates.ts'
import { saveReminderPreferences } from '../../deadlines/reminders/contract.ts'
import { createCheck, deleteCheck, saveCheckSettings } from './contract.ts'
import { sendCheckMails } from './send-check-mails.server.ts'

/** Starts at the real time, which triggers and sessions use too, and advances a fake clock from it. */
const START = new Date()
const day = (days: number): Date => new Date(START.getTime() + days * DAY_MS)

let clock: Date
let app: TestApp
beforeEach(async () => {
  clock = START
  app = await startApp({ TIME_ZONE: 'America/Los_Angeles' }, undefined, undefined, () => clock)
})
afterEach(() => app.stop())

const listMails = () => app.context.db.selectFrom('mail').selectAll().orderBy('createdAt').orderBy('subject').execute()
/** Recipients and subjects of the emails of a run, by recipient. */
const run = async (days?: number, server = app): Promise<string[]> => {
  if (days !== undefined) clock = day(days)
  const before = new Set((await listMails()).map(({ _id }) => _id))
  await sendCheckMails(server.context, CHECK_FACTS)
  const fresh = (await listMails()).filter(({ _id }) => !before.has(_id))
  return fresh.map(({ recipients, subject }) => `${recipients.join(' ')}: ${subject}`).toSorted()
}

const setUp = async () => {
  const { make } = app
  const principal = await make.person({ name: 'Miriam Kealoha', email: 'Miriam@network.test' })
  const makeSite = async (displayName: string, checkedDays: number | null, roles: readonly string[] = ['Principal']) => {
    const site = await make.site({
      displayName,
      phone: '530-555-0176',
      ...(checkedDays === null ? {} : { checkedAt: day(checkedDays), checkedBy: 'Miriam Kealoha' }),
    })
    for (const role of roles) await make.sitePerson(site._id, role, principal._id)
    return site
  }
  return { ...app, principal, makeSite }
}

const CHICO = 'Miriam@network.test: Is everything right at Chico Resource Center?'

describe('a mail that requests a check', () => {
  test('is sent once when the check is due, once more after two weeks, and then not again', async () => {
    const { makeSite } = await setUp()
    await makeSite('Chico Resource Center', -179, ['Principal', 'Student Relations Manager', 'Registrar'])
    const received: string[] = []
    for (let now = 0; now <= 60; now++) for (const mail of await run(now)) received.push(`${now}: ${mail}`)
    expect(received).toEqual([`1: ${CHICO}`, `15: ${CHICO.replace('Is', 'Reminder: Is')}`])
  })

  test('shows the values of the record, and has links that ask before anything is checked', async () => {
    const { makeSite, context } = await setUp()
    const site = await makeSite('Chico & <b>Sons</b>', -200)
    await run()
    const [mail] = await listMails()
    expect(mail?.body).toMatch(/You last checked it on \d\d\/\d\d\/\d{4}\. If all of this is still so, press “Everything is right”\./)
    for (const line of ['Phone: 530-555-0176', 'Fax: No number on file', 'Principal: Miriam Kealoha', 'Student Relations Manager: Vacant'])
      expect(mail?.body).toContain(`${line}\n`)
    const page = `${context.configuration.publicUrl}/location/${site.slug}`
    expect(mail?.body).toContain(`Everything is right: ${page}?check=right`)
    expect(mail?.body).toContain(`Something is wrong: ${page}?check=wrong`)
    expect(mail?.body).toContain('because you have a leadership role at this site. We ask every 180 days, and once more after 14 days.')
    expect(mail?.body).toContain(`Change or stop these emails (${context.configuration.publicUrl}/account).`)
    expect(mail?.html).toContain('Chico &amp; &lt;b&gt;Sons&lt;/b&gt;')
    expect(mail?.html).toContain(`href="${page}?check=right"`)
    expect(mail?.kind).toBe('check')
  })

  test('is one mail for all records of a person, and the next is sent at least a week later', async () => {
    const { makeSite } = await setUp()
    await makeSite('First', -185)
    await makeSite('Second', null)
    await makeSite('Third', -178)
    await makeSite('Fourth', -176)
    expect(await run(0)).toEqual(['Miriam@network.test: Are these 2 sites right?'])
    const received: string[] = []
    for (let now = 1; now <= 40; now++) for (const mail of await run(now)) received.push(`${now}: ${mail}`)
    expect(received).toEqual([
      '7: Miriam@network.test: Are these 2 sites right?',
      '14: Miriam@network.test: Reminder: Are these 2 sites right?',
      '21: Miriam@network.test: Reminder: Are these 2 sites right?',
    ])
  })

  test('is sent to many people in several runs, once to each', async () => {
    const { make } = app
    const addresses = Array.from({ length: 65 }, (_, at) => `leader-${at}@network.test`)
    for (const email of addresses) {
      const site = await make.site({ checkedAt: day(-200), checkedBy: 'Ana' })
      await make.sitePerson(site._id, 'Principal', (await make.person({ email }))._id)
    }
    const runs = [await run(0), await run(), await run(), await run()]
    expect(runs.map((mails) => mails.length)).toEqual([30, 30, 5, 0])
    expect(runs.flatMap((mails) => mails.map((mail) => mail.split(':')[0])).toSorted()).toEqual(addresses.toSorted())
  })

  test('is sent by only one of two servers', async () => {
    const { makeSite } = await setUp()
    await makeSite('Chico Resource Center', -200)
    const second = await app.startSecond()
    await Promise.all([sendCheckMails(app.context, CHECK_FACTS), sendCheckMails(second.context, CHECK_FACTS)])
    await run(0, second)
    await run(0)
    expect((await listMails()).map(({ subject }) => subject)).toEqual(['Is everything right at Chico Resource Center?'])
  })

  test('is not sent once the record was checked, and is sent again when that check is due', async () => {
    const { makeSite, as } = await setUp()
    const site = await makeSite('Chico Resource Center', -200)
    const manager = as(6)
    await manager.send(createCheck, { body: { kind: 'site', _id: site._id } })
    expect(await run(0)).toEqual([])
    await manager.send(deleteCheck, { params: { kind: 'site', id: site._id } })
    expect(await run(0)).toEqual([CHICO])
    clock = day(10)
    await manager.send(createCheck, { body: { kind: 'site', _id: site._id } })
    expect(await run(20)).toEqual([])
    expect(await run(189)).toEqual([])
    expect(await run(190)).toEqual([CHICO])
  })

  test('is not sent for closed sites, or to people who turned it off or have left', async () => {
    const { make, as } = await setUp()
    const leaderOf = async (address: string, overrides: object = {}) => {
      const site = await make.site({ checkedAt: day(-200), checkedBy: 'Ana', ...overrides })
      const person = await make.person({ email: address })
      await make.sitePerson(site._id, 'Principal', person._id)
    }
    await leaderOf('closed@network.test', { status: 'CLOSED - TEMPORARILY' })
    const reader = as(10)
    await leaderOf((await reader.who()).azureID)
    await reader.send(saveReminderPreferences, { body: { reminders: true, digest: true, checks: false } })
    expect(await run(0)).toEqual([])
    await reader.send(saveReminderPreferences, { body: { reminders: false, digest: true } })
    expect(await run(1)).toEqual([])
    await reader.send(saveReminderPreferences, { body: { reminders: false, digest: true, checks: true } })
    expect(await run(2)).toHaveLength(1)
  })

  test('goes to people who can edit if no closer person has an address, and follows the intervals of the kinds', async () => {
    const { make, makeSite, as, principal } = await setUp()
    await make.permission({ applicationID: 'homeroom', azureID: 'manager@network.test', accessLevel: 6 })
    const site = await make.site({ displayName: 'Without Leadership', checkedAt: day(-200), checkedBy: 'Ana' })
    await make.sitePerson(site._id, 'Principal', (await make.person({ email: null }))._id)
    expect(await run(0)).toEqual(['manager@network.test: Is everything right at Without Leadership?'])
    const [mail] = await listMails()
    expect(mail?.body).toContain('you can edit this record, and no one responsible for it has an email address')
    await makeSite('Chico Resource Center', -200)
    const officer = as(5)
    await officer.send(saveCheckSettings, { body: { intervals: { site: null, person: 30 } } })
    const mails = await run(1)
    expect(mails).toContain(`${principal.email}: Is your own record right?`)
    expect(mails.join()).not.toContain('Chico')
    await officer.send(saveCheckSettings, { body: { intervals: { site: 400, person: null } } })
    expect(await run(30)).toEqual([])
  })
})
