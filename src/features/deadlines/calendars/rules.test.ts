import { expect, test } from 'vitest'

import { findReader, formatAgo, formatReminder, getSubscribeUrls } from './rules.ts'

test.each([
  ['Google-Calendar-Importer', 'Google Calendar'],
  ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)', 'Outlook'],
  ['Microsoft.Exchange/15.20 (Client=OWA; Action=InternetCalendar)', 'Outlook'],
  ['macOS/14.5 (23F79) CalendarAgent/1012', 'Apple Calendar'],
  ['iOS/17.5.1 (21F90) dataaccessd/1.0', 'Apple Calendar'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:115.0) Gecko/20100101 Thunderbird/115.10.1', 'Thunderbird'],
  ['curl/8.5.0', null],
  [null, null],
])('a program with the user agent %j is %j', (userAgent, name) => {
  expect(findReader(userAgent)).toBe(name)
})

test('elapsed time is shown in minutes, hours and days', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const minutesAgo = (minutes: number) => formatAgo(new Date(now.getTime() - minutes * 60_000).toISOString(), now)
  expect([-5, 0, 1, 5, 59, 60, 125, 1439, 1440, 43_200].map(minutesAgo)).toEqual([
    'just now',
    'just now',
    'just now',
    '5 minutes ago',
    '59 minutes ago',
    '1 hour ago',
    '2 hours ago',
    '23 hours ago',
    '1 day ago',
    '30 days ago',
  ])
})

test('a reminder is formatted in words', () => {
  expect([null, 0, 1, 7].map(formatReminder)).toEqual([
    'no reminder',
    'reminder on the day',
    'reminder 1 day before',
    'reminder 7 days before',
  ])
})

test('each of the three programs gets the address as a link in its own form', () => {
  expect(getSubscribeUrls('https://homeroom.test/calendar/abc.ics', 'Ohio & more')).toEqual({
    outlook: 'https://outlook.office.com/calendar/0/addfromweb?url=https%3A%2F%2Fhomeroom.test%2Fcalendar%2Fabc.ics&name=Ohio+%26+more',
    google: 'https://calendar.google.com/calendar/r?cid=webcal%3A%2F%2Fhomeroom.test%2Fcalendar%2Fabc.ics',
    apple: 'webcal://homeroom.test/calendar/abc.ics',
  })
})
