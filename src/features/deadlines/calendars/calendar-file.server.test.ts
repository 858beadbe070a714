import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { describe, expect, test } from 'vitest'

import type { Deadline } from '../deadlines/contract.ts'
import { type CalendarFile, writeCalendarFile } from './calendar-file.server.ts'

const FILE: CalendarFile = { name: 'My deadlines', reminderDays: null, publicUrl: 'https://homeroom.test', today: '2026-11-22' }

const toDeadline = (changes: Partial<Deadline> = {}): Deadline => ({
  _id: 'd1',
  kind: 'charter_term',
  title: 'Charter expires',
  date: '2027-06-30',
  precision: 'day',
  proposed: false,
  proposedDates: [],
  why: null,
  formerDate: null,
  state: 'open',
  snoozedUntil: null,
  responsible: { _id: 'p1', name: 'Corinne Abernathy-Sato' },
  responsibleFrom: 'kind',
  note: null,
  yearly: false,
  isCurrent: true,
  source: {
    record: 'charter_affair',
    section: 'overview',
    field: 'charter_expiration_date',
    row: null,
    text: 'expires 06/30/2027',
    isByHand: false,
  },
  charter: { _id: 'c1', slug: 'bright-harbor', name: 'Bright Harbor' },
  site: null,
  region: null,
  version: 3,
  updatedAt: '2026-11-20T18:04:05.678Z',
  updatedBy: 'Corinne Abernathy-Sato',
  ...changes,
})

interface ReadEvent {
  readonly uid: string
  readonly start: string
  readonly end: string
  readonly summary: string
  readonly description: string
}

/** A text as returned by node-ical, with its parameters if it has any. */
const toText = (value: unknown): string => {
  if (typeof value === 'string') return value
  throw new Error(`Not a plain text: ${JSON.stringify(value)}`)
}

/** The events of a file as read by two independent parsers. */
const readTwice = (text: string): (readonly ReadEvent[])[] => {
  const calendar = new ICAL.Component(ICAL.parse(text) as never[])
  const first = calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, startDate, endDate, summary, description } = new ICAL.Event(component)
    expect(startDate.isDate).toBe(true)
    return { uid, start: startDate.toString(), end: endDate.toString(), summary, description }
  })
  const toDay = (date: Date): string =>
    [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
  const second = Object.values(nodeIcal.sync.parseICS(text)).flatMap((item) => {
    if (item?.type !== 'VEVENT') return []
    expect(item.datetype).toBe('date')
    return [
      {
        uid: item.uid,
        start: toDay(item.start),
        end: toDay(item.end ?? item.start),
        summary: toText(item.summary),
        description: toText(item.description),
      },
    ]
  })
  return [first, second]
}

const ODD_TEXTS = [
  'Commas, semicolons; backslashes \\ and "quotes"',
  'Größe, Überprüfung, niño, 学校の期限',
  'Party 🎉 of the 👩‍👩‍👧‍👦 and 𝔘',
  'first line\nsecond line\r\nthird line\rfourth',
  'BEGIN:VEVENT',
  'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:forged\r\nSUMMARY:forged',
  `${'ü'.repeat(200)} ${'🎉'.repeat(80)} ${'x'.repeat(300)}`,
  ':;,="^:',
]
/** The expected text after parsing: line breaks are line feeds. */
const toLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

describe('two parsers read', () => {
  test.each(ODD_TEXTS)('%j in a title, a text, a note and the name of a calendar', async (odd) => {
    const deadline = toDeadline({ title: odd, note: odd, source: { ...toDeadline().source, text: odd } as Deadline['source'] })
    const text = await writeCalendarFile({ ...FILE, name: odd }, [deadline, toDeadline({ _id: 'd2' })])
    for (const events of readTwice(text)) {
      expect(events.map(({ uid }) => uid)).toEqual(['d1@homeroom.test', 'd2@homeroom.test'])
      const [event] = events
      expect(event).toMatchObject({ start: '2027-06-30', end: '2027-07-01', summary: toLines(`${odd}: Bright Harbor`) })
      expect(event?.description).toContain(toLines(`Read from “${odd}”`))
      expect(event?.description).toContain(toLines(`Note: ${odd}`))
    }
  })

  test('every event of a large calendar, once', async () => {
    const deadlines = Array.from({ length: 1001 }, (_, at) => toDeadline({ _id: `d${at}` }))
    for (const events of readTwice(await writeCalendarFile(FILE, deadlines)))
      expect(events.map(({ uid }) => uid)).toEqual(deadlines.map(({ _id }) => `${_id}@homeroom.test`))
  })

  test('the last days of years and February 29', async () => {
    const dates = ['2027-12-31', '2028-02-29', '2028-03-12', '2028-11-05']
    const deadlines = dates.map((date, at) => toDeadline({ _id: `d${at}`, date }))
    for (const events of readTwice(await writeCalendarFile(FILE, deadlines)))
      expect(events.map(({ start, end }) => [start, end])).toEqual([
        ['2027-12-31', '2028-01-01'],
        ['2028-02-29', '2028-03-01'],
        ['2028-03-12', '2028-03-13'],
        ['2028-11-05', '2028-11-06'],
      ])
  })
})

// node-ical treats the second half of an escaped backslash as the start of another escape.
test('ical.js reads text that looks like an escape sequence unchanged', async () => {
  const title = 'literally \\n and \\, and \\;'
  const [event] = new ICAL.Component(ICAL.parse(await writeCalendarFile(FILE, [toDeadline({ title })])) as never[]).getAllSubcomponents(
    'vevent',
  )
  expect(event?.getFirstPropertyValue('summary')).toBe(`${title}: Bright Harbor`)
})

