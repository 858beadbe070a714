import { expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { createDeadline, updateDeadline } from '../deadlines/contract.ts'
import { addDays, countDays } from '../deadlines/rules.ts'
import { saveReminderPreferences } from './contract.ts'
import { sendReminders } from './send-reminders.server.ts'

/** Both clock changes of the year are within the shorter time of `npm test`. */
const START = '2026-10-20'
const DAYS = process.env['TEST_ALL'] === '1' ? 730 : 160
const HOUR_MS = 3_600_000
/** Midnight in Los Angeles, or an hour off after a clock change. */
const getMidnight = (day: string): number => Date.parse(day) + 8 * HOUR_MS

test(`each reminder is sent once over ${DAYS} days with restarts, a second server, clock changes and days without a server`, async () => {
  let clock = new Date(getMidnight(START) + 12 * HOUR_MS)
  const app = await startApp({ TIME_ZONE: 'America/Los_Angeles' }, undefined, undefined, () => clock)
  const officer = app.as(5)
  await officer.send(saveReminderPreferences, { body: { reminders: true, digest: false } })
  const site = await app.make.site()
  const person = await app.make.person({ email: 'ana.ruiz@network.test' })
  const add = async (values: { date: string; title: string }): Promise<string> =>
    (await officer.send(createDeadline, { body: { ...values, kind: 'lease', site: site._id, responsible: person._id } }))._id
  const deadlines = Array.from({ length: 20 }, (_, at) => ({ date: addDays(START, 11 + at * 37), title: `Number ${at}` }))
  const ids: string[] = []
  for (const one of deadlines) ids.push(await add(one))
  // The database uses its own clock.
  await app.context.db.updateTable('deadline').set({ datedAt: clock }).execute()
  await app.context.lists.invalidate(['deadline'])
  let second = await app.startSecond()
  const handledAfter = 20
  const expected: string[] = []
  for (const [at, { date }] of deadlines.entries()) {
    const days = [-60, -30, -7, -1, 1, 8, 15].map((offset) => addDays(date, offset))
    expected.push(...days.filter((day) => day >= START && countDays(START, day) <= DAYS).map((day) => `${ids[at]} ${day}`))
  }
  for (let day = 0; day <= DAYS + 3; day++) {
    const today = addDays(START, day)
    for (const [at, { date }] of deadlines.entries())
      if (addDays(date, handledAfter) === today) {
        await officer.send(updateDeadline, { params: { id: ids[at] ?? '' }, body: { state: 'handled' } })
        await second.catchUp()
      }
    // Three days of every fifty have no server.
    if (day % 50 >= 47) continue
    if (day % 30 === 0) {
      await second.stop()
      second = await app.startSecond()
    }
    // Every half hour around clock changes, including the hour that occurs twice.
    const hours =
      /-(03|11)-0?\d+$/.test(today) && new Date(today).getUTCDay() === 0 ? Array.from({ length: 18 }, (_, half) => half / 2) : [7]
    for (const hour of hours) {
      clock = new Date(getMidnight(today) + hour * HOUR_MS)
      await Promise.all([sendReminders(app.context), sendReminders(second.context)])
    }
  }
  const sent = await app.context.db.selectFrom('deadline_reminder').selectAll().execute()
  const mails = await app.context.db.selectFrom('mail').selectAll().execute()
  const noted = sent.map(({ deadline, day }) => `${deadline} ${day}`)
  // If two days were missed together, only the later one is stored.
  const missed = expected.filter((one) => !noted.includes(one))
  for (const one of missed) {
    const [id = '', day = ''] = one.split(' ')
    const later = sent.find((row) => row.deadline === id && row.day > day && countDays(day, row.day) <= 4)
    expect(later, `${one} came with a later one`).toBeDefined()
  }
  expect(noted.filter((one) => !expected.includes(one))).toEqual([])
  expect(new Set(noted).size).toBe(noted.length)
  // Each stored reminder has its email, and each email names each of its deadlines once.
  expect(sent.every(({ mail }) => mails.some(({ _id }) => _id === mail))).toBe(true)
  for (const { _id, body, recipients } of mails) {
    expect(recipients).toEqual(['ana.ruiz@network.test'])
    for (const { deadline } of sent.filter(({ mail }) => mail === _id)) {
      const title = deadlines[ids.indexOf(deadline)]?.title ?? ''
      expect(body.split(`: ${title}\n`)).toHaveLength(2)
    }
  }
  const mondays = mails.filter(({ kind }) => kind === 'digest').map(({ subject }) => subject)
  // Some Mondays are days without a server.
  expect(mondays.length).toBeGreaterThan(DAYS / 8.2)
  expect(mondays.length).toBeLessThanOrEqual(DAYS / 7 + 1)
}, 300_000)
