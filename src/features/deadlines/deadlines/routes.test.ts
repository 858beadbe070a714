import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { toIsoDay } from '../../../contract/dates.ts'
import { addMember, removeMember, saveCharterAffair, updateMember } from '../../../records/charter-affairs/contract.ts'
import { updateCharter, viewCharter } from '../../../records/charters/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import {
  countDeadlines,
  createDeadline,
  deleteDeadline,
  listContradictions,
  listDeadlines,
  listDeadlineTexts,
  listUnreadTexts,
  readDeadline,
  readDeadlineHistory,
  updateDeadline,
} from './contract.ts'
import { addDays } from './rules.ts'

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')

const setUp = async () => {
  const net = await network()
  const { make, as } = net
  const charter = await make.charter()
  const site = await make.site({ charter: charter._id })
  const [officer, reader] = [as(5), as(10)]
  const params = { id: charter._id }
  const save = (body: object) => officer.send(saveCharterAffair, { params, body })
  const list = (query: object = {}, level = officer) => level.send(listDeadlines, { query: { charter: charter.slug, ...query } })
  return { ...net, charter, site, officer, reader, params, save, list }
}

describe('deadlines', () => {
  test('are read from the texts of a charter affair and quote the text', async () => {
    const { save, list, charter } = await setUp()
    await save({
      overview: { charter_expiration_date: '06/30/2031', wasc_visit_date: 'March 2032', notes: '1/1/2030' },
      mou: { mou_term: '07/01/2027 to 06/30/2030' },
    })
    const deadlines = await list()
    expect(deadlines.map(({ title, date, precision, kind }) => [title, date, precision, kind])).toEqual([
      ['MOU ends', '2030-06-30', 'day', 'charter_term'],
      ['Charter expires', '2031-06-30', 'day', 'charter_term'],
      ['WASC visit', '2032-03-31', 'month', 'accreditation'],
    ])
    expect(deadlines[1]).toMatchObject({
      state: 'open',
      charter: { _id: charter._id, slug: charter.slug },
      source: { record: 'charter_affair', section: 'overview', field: 'charter_expiration_date', text: '06/30/2031' },
    })
  })

  test('are read from board terms and leases, and follow them', async () => {
    const { officer, params, list, site, save } = await setUp()
    await save({ overview: { notes: 'A record' } })
    const affair = await officer.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '2023 - 6/30/2030' } })
    await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2029-05-31' } })
    expect((await list()).map(({ title, date }) => [title, date])).toEqual([
      ['Lease ends', '2029-05-31'],
      ['Board term ends: Wendell Obi', '2030-06-30'],
    ])
    const _id = affair.charter_affair_info[0]?.authorizer_board_member[0]?._id ?? ''
    await officer.send(updateMember, { params, body: { _id, board_term: '6/30/2031' } })
    await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: null } })
    expect((await list()).map(({ date }) => date)).toEqual(['2031-06-30'])
    await officer.send(removeMember, { params: { ...params, memberId: _id } })
    expect(await list()).toEqual([])
  })

  test('of charters are visible at level 6 and lower, those of leases to everyone', async () => {
    const { as, save, list, officer, site } = await setUp()
    await save({ overview: { dass_due_date: '1/15/2030' } })
    await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2029-05-31' } })
    expect(await list({}, as(6))).toHaveLength(2)
    const seen = await list({}, as(7))
    expect(seen.map(({ title }) => title)).toEqual(['Lease ends'])
    const [lease, dass] = await list()
    expect((await as(7).trySend(readDeadline, { params: { id: dass?._id ?? '' } })).statusCode).toBe(404)
    expect((await as(7).trySend(readDeadline, { params: { id: lease?._id ?? '' } })).statusCode).toBe(200)
    expect((await as(7).trySend(updateDeadline, { params: { id: dass?._id ?? '' }, body: { state: 'handled' } })).statusCode).toBe(404)
    expect((await as(7).trySend(updateDeadline, { params: { id: lease?._id ?? '' }, body: { state: 'handled' } })).statusCode).toBe(403)
    for (const call of [listUnreadTexts, listContradictions]) expect((await as(7).trySend(call)).statusCode).toBe(403)
  })

  test('of a charter that is closed permanently no longer apply', async () => {
    const { save, list, officer, charter } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030', fol_visit: 'TBD' } })
    expect(await list()).toHaveLength(1)
    await officer.send(updateCharter, { params: { id: charter._id }, body: { status: 'CLOSED - PERMANENTLY' } })
    expect(await list()).toEqual([])
    expect((await officer.send(listUnreadTexts)).filter((one) => one.charter?._id === charter._id)).toEqual([])
  })

  test('are found by brand, by a part of their description, and by the beginnings of its words only', async () => {
    const { save, list, officer, charter } = await setUp()
    await save({ overview: { dass_due_date: 'By 1/15/2030 at the latest', fol_visit: '3/1/2030', oversight_date: '2/1/2030' } })
    const { brand } = await officer.send(viewCharter, { params: { id: charter._id } })
    const ofBrand = await officer.send(listDeadlines, { query: { brand } })
    expect(new Set(ofBrand.flatMap((one) => one.charter?._id ?? []))).toContain(charter._id)
    expect((await officer.trySend(listDeadlines, { query: { brand: 'no-such-brand' } })).statusCode).toBe(404)
    const titles = async (query: object) => (await list(query)).map(({ title }) => title)
    expect(await titles({ q: 'at the LATEST' })).toEqual(['DASS due'])
    expect(await titles({ q: 'fol v' })).toEqual(['FOL visit'])
    expect(await titles({ q: charter.name })).toHaveLength(3)
    expect(await titles({ limit: 2 })).toEqual(['DASS due', 'Oversight visit'])
    expect((await officer.send(countDeadlines, { query: { charter: charter.slug, q: 'fol v' } })).later).toBe(1)
  })

  test('are shown once if two sections have the same date', async () => {
    const { save, list } = await setUp()
    await save({ overview: { charter_expiration_date: '06/30/2031' }, charter_terms: { charter_expiration_date: 'June 30, 2031' } })
    expect(await list()).toHaveLength(1)
    await save({ charter_terms: { charter_expiration_date: '06/30/2032' } })
    expect((await list()).map(({ date }) => date)).toEqual(['2031-06-30', '2032-06-30'])
  })

  test('that are handled stay unchanged if their text gets another date, and a new one is open', async () => {
    const { save, list, officer } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030' } })
    const [first] = await list()
    const handled = await officer.send(updateDeadline, {
      params: { id: first?._id ?? '' },
      body: { state: 'handled', note: 'Report sent' },
    })
    expect(handled).toMatchObject({ state: 'handled', note: 'Report sent', version: (first?.version ?? 0) + 1 })
    await save({ overview: { oversight_date: 'now 1/15/2031' } })
    expect((await list()).map(({ date, state, isCurrent, note }) => [date, state, isCurrent, note])).toEqual([
      ['2030-01-15', 'handled', false, 'Report sent'],
      ['2031-01-15', 'open', true, null],
    ])
  })

  test('that are open follow the date in their text, and are open again if they were put off', async () => {
    const { save, list, officer } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030' } })
    const [first] = await list()
    const id = first?._id ?? ''
    const snoozed = await officer.send(updateDeadline, { params: { id }, body: { state: 'snoozed', snoozedUntil: addDays(TODAY, 5) } })
    expect(snoozed).toMatchObject({ state: 'snoozed', snoozedUntil: addDays(TODAY, 5) })
    await save({ overview: { oversight_date: '1/20/2030' } })
    expect(await list()).toMatchObject([{ _id: id, date: '2030-01-20', state: 'open', snoozedUntil: null }])
  })

  test('can be put off only until a later day', async () => {
    const { save, list, officer } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030' } })
    const id = (await list())[0]?._id ?? ''
    const bodies = [
      { state: 'snoozed' },
      { state: 'snoozed', snoozedUntil: TODAY },
      { state: 'snoozed', snoozedUntil: '2027-02-30' },
    ] as const
    for (const body of bodies) expect((await officer.trySend(updateDeadline, { params: { id }, body })).statusCode).toBe(422)
  })

  test('are not saved over another version', async () => {
    const { save, list, officer } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030' } })
    const [first] = await list()
    const { _id: id, version } = first ?? { _id: '', version: 0 }
    const change = (at: number) =>
      officer.trySend(updateDeadline, { params: { id }, body: { note: `Version ${at}` }, headers: { 'if-match': `"${at}"` } })
    expect((await change(version)).statusCode).toBe(200)
    expect((await change(version)).statusCode).toBe(412)
  })
})

