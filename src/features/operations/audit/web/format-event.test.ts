import { expect, test } from 'vitest'

import type { AuditEvent } from '../contract.ts'
import {
  formatEventActor,
  formatFieldName,
  formatEventValue,
  getKindLabel,
  listEventValues,
  summarizeEntry,
  summarizeEvent,
} from './format-event.ts'

const event = (values: Partial<AuditEvent>): AuditEvent => ({
  sequence: 1,
  at: '2026-11-20T08:00:00.000Z',
  kind: 'settings.changed',
  account: null,
  actor: null,
  name: null,
  token: null,
  address: null,
  request: null,
  record: null,
  before: null,
  after: null,
  hash: '',
  ...values,
})

test.each([
  [{ name: 'Dana Reyes', actor: 'dana@x.test' }, 'Dana Reyes'],
  [{ actor: 'dana@x.test' }, 'dana@x.test'],
  [{ name: 'Dana Reyes', token: 'Nightly' }, 'Dana Reyes, token Nightly'],
  [{ token: 'Entra' }, 'token Entra'],
  [{}, 'Not signed in'],
])('%j is done by %s', (values, who) => expect(formatEventActor(event(values))).toBe(who))

test.each([
  [{ after: { name: 'Lee', azureID: 'lee@x.test', accessLevel: 5 } }, 'Lee, level 5'],
  [{ before: { name: 'Lee', accessLevel: 6 } }, 'Lee, level 6'],
  [{ after: { what: 'finance', rows: 1200, bytes: 5 } }, 'finance, 1,200 rows'],
  [{ after: { what: 'finance', rows: 1 } }, 'finance, 1 row'],
  [{ after: { userName: 'lee@x.test', displayName: 'Lee', name: { givenName: 'Lee' } } }, 'lee@x.test, Lee'],
  [{ after: { reason: null } }, ''],
  [{}, ''],
])('%j is summarized as "%s"', (values, summary) => expect(summarizeEvent(event(values))).toBe(summary))

test('repeated reads are counted, with what they have in common and from when to when', () => {
  const reads = { kind: 'charter_affair.read', at: '2026-11-20T16:40:00.000Z' }
  const summarize = (values: Partial<AuditEvent>, count: number, since: string) =>
    summarizeEntry({ ...event({ ...reads, ...values }), reads: { count, since } }, 'UTC')
  expect(summarize({}, 1400, '2026-11-20T09:02:00.000Z')).toBe('1,400 times, 9:02 AM to 4:40 PM')
  expect(summarize({ after: { charter: 'Bright Harbor' } }, 2, reads.at)).toBe('Bright Harbor, 2 times, 4:40 PM')
  expect(summarizeEntry({ ...event({ after: { charter: 'Bright Harbor' } }), reads: null }, 'UTC')).toBe('Bright Harbor')
})

test('the old and new value of each field are listed in one row', () => {
  expect(listEventValues(event({ before: { a: 1 }, after: { a: 2, b: null } }))).toEqual([
    { field: 'a', before: 1, after: 2 },
    { field: 'b', before: undefined, after: null },
  ])
})

test('fields, values and kinds are shown as readable words', () => {
  expect(['accessLevel', 'name', 'url'].map(formatFieldName)).toEqual(['Access level', 'Name', 'Web address'])
  expect([null, '', true, 1234, 'x'].map(formatEventValue)).toEqual(['Empty', 'Empty', 'Yes', '1,234', 'x'])
  const mappings = [
    { group: 'Admins', level: 5 },
    { group: 'Staff', level: 6 },
  ]
  expect([[], ['a', 'b'], mappings, { lease: null }].map(formatEventValue)).toEqual([
    'None',
    'a, b',
    'Group Admins, Level 5; Group Staff, Level 6',
    'Lease Empty',
  ])
  expect([getKindLabel('permission.granted'), getKindLabel('later.kind')]).toEqual(['Access granted', 'later.kind'])
})
