import { describe, expect, test } from 'vitest'

import type { ProposedField, RequestMail } from './contract.ts'
import { formatFieldValue, getFormPath, hasMailProblem, hasVisibleMailProblem, formatSender, formatTitle } from './rules.ts'

const mail = (state: RequestMail['state'], problem: string | null = null): RequestMail => ({ state, sentAt: null, recipients: [], problem })

describe('the title of a request', () => {
  test.each([
    [{ kind: 'change', site: { _id: '1', slug: 'lodi', displayName: 'Lodi' }, location: 'Old Lodi' }, 'Lodi'],
    [{ kind: 'change', site: null, location: 'Delta Charter' }, 'Delta Charter'],
    [{ kind: 'change', site: null, location: null }, 'No site given'],
    [{ kind: 'support', site: null, location: null }, 'IS support'],
  ] as const)('%j: %s', (request, title) => {
    expect(formatTitle(request)).toBe(title)
  })

  test('the sender is shown as far as they are known', () => {
    expect(formatSender({ name: 'Ada', email: 'ada@school.test' })).toBe('Ada')
    expect(formatSender({ name: null, email: 'ada@school.test' })).toBe('ada@school.test')
    expect(formatSender({ name: null, email: null })).toBe('Someone who gave no name')
  })
})

test.each([
  [[{ date: '2027-03-15', start_time: '09:00AM', end_time: '10:00AM' }], '03/15/2027 09:00AM to 10:00AM'],
  [{ set: true, start_time: '09:00AM', end_time: '10:00AM' }, '09:00AM to 10:00AM'],
  [{ set: false, start_time: '', end_time: '' }, 'empty'],
])('the times of an orientation %j are shown as %s', (value, shown) => {
  expect(formatFieldValue('enrollment_info.individualDates', value, null)).toBe(shown)
})

test.each([
  ['the form of the site', ['address.phone', 'displayName'], '/location/lodi'],
  ['the form of its facility', ['facility_info.lease_end'], '/location/fac/lodi'],
  ['its staff page', ['people.a.b', 'people.c.b'], '/location/staff/lodi'],
  ['no form', ['address.phone', 'facility_info.lease_end'], null],
])('a suggestion is changed in %s', (_title, paths, page) => {
  const fields = paths.map((path) => ({ path, state: 'open' }) as ProposedField)
  expect(getFormPath({ record: { kind: 'site', _id: 's', slug: 'lodi', name: 'Lodi' }, fields })).toBe(page)
})

describe('a mail problem', () => {
  test.each([
    ['mailed', null, false],
    ['written', null, false],
    ['waiting', null, false],
    ['waiting', '451 Try later', true],
    ['failed', '550 Nobody', true],
    ['unaddressed', null, true],
  ] as const)('is reported for a mail that is %s (%s): %s', (state, problem, isReported) => {
    expect(hasMailProblem(mail(state, problem))).toBe(isReported)
  })

  test('of the request is hidden once the request is answered; one of the answer is shown', () => {
    expect(hasVisibleMailProblem({ state: 'open', mail: mail('unaddressed'), answerMail: null })).toBe(true)
    expect(hasVisibleMailProblem({ state: 'done', mail: mail('unaddressed'), answerMail: mail('mailed') })).toBe(false)
    expect(hasVisibleMailProblem({ state: 'done', mail: mail('mailed'), answerMail: mail('failed', '550') })).toBe(true)
    expect(hasVisibleMailProblem({ state: 'open', mail: null, answerMail: null })).toBe(false)
  })
})