describe('a text without a date', () => {
  test('is listed with the reason, until a date is set by hand', async () => {
    const { save, list, officer, charter } = await setUp()
    await save({ overview: { fol_visit: 'Third Thursday', fol_report_due_date: '13/01/2027' } })
    expect(await list()).toEqual([])
    const unread = (await officer.send(listUnreadTexts)).filter((one) => one.charter?._id === charter._id)
    expect(unread.map(({ field, text }) => [field, text])).toEqual([
      ['fol_report_due_date', '13/01/2027'],
      ['fol_visit', 'Third Thursday'],
    ])
    expect(unread.every(({ why }) => why.length > 3)).toBe(true)
    await officer.send(updateDeadline, { params: { id: unread[1]?._id ?? '' }, body: { date: '2030-03-15' } })
    expect(await list()).toMatchObject([{ date: '2030-03-15', source: { isByHand: true, text: 'Third Thursday' } }])
    await save({ overview: { fol_visit: 'Fourth Thursday' } })
    expect(await list()).toEqual([])
  })

  test('falls back to the date in the text when the date set by hand is removed', async () => {
    const { save, list, officer } = await setUp()
    await save({ overview: { fol_visit: '3/4/2030' } })
    const id = (await list())[0]?._id ?? ''
    await officer.send(updateDeadline, { params: { id }, body: { date: '2030-04-03' } })
    expect(await list()).toMatchObject([{ date: '2030-04-03' }])
    expect(await officer.send(updateDeadline, { params: { id }, body: { date: null } })).toMatchObject({ date: '2030-03-04' })
  })

  test('is not listed any longer once it is marked as no deadline', async () => {
    const { save, officer, charter } = await setUp()
    await save({ overview: { fol_visit: 'TBD' } })
    const own = async () => (await officer.send(listUnreadTexts)).filter((one) => one.charter?._id === charter._id)
    const [text] = await own()
    expect(await officer.send(updateDeadline, { params: { id: text?._id ?? '' }, body: { isIgnored: true } })).toBeNull()
    expect(await own()).toEqual([])
    await save({ overview: { fol_visit: 'TBA' } })
    expect(await own()).toHaveLength(1)
  })
})