test('no line is longer than 75 bytes or ends in the middle of a character', async () => {
  const text = await writeCalendarFile(
    FILE,
    ODD_TEXTS.map((note, at) => toDeadline({ _id: `d${at}`, note })),
  )
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  for (const line of text.split('\r\n')) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(line.isWellFormed()).toBe(true)
  }
})

test('unpaired surrogates and control characters are removed', async () => {
  const text = await writeCalendarFile(FILE, [toDeadline({ title: `a\u0000b\u0007c\u001b\ud83d d` })])
  for (const events of readTwice(text)) expect(events[0]?.summary).toBe('abc\ufffd d: Bright Harbor')
})

const linesOf = async (deadline: Deadline, file: CalendarFile = FILE) =>
  (await writeCalendarFile(file, [deadline])).replaceAll('\r\n ', '').split('\r\n')

test('the file states its program, how often to reload it, and when each event was changed', async () => {
  expect(await linesOf(toDeadline())).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Homeroom//Deadlines//EN',
    'NAME:My deadlines',
    'X-WR-CALNAME:My deadlines',
    'REFRESH-INTERVAL;VALUE=DURATION:PT4H',
    'X-PUBLISHED-TTL:PT4H',
    'BEGIN:VEVENT',
    'UID:d1@homeroom.test',
    'SEQUENCE:3',
    'DTSTAMP:20261120T180405Z',
    'DTSTART;VALUE=DATE:20270630',
    'DTEND;VALUE=DATE:20270701',
    'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:TRUE',
    'SUMMARY:Charter expires: Bright Harbor',
    'TRANSP:TRANSPARENT',
    'DESCRIPTION:Read from “expires 06/30/2027”\\nState: Open\\nResponsible: Corinne Abernathy-Sato',
    'CATEGORIES:Charter term',
    'URL;VALUE=URI:https://homeroom.test/deadlines?charter=bright-harbor',
    'STATUS:CONFIRMED',
    'X-MICROSOFT-CDO-BUSYSTATUS:FREE',
    'LAST-MODIFIED:20261120T180405Z',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ])
})

test('the name of a calendar stays on its own line', async () => {
  const lines = await linesOf(toDeadline(), { ...FILE, name: 'Ohio, all; \\ kinds\r\nX-FORGED:1' })
  expect(lines).toContain('X-WR-CALNAME:Ohio\\, all\\; \\\\ kinds\\nX-FORGED:1')
  expect(lines).not.toContain('X-FORGED:1')
})

test('events say whether their deadline is handled, put off, overdue or without anyone responsible', async () => {
  const summaryAndText = async (changes: Partial<Deadline>) =>
    (await linesOf(toDeadline(changes))).filter((line) => /^(SUMMARY|DESCRIPTION|DTSTART)/.test(line))
  expect(await summaryAndText({ state: 'handled', note: 'Sent on Monday' })).toEqual([
    'DTSTART;VALUE=DATE:20270630',
    'SUMMARY:Handled: Charter expires: Bright Harbor',
    'DESCRIPTION:Read from “expires 06/30/2027”\\nState: Handled\\nResponsible: Corinne Abernathy-Sato\\nNote: Sent on Monday',
  ])
  expect(await summaryAndText({ state: 'snoozed', snoozedUntil: '2026-12-01', source: null, responsible: null })).toEqual([
    'DTSTART;VALUE=DATE:20270630',
    'SUMMARY:Put off: Charter expires: Bright Harbor',
    'DESCRIPTION:State: Put off until 12/01/2026\\nNobody responsible',
  ])
  const byHand = { ...toDeadline().source, text: 'June 2027', isByHand: true } as Deadline['source']
  expect(await summaryAndText({ date: '2026-11-21', source: byHand })).toEqual([
    'DTSTART;VALUE=DATE:20261121',
    'SUMMARY:Charter expires: Bright Harbor',
    'DESCRIPTION:Set by hand\\; the text is “June 2027”\\nState: Overdue\\nResponsible: Corinne Abernathy-Sato',
  ])
  expect((await summaryAndText({ precision: 'month' }))[2]).toContain('It names a month alone\\, whose last day counts')
})

test('a reminder is at 9 in the morning, the given number of days before, and absent for a handled deadline', async () => {
  const triggers = async (reminderDays: number | null, changes: Partial<Deadline> = {}) => {
    const text = await writeCalendarFile({ ...FILE, reminderDays }, [toDeadline(changes)])
    const [event] = new ICAL.Component(ICAL.parse(text) as never[]).getAllSubcomponents('vevent')
    return (event?.getAllSubcomponents('valarm') ?? []).map((alarm) => [
      String(alarm.getFirstPropertyValue('action')),
      (alarm.getFirstPropertyValue('trigger') as ICAL.Duration).toSeconds() / 3600,
    ])
  }
  expect(await triggers(null)).toEqual([])
  expect(await triggers(7)).toEqual([['DISPLAY', 9 - 7 * 24]])
  expect(await triggers(1)).toEqual([['DISPLAY', -15]])
  expect(await triggers(0)).toEqual([['DISPLAY', 9]])
  expect(await triggers(365, { state: 'snoozed', snoozedUntil: '2026-12-01' })).toEqual([['DISPLAY', 9 - 365 * 24]])
  expect(await triggers(7, { state: 'handled' })).toEqual([])
})
