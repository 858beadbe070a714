import { beforeAll, beforeEach, expect, test } from 'vitest'

import { previews } from '../../src/app/exports/contract.ts'
import { readHome } from '../../src/app/home/contract.ts'
import type { AuditKind } from '../../src/contract/audit.ts'
import { listPlannedChanges, planChange } from '../../src/features/changing/changesets/contract.ts'
import { readAffairHistory } from '../../src/features/changing/history/contract.ts'
import { createProposal, listProposals, readProposal } from '../../src/features/changing/requests/contract.ts'
import { createCalendar } from '../../src/features/deadlines/calendars/contract.ts'
import { listDeadlines, listDeadlineTexts, readDeadline, updateDeadline } from '../../src/features/deadlines/deadlines/contract.ts'
import { readActivity, readActivityEntry } from '../../src/features/finding/activity/contract.ts'
import { search } from '../../src/features/finding/search/contract.ts'
import { type AuditEvent, listAuditEvents } from '../../src/features/operations/audit/contract.ts'
import { readCharterAffair, saveCharterAffair } from '../../src/records/charter-affairs/contract.ts'
import { type SignedInCaller, startApp, type TestApp } from '../support/app.ts'

// Every call that returns part of a charter affair, and the audit event it records.

let app: TestApp
let top: SignedInCaller
let last = 0
/** The reads that were recorded since the test began. */
const listReads = async (): Promise<AuditEvent[]> => top.send(listAuditEvents, { query: { cursor: last, kind: 'charter_affair.read' } })
beforeAll(async () => {
  app = await startApp()
  top = app.as(1)
})
beforeEach(async () => {
  last = (await top.send(listAuditEvents, { query: { order: 'newest', limit: 1 } }))[0]?.sequence ?? 0
})

const by = async (who: SignedInCaller) => {
  const { account, azureID, name } = await who.who()
  return { account, actor: azureID, name, token: null, address: '127.0.0.1', request: expect.any(String) }
}
const event = (kind: AuditKind, record: unknown, after: unknown) => ({ kind, record, before: null, after })

test('each way to read a charter affair is recorded, once a minute per person', async () => {
  const [me, other] = [app.as(6), app.as(5)]
  const charter = await app.make.charter({ name: 'Audited Charter' })
  const params = { id: charter._id }
  for (const who of [me, other, me]) await who.send(readCharterAffair, { params })
  await me.send(readAffairHistory, { params: { id: charter.slug } })
  await me.send(listDeadlineTexts, { params })
  await me.send(previews.charter_affairs)
  await app.as(10).trySend(readCharterAffair, { params })
  const read = (after: object) => event('charter_affair.read', charter._id, after)
  expect(await listReads()).toMatchObject([
    { ...(await by(me)), ...read({ charter: 'Audited Charter' }) },
    { ...(await by(other)), ...read({ charter: 'Audited Charter' }) },
    read({ what: 'history' }),
    read({ what: 'texts of deadlines' }),
    event('charter_affair.read', null, { what: 'preview of the workbook' }),
  ])
})

test('parts of charter affairs that are read in other calls are recorded', async () => {
  const me = app.as(5)
  const { account, azureID, name } = await me.who()
  const person = await app.make.person({ email: azureID })
  let known = 0
  const next = async () => {
    const found = (await listReads()).slice(known)
    known += found.length
    return found.map(({ record, token, after }) => ({ record, token, after }))
  }
  const charters = [await app.make.charter({ name: 'First Charter' }), await app.make.charter({ name: 'Second Charter' })]
  const [first] = charters
  const one = (what: string, token: string | null = null) => [{ record: first?._id, token, after: { charter: 'First Charter', what } }]
  const both = (what: string, token: string | null = null) => [
    { record: null, token, after: { what, charters: ['First Charter', 'Second Charter'] } },
  ]
  const overview = { charter_expiration_date: 'June 30, 2199', cds_code: '39-68585-0131789' }
  for (const { _id } of charters) await me.send(saveCharterAffair, { params: { id: _id }, body: { overview } })
  expect(await next()).toEqual([])

  const [deadline] = await me.send(listDeadlines, { query: { from: '2199-06-30' } })
  expect(await next()).toEqual(both('deadlines'))
  await me.send(updateDeadline, { params: { id: deadline?._id ?? '' }, body: { responsible: person._id } })
  await me.send(readDeadline, { params: { id: deadline?._id ?? '' } })
  await me.send(listDeadlines, { query: { charter: deadline?.charter?._id ?? '' } })
  expect(await next()).toHaveLength(1)

  const { entries } = await me.send(readActivity, { query: { kind: 'charter_affair' } })
  expect(await next()).toEqual(both('activity'))
  const entry = entries.find(({ records }) => records[0]?.name.includes('First'))
  await me.send(readActivityEntry, { params: { id: entry?._id ?? '' } })
  expect(await next()).toEqual(one('activity'))
  await me.send(readHome)
  expect((await next()).map(({ after }) => after?.['what'])).toEqual(['home'])
  await me.send(search, { query: { q: '3968585013' } })
  expect(await next()).toEqual(both('search by a number'))
  await me.send(previews.deadlines)
  expect(await next()).toEqual([{ record: null, token: null, after: { what: 'preview of the workbook Deadlines' } }])

  const { url } = await me.send(createCalendar, { body: { name: 'My feed', filter: {} } })
  await app.anonymous.request('GET', new URL(url).pathname)
  expect(await next()).toEqual(both('calendar feed', 'My feed'))
  expect((await listReads()).at(-1)).toMatchObject({ account, actor: azureID, name })

  // Users who may not read charter affairs, and reads that contain none.
  const site = await app.make.site()
  for (const who of [app.as(10), app.as(7)]) {
    await who.send(listDeadlines)
    await who.send(readActivity)
    await who.send(readHome)
    await who.send(search, { query: { q: '3968585013' } })
  }
  await me.send(listDeadlines, { query: { site: site._id } })
  await me.send(readActivity, { query: { kind: 'site' } })
  await me.send(search, { query: { q: 'First' } })
  expect(await next()).toEqual([])
})

test('reading a suggestion for a charter affair or its planned changes is recorded', async () => {
  const [sender, reader] = [app.as(6), app.as(5)]
  const charter = await app.make.charter({ name: 'Suggested Charter' })
  const [kind, changes] = ['charter_affair' as const, { funding: { corporation: 'Direct' } }]
  const { _id } = await sender.send(createProposal, { body: { record: { kind, _id: charter._id }, changes } })
  await reader.send(planChange, { body: { kind, _id: charter._id, changes, day: '2199-01-31' } })
  await reader.send(readProposal, { params: { id: _id } })
  await reader.send(listProposals, { query: { state: 'open' } })
  await reader.send(listPlannedChanges, { query: { state: 'waiting' } })
  const read = (after: object, record: string | null) => event('charter_affair.read', record, after)
  expect(await listReads()).toMatchObject([
    { ...(await by(reader)), ...read({ charter: 'Suggested Charter', what: 'suggestion' }, charter._id) },
    read({ charter: 'Suggested Charter', what: 'suggestions' }, charter._id),
    read({ charter: 'Suggested Charter', what: 'planned changes' }, charter._id),
  ])
})