test('the texts of a charter are listed by section and field, with the date and state of each', async () => {
  const { save, officer, as, charter, params } = await setUp()
  await save({
    overview: { fol_visit: 'Third Thursday', charter_expiration_date: '06/30/2031' },
    charter_terms: { charter_expiration_date: '06/30/2031' },
  })
  await officer.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '6/30/2030' } })
  const read = () => as(6).send(listDeadlineTexts, { params: { id: charter.slug } })
  const texts = await read()
  expect(texts.map(({ section, field, date }) => [section, field, date])).toEqual([
    ['authorizer_board_member', 'board_term', '2030-06-30'],
    ['charter_terms', 'charter_expiration_date', '2031-06-30'],
    ['overview', 'charter_expiration_date', '2031-06-30'],
    ['overview', 'fol_visit', null],
  ])
  const change = (body: object) =>
    officer.send(updateDeadline, { params: { id: texts.find(({ field }) => field === 'fol_visit')?._id ?? '' }, body })
  const visit = async () => (await read()).find(({ field }) => field === 'fol_visit')
  await change({ date: '2030-03-15' })
  expect(await visit()).toMatchObject({ text: 'Third Thursday', date: '2030-03-15', isByHand: true, state: 'open' })
  await change({ date: null, isIgnored: true })
  expect(await visit()).toMatchObject({ date: null, isByHand: false, isIgnored: true })
  expect((await officer.trySend(listDeadlineTexts, { params: { id: 'nowhere' } })).statusCode).toBe(404)
  expect((await as(7).trySend(listDeadlineTexts, { params: { id: charter.slug } })).statusCode).toBe(403)
})

