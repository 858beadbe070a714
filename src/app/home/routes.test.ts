import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { toIsoDay } from '../../contract/dates.ts'
import { createCheck } from '../../features/changing/checks/contract.ts'
import { answerRequest, createProposal, sendChangeRequest } from '../../features/changing/requests/contract.ts'
import { createDeadline } from '../../features/deadlines/deadlines/contract.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { addFavorite } from '../../features/finding/favorites/contract.ts'
import { removeSiteStaff } from '../../records/site-staff/contract.ts'
import { updateSite } from '../../records/sites/contract.ts'
import { countWaitingRequests, readHome } from './contract.ts'

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')

const setUp = async () => {
  const net = await network()
  const { make, as, site } = net
  const [admin, principal] = [as(5), as(10)]
  const person = await make.person({ email: (await principal.who()).azureID })
  const position = await make.sitePerson(site._id, 'Principal', person._id)
  return { ...net, admin, user: principal, person, position }
}

describe('home', () => {
  test('is empty for someone with nothing to do', async () => {
    const { as } = await network()
    expect(await as(10).send(readHome)).toEqual({
      checks: { count: 0, first: [] },
      suggestions: { count: 0, first: [] },
      requests: { count: 0 },
      answers: { count: 0, first: [] },
      comments: { count: 0, first: [] },
      deadlines: { count: 0, first: [], overdue: 0, next: null },
      positions: { count: 0, first: [] },
      changes: { isOwn: false, entries: [] },
    })
  })

  test('has the sites to check with the values that the check covers', async () => {
    const { user, site, admin } = await setUp()
    await admin.send(updateSite, { params: { id: site._id }, body: { address: { phone: '209-555-0142', city: 'Chico' } } })
    await admin.send(updateSite, { params: { id: site._id }, body: {} })
    const { context } = await network()
    await context.db
      .updateTable('site')
      .set({ checkedAt: new Date('2020-01-01'), checkedBy: 'Hugo' })
      .where('_id', '=', site._id)
      .execute()
    const { checks } = await user.send(readHome)
    expect(checks).toMatchObject({
      count: 1,
      first: [
        {
          kind: 'site',
          _id: site._id,
          checkedBy: 'Hugo',
          facts: { phone: '209-555-0142', leaders: [{ role: 'Principal' }, { role: 'Student Relations Manager', people: [] }] },
        },
      ],
    })
    await user.send(createCheck, { body: { kind: 'site', _id: site._id } })
    expect((await user.send(readHome)).checks.count).toBe(0)
  })

  test('shows pending requests to people who decide, and answers to people who sent one', async () => {
    const { user, admin, site, as } = await setUp()
    const body = { record: { kind: 'site' as const, _id: site._id }, changes: { 'address.phone': '209-555-0199' } }
    const before = await admin.send(countWaitingRequests)
    await user.send(createProposal, { body })
    const sent = await user.send(sendChangeRequest, { body: { site: site._id, correctText: 'The gate is blue' } })
    const home = await as(6).send(readHome)
    expect(home.suggestions.first.some(({ record }) => record._id === site._id)).toBe(true)
    expect(home.requests.count).toBeGreaterThan(0)
    expect((await admin.send(countWaitingRequests)).requests).toBe(before.requests + 2)
    expect((await user.send(countWaitingRequests)).requests).toBe(0)
    expect((await user.send(readHome)).suggestions).toEqual({ count: 0, first: [] })
    await admin.send(answerRequest, { params: { id: sent._id }, body: { state: 'declined', word: 'It is green' } })
    expect((await user.send(readHome)).answers).toMatchObject({
      count: 1,
      first: [{ _id: sent._id, state: 'declined', word: 'It is green' }],
    })
  })

  test('has the deadlines of the next 30 days, and the next one after that', async () => {
    const { user, admin, site, person } = await setUp()
    const add = (title: string, days: number) =>
      admin.send(createDeadline, { body: { title, date: addDays(TODAY, days), kind: 'lease', site: site._id, responsible: person._id } })
    await add('Far', 60)
    await add('Overdue', -3)
    await add('Near', 12)
    const { deadlines } = await user.send(readHome)
    expect({ ...deadlines, first: deadlines.first.map(({ title }) => title), next: deadlines.next?.title }).toEqual({
      count: 2,
      overdue: 1,
      first: ['Overdue', 'Near'],
      next: 'Far',
    })
  })

  test('has vacant positions at the sites where the user has a role, and in the user’s regions', async () => {
    const { user, admin, site, make, person, position } = await setUp()
    const vacant = async () => (await user.send(readHome)).positions
    expect((await vacant()).first.map(({ role }) => role)).toEqual(['Student Relations Manager', 'Area Superintendent', 'Regional SRM'])
    const other = await make.person()
    const held = await make.sitePerson(site._id, 'Area Superintendent', other._id)
    expect((await vacant()).count).toBe(2)
    await admin.send(removeSiteStaff, { params: { id: site._id }, body: { person_id: other._id, role_id: held.role } })
    const { first } = await vacant()
    expect(first.find(({ role }) => role === 'Area Superintendent')?.since?.slice(0, 4)).toBe(String(new Date().getUTCFullYear()))
    expect(first.find(({ role }) => role === 'Regional SRM')?.since).toBeNull()
    expect(position.person).toBe(person._id)
  })

  test('has recent changes of the user’s sites and favorites', async () => {
    const { user, admin, site, make } = await setUp()
    const other = await make.site()
    await admin.send(updateSite, { params: { id: other._id }, body: { address: { phone: '209-555-0100' } } })
    const latest = async () => (await user.send(readHome)).changes
    expect(await latest()).toMatchObject({ isOwn: true })
    expect((await latest()).entries.map(({ records }) => records[0]?._id)).toEqual([site._id])
    await user.send(addFavorite, { params: { kind: 'site', id: other._id } })
    expect((await latest()).entries[0]?.records[0]?._id).toBe(other._id)
  })
})