test('contradicting dates are listed with both values', async () => {
  const { save, officer, charter, site, params } = await setUp()
  await save({
    overview: { charter_expiration_date: '06/30/2020', petition_submission_due_date: '09/01/2020' },
    charter_terms: { charter_expiration_date: '06/30/2021' },
  })
  await officer.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '6/30/2020' } })
  await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2020-05-31' } })
  const own = (await officer.send(listContradictions)).filter((one) => one.charter?._id === charter._id || one.site?._id === site._id)
  expect(own.map(({ kind, values }) => [kind, values.length]).toSorted()).toEqual([
    ['board term over', 1],
    ['expired but active', 2],
    ['lease over', 1],
    ['petition after expiration', 2],
    ['sections disagree', 2],
  ])
})

test('a contradiction names who typed its texts, not who was assigned later', async () => {
  const { save, officer, as, make, charter, list } = await setUp()
  await save({ overview: { funding_expiration: '06/30/2030' }, funding: { funding_expiration: '06/30/2031' } })
  const [first] = await list()
  const person = await make.person()
  await as(5).send(updateDeadline, { params: { id: first?._id ?? '' }, body: { responsible: person._id } })
  const own = (await officer.send(listContradictions)).find((one) => one.charter?._id === charter._id)
  const { name } = await officer.who()
  expect(own?.values.map(({ changedBy }) => changedBy)).toEqual([name, name])
})

describe('a deadline that people add', () => {
  test('belongs to a charter or a site, and can be changed and deleted', async () => {
    const { officer, charter, site, list } = await setUp()
    const body = { title: 'Fire inspection', date: '2030-03-01', kind: 'oversight' } as const
    for (const wrong of [
      body,
      { ...body, charter: charter._id, site: site._id },
      { ...body, charter: 'nowhere' },
      { ...body, charter: charter._id, date: '2030-02-30' },
    ])
      // prettier-ignore
      expect((await officer.trySend(createDeadline, { body: wrong })).statusCode).toBe(422)
    const created = await officer.send(createDeadline, { body: { ...body, site: site.slug } })
    expect(created).toMatchObject({ title: 'Fire inspection', source: { record: 'custom' }, site: { _id: site._id }, charter: null })
    const params = { id: created._id }
    expect(await officer.send(updateDeadline, { params, body: { title: 'Fire drill', date: '2030-04-01' } })).toMatchObject({
      title: 'Fire drill',
      date: '2030-04-01',
    })
    expect(await list()).toHaveLength(1)
    expect((await officer.trySend(deleteDeadline, { params })).statusCode).toBe(204)
    expect(await list()).toEqual([])
  })

  test('repeats a year later if it is yearly and handled', async () => {
    const { officer, charter, list } = await setUp()
    const created = await officer.send(createDeadline, {
      body: { title: 'Form 990', date: '2028-02-29', kind: 'funding', charter: charter._id, yearly: true },
    })
    const change = (id: string, state: 'open' | 'handled') => officer.send(updateDeadline, { params: { id }, body: { state } })
    for (const state of ['handled', 'open', 'handled'] as const) await change(created._id, state)
    const days = async () => (await list()).map(({ date, state }) => [date, state])
    expect(await days()).toEqual([
      ['2028-02-29', 'handled'],
      ['2029-02-28', 'open'],
    ])
    for (let year = 2029; year < 2032; year++) await change((await list()).find(({ state }) => state === 'open')?._id ?? '', 'handled')
    expect((await days()).at(-1)).toEqual(['2032-02-29', 'open'])
  })

  test('can be deleted, unlike one that is read from a text', async () => {
    const { save, list, officer } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030' } })
    expect((await officer.trySend(deleteDeadline, { params: { id: (await list())[0]?._id ?? '' } })).statusCode).toBe(409)
  })
})

test('anyone who is responsible may mark a deadline handled, put it off and add a note, and nothing else', async () => {
  const { make, as, list, save, officer } = await setUp()
  const owner = as(6)
  const { azureID: email } = await owner.who()
  const person = await make.person({ email })
  await save({ overview: { oversight_date: '1/15/2030' } })
  const id = (await list())[0]?._id ?? ''
  const change = async (body: object) => (await owner.trySend(updateDeadline, { params: { id }, body })).statusCode
  expect(await change({ note: 'Mine?' })).toBe(403)
  await officer.send(updateDeadline, { params: { id }, body: { responsible: person._id } })
  expect(await list({ responsible: 'me' }, owner)).toMatchObject([{ _id: id, responsible: { _id: person._id, name: person.name } }])
  expect(await change({ note: 'Mine' })).toBe(200)
  expect(await change({ state: 'snoozed', snoozedUntil: addDays(TODAY, 3) })).toBe(200)
  expect(await change({ state: 'handled' })).toBe(200)
  expect(await change({ responsible: null })).toBe(403)
  expect(await change({ date: '2030-02-01' })).toBe(403)
})

test('filters find by kind, dates, region, site, state and responsible person', async () => {
  const { save, list, site, officer, region } = await setUp()
  await save({ overview: { oversight_date: '1/15/2030', dass_due_date: '2/15/2030' } })
  await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2029-05-31' } })
  const titles = async (query: object) => (await list(query)).map(({ title }) => title)
  expect(await titles({ kind: 'dass' })).toEqual(['DASS due'])
  expect(await titles({ from: '2030-01-15', to: '2030-01-15' })).toEqual(['Oversight visit'])
  expect(await titles({ site: site._id })).toEqual(['Lease ends'])
  expect(await titles({ state: 'handled' })).toEqual([])
  expect(await titles({ responsible: 'none' })).toHaveLength(3)
  expect(await titles({ region: region.slug })).toHaveLength(3)
  expect((await officer.trySend(listDeadlines, { query: { kind: 'party' as never } })).statusCode).toBe(422)
  expect((await officer.trySend(listDeadlines, { query: { charter: 'nowhere' } })).statusCode).toBe(404)
  const counts = await officer.send(countDeadlines, { query: { site: site._id } })
  expect(counts).toMatchObject({ overdue: 0, later: 1, responsible: [{ person: null, count: 1 }] })
})

describe('the history of a deadline', () => {
  const toLines = (
    changes: readonly { by: string | null; action: string; fields: readonly { field: string; from: unknown; to: unknown }[] }[],
  ) => changes.map(({ by, action, fields }) => [by, action, Object.fromEntries(fields.map(({ field, from, to }) => [field, [from, to]]))])

  test('shows who typed, assigned, put off, handled and noted, by name', async () => {
    const { save, list, officer, as, make } = await setUp()
    const person = await make.person()
    const other = as(5)
    await save({ overview: { oversight_date: '1/15/2030' } })
    const params = { id: (await list())[0]?._id ?? '' }
    const change = (body: object, by = officer) => by.send(updateDeadline, { params, body })
    await change({ responsible: person._id })
    await change({ state: 'snoozed', snoozedUntil: addDays(TODAY, 5) }, other)
    await change({ state: 'handled', note: 'Report sent' }, other)
    const [me, them] = [(await officer.who()).name, (await other.who()).name]
    const { changes, people, more } = await as(6).send(readDeadlineHistory, { params, query: {} })
    expect(toLines(changes).slice(0, 3)).toEqual([
      [them, 'update', { state: ['snoozed', 'handled'], snoozedUntil: [addDays(TODAY, 5), null], note: [null, 'Report sent'] }],
      [them, 'update', { state: ['open', 'snoozed'], snoozedUntil: [null, addDays(TODAY, 5)] }],
      [me, 'update', { responsible: [null, person._id] }],
    ])
    expect(changes[2]?.fields[0]?.toName).toBe(person.name)
    expect(changes[3]).toMatchObject({ by: me, action: 'insert' })
    expect([people.toSorted(), more]).toEqual([[me, them].toSorted(), false])
    expect((await as(6).send(readDeadlineHistory, { params, query: { by: them } })).changes).toHaveLength(2)
  })

  test('is readable for people who can read the deadline, and if it is deleted for people who read every history', async () => {
    const { save, list, officer, as, site } = await setUp()
    await save({ overview: { oversight_date: '1/15/2030' } })
    const created = await officer.send(createDeadline, {
      body: { title: 'Fire inspection', date: '2031-03-01', kind: 'oversight', site: site._id },
    })
    const read = async (id: string, level: number) =>
      (await as(level).trySend(readDeadlineHistory, { params: { id }, query: {} })).statusCode
    const ofCharter = (await list())[0]?._id ?? ''
    expect([await read(ofCharter, 6), await read(ofCharter, 7), await read(created._id, 10)]).toEqual([200, 404, 200])
    await officer.send(deleteDeadline, { params: { id: created._id } })
    expect([await read(created._id, 6), await read(created._id, 7), await read('nowhere', 6)]).toEqual([200, 404, 404])
  })
})
