import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { formatDay } from '../../../contract/dates.ts'
import { DEADLINE_SOURCES, type DeadlineSource } from '../../../contract/deadlines.ts'
import { addMember, saveCharterAffair, updateMember } from '../../../records/charter-affairs/contract.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { createCalendar } from '../calendars/contract.ts'
import {
  countDeadlines,
  type DeadlineChange,
  listContradictions,
  listDeadlines,
  listDeadlineTexts,
  listUnreadTexts,
  readDeadlineHistory,
  updateDeadline,
} from './contract.ts'
import { readPendingTexts } from './sync.server.ts'

const UNCERTAIN = '6/30/2030 or 7/15/2030'
const BOTH = ['2030-06-30', '2030-07-15']

const setUp = async () => {
  const net = await network()
  const { make, as, context } = net
  const charter = await make.charter()
  const site = await make.site({ charter: charter._id })
  const officer = as(5)
  const params = { id: charter._id }
  const save = (body: object) => officer.send(saveCharterAffair, { params, body })
  const list = (query: object = {}, level = officer) => level.send(listDeadlines, { query: { charter: charter.slug, ...query } })
  const first = async (query: object = {}) => {
    const [deadline] = await list(query)
    if (!deadline) throw new Error('No deadline is listed')
    return deadline
  }
  const change = (_id: string, body: DeadlineChange, level = officer) => level.send(updateDeadline, { params: { id: _id }, body })
  const tryChange = async (_id: string, body: object, level = officer) =>
    (await level.trySend(updateDeadline, { params: { id: _id }, body })).statusCode
  const counts = () => officer.send(countDeadlines, { query: { charter: charter.slug } })
  /** Reads all texts of the charter again, as after an upgrade. */
  const readAgain = async () => {
    await sql`insert into deadline_pending (source, record) select distinct source, record from deadline where charter = ${charter._id}
      and source <> 'custom' on conflict do nothing`.execute(context.db)
    await readPendingTexts(context)
  }
  return { ...net, charter, site, officer, params, save, list, first, change, tryChange, counts, readAgain }
}

describe('a date that is not certain', () => {
  test('is proposed: listed with the dates in its text and the reason, and with no date of its own', async () => {
    const { save, list, first, officer, params } = await setUp()
    await save({ overview: { oversight_date: UNCERTAIN, dass_due_date: '1/15/2030' } })
    const proposal = await first({ proposed: 'true' })
    expect(proposal).toMatchObject({ title: 'Oversight visit', proposed: true, source: { text: UNCERTAIN, isByHand: false } })
    expect(proposal.proposedDates.map(({ date }) => date).toSorted()).toEqual(BOTH)
    expect(proposal.date).toBe(proposal.proposedDates[0]?.date)
    expect(proposal.why?.length).toBeGreaterThan(3)
    expect(await first({ proposed: 'false' })).toMatchObject({ title: 'DASS due', proposed: false, proposedDates: [], why: null })
    expect(await list({ proposed: 'false' })).toHaveLength(1)
    expect((await list()).map(({ proposed }) => proposed)).toEqual([false, true])
    expect((await officer.trySend(listDeadlines, { query: { proposed: 'perhaps' as never } })).statusCode).toBe(422)
    const texts = await officer.send(listDeadlineTexts, { params })
    expect(texts.find(({ field }) => field === 'oversight_date')).toMatchObject({ date: null, why: proposal.why, isByHand: false })
  })

  test('is in no count, calendar, contradiction, or list of texts without a date', async () => {
    const { save, counts, officer, charter, app, context, catchUp } = await setUp()
    const { url } = await officer.send(createCalendar, { body: { name: 'Charter', filter: { charter: charter.slug } } })
    await save({
      overview: { charter_expiration_date: '6/30/2020 or 7/15/2020', petition_submission_due_date: '1/15/2040 or 1/16/2040' },
      charter_terms: { charter_expiration_date: '6/30/2040' },
    })
    expect(await counts()).toMatchObject({ overdue: 0, later: 1, proposed: 2, unread: expect.any(Number) })
    expect((await counts()).responsible).toEqual([{ person: null, count: 1 }])
    const isOwn = (one: { charter: { _id: string } | null }): boolean => one.charter?._id === charter._id
    expect((await officer.send(listContradictions)).filter(isOwn)).toEqual([])
    expect((await officer.send(listUnreadTexts)).filter(isOwn)).toEqual([])
    await catchUp()
    const { host } = new URL(context.configuration.publicUrl)
    const file = await app.inject({ method: 'GET', url: new URL(url).pathname, authority: host })
    expect(file.body.match(/^DTSTART.*$/gm)).toEqual(['DTSTART;VALUE=DATE:20400630'])
  })

  test('becomes certain when it is confirmed, until its text changes', async () => {
    const { save, first, change, readAgain, counts } = await setUp()
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id, date, version } = await first()
    expect(await change(_id, { confirmed: true })).toMatchObject({
      date,
      proposed: false,
      proposedDates: [],
      why: null,
      version: version + 1,
      source: { isByHand: true, text: UNCERTAIN },
    })
    expect(await counts()).toMatchObject({ later: 1, proposed: 0 })
    await readAgain()
    expect(await first()).toMatchObject({ _id, date, proposed: false, version: version + 1 })
    await save({ overview: { oversight_date: '6/30/2031 or 7/15/2031' } })
    expect(await first()).toMatchObject({ _id, proposed: true, source: { isByHand: false } })
    await save({ overview: { oversight_date: '6/30/2031' } })
    expect(await first()).toMatchObject({ _id, date: '2031-06-30', proposed: false })
  })

  test('is changed with another proposed date or any other, and proposed again when that is undone', async () => {
    const { save, first, change } = await setUp()
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id, proposedDates } = await first()
    const other = proposedDates[1]?.date ?? ''
    expect(await change(_id, { confirmed: true, date: other })).toMatchObject({ date: other, proposed: false })
    expect(await change(_id, { date: null })).toMatchObject({ proposed: true, proposedDates })
    expect(await change(_id, { date: '2030-08-01' })).toMatchObject({ date: '2030-08-01', proposed: false })
  })

  test('is confirmed once, and before anything else is done with it', async () => {
    const { save, first, tryChange, officer } = await setUp()
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id, version } = await first()
    expect(await tryChange(_id, { state: 'handled' })).toBe(422)
    expect(await tryChange(_id, { confirmed: false })).toBe(422)
    expect(await tryChange(_id, { confirmed: true, date: null })).toBe(422)
    const stale = { params: { id: _id }, body: { confirmed: true }, headers: { 'if-match': `"${version - 1}"` } } as const
    expect((await officer.trySend(updateDeadline, stale)).statusCode).toBe(412)
    expect(await tryChange(_id, { confirmed: true, state: 'handled' })).toBe(200)
    expect(await tryChange(_id, { confirmed: true })).toBe(422)
  })

  test('is confirmed by people who manage deadlines, and by its responsible person from the proposed dates', async () => {
    const { save, first, tryChange, change, as, make } = await setUp()
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id, proposedDates } = await first()
    const owner = as(6)
    expect(await tryChange(_id, { confirmed: true }, owner)).toBe(403)
    const person = await make.person({ email: (await owner.who()).azureID })
    await change(_id, { responsible: person._id })
    expect(await tryChange(_id, { confirmed: true, date: '2030-08-01' }, owner)).toBe(403)
    expect(await tryChange(_id, { confirmed: true, date: proposedDates[1]?.date }, owner)).toBe(200)
    expect(await tryChange(_id, { confirmed: true }, as(7))).toBe(404)
  })

  test('is in the history as every change of a deadline', async () => {
    const { save, first, change, officer } = await setUp()
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id, date } = await first()
    await change(_id, { confirmed: true })
    const { changes } = await officer.send(readDeadlineHistory, { params: { id: _id }, query: {} })
    expect(changes[0]?.by).toBe((await officer.who()).name)
    expect(changes[0]?.fields.map(({ field, to }) => [field, to])).toEqual(
      expect.arrayContaining([
        ['date', date],
        ['isByHand', true],
      ]),
    )
    expect(changes[0]?.fields.map(({ field }) => field)).not.toContain('proposedDates')
  })

  test('is confirmed once for two fields with the same dates', async () => {
    const { save, list, first, change } = await setUp()
    await save({ overview: { funding_expiration: UNCERTAIN }, funding: { funding_expiration: UNCERTAIN } })
    expect(await list()).toHaveLength(1)
    const { _id, date } = await first()
    await change(_id, { confirmed: true })
    expect(await list()).toMatchObject([{ _id, date, proposed: false }])
  })
})

describe('texts that are read again after an upgrade', () => {
  /** What an earlier version stored for a text. */
  const storeAsRead = async ({ context, catchUp }: Awaited<ReturnType<typeof setUp>>, _id: string, date: string) => {
    await sql`update deadline set date = ${date}, precision = 'day', "proposedDates" = null, why = null
      where _id = ${_id}`.execute(context.db)
    await catchUp()
  }

  test('propose a date that is no longer certain, with its owner, note and state, and the date it had', async () => {
    const net = await setUp()
    const { save, first, change, make, readAgain } = net
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id, date } = await first()
    await storeAsRead(net, _id, date)
    const person = await make.person()
    await change(_id, { responsible: person._id, note: 'They call', state: 'snoozed', snoozedUntil: '2030-01-01' })
    await readAgain()
    expect(await first()).toMatchObject({
      _id,
      proposed: true,
      formerDate: date,
      responsible: { _id: person._id },
      note: 'They call',
      state: 'snoozed',
      snoozedUntil: '2030-01-01',
    })
    expect(await change(_id, { confirmed: true })).toMatchObject({ date, formerDate: null, state: 'snoozed', note: 'They call' })
  })

  test('list a text whose former date is no longer found with that date', async () => {
    const net = await setUp()
    const { save, officer, list, readAgain, charter } = net
    await save({ overview: { oversight_date: 'Third Thursday' } })
    const own = async () => (await officer.send(listUnreadTexts)).filter((one) => one.charter?._id === charter._id)
    const [text] = await own()
    await storeAsRead(net, text?._id ?? '', '2030-05-31')
    expect(await list()).toHaveLength(1)
    await readAgain()
    expect(await own()).toMatchObject([{ _id: text?._id, formerDate: '2030-05-31' }])
  })

  test('leave dates as they are that someone set or handled, and texts that are no deadline', async () => {
    const net = await setUp()
    const { save, list, change, readAgain } = net
    await save({ overview: { oversight_date: UNCERTAIN, dass_due_date: UNCERTAIN, fol_visit: UNCERTAIN } })
    const [handled, byHand, ignored] = (await list()).map(({ _id, date }) => ({ _id, date }))
    await storeAsRead(net, handled?._id ?? '', handled?.date ?? '')
    await change(handled?._id ?? '', { state: 'handled' })
    await change(byHand?._id ?? '', { date: '2030-09-09' })
    await change(ignored?._id ?? '', { isIgnored: true })
    const before = await list()
    await readAgain()
    expect(await list()).toEqual(before)
    expect(before.map(({ proposed }) => proposed)).toEqual([false, false])
  })

  test('keep a handled date as the past if the text is about another one', async () => {
    const net = await setUp()
    const { save, first, list, change, readAgain } = net
    await save({ overview: { oversight_date: UNCERTAIN } })
    const { _id } = await first()
    await storeAsRead(net, _id, '2029-01-01')
    await change(_id, { state: 'handled', note: 'Sent' })
    await readAgain()
    expect((await list()).map(({ state, proposed, note, isCurrent }) => [state, proposed, note, isCurrent])).toEqual([
      ['handled', false, 'Sent', false],
      ['open', true, null, true],
    ])
  })
})

describe('every field with a deadline', () => {
  test('is read again after an edit', async () => {
    const { save, officer, params, site, list } = await setUp()
    await save({ overview: { notes: 'A record' } })
    const affair = await officer.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '1/1/2030' } })
    const member = affair.charter_affair_info[0]?.authorizer_board_member[0]?._id ?? ''
    const write = ({ table, section, field }: DeadlineSource, date: string): Promise<unknown> => {
      if (table === 'facility') return officer.send(updateFacility, { params: { id: site._id }, body: { [field]: date } })
      const text = formatDay(date)
      return table === 'charter_affair'
        ? save({ [section ?? '']: { [field]: text } })
        : officer.send(updateMember, { params, body: { _id: member, [field]: text } })
    }
    const readBack = async ({ table, section, field }: DeadlineSource) => {
      if (table === 'facility') return (await list({ site: site._id })).map(({ date }) => date).join()
      const texts = await officer.send(listDeadlineTexts, { params })
      return texts.find((text) => text.section === (section ?? table) && text.field === field)?.date
    }
    for (const source of DEADLINE_SOURCES)
      for (const date of ['2031-01-02', '2031-02-02']) {
        await write(source, date)
        expect(await readBack(source), `${source.table} ${source.section} ${source.field}`).toBe(date)
      }
  })

  test('is in a column that a trigger watches, as is every section of an affair', async () => {
    const { context } = await setUp()
    const { rows } = await sql<{ table: string; column: string }>`
      select event_object_table as "table", event_object_column as "column" from information_schema.triggered_update_columns
      where trigger_name = 'note_changed_deadlines'`.execute(context.db)
    const watched = new Set(rows.map(({ table, column }) => `${table}.${column}`))
    for (const { table, section, field } of DEADLINE_SOURCES) expect(watched).toContain(`${table}.${section ?? field}`)
    const sections = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'charter_affair' and data_type = 'jsonb'`.execute(
      context.db,
    )
    for (const { name } of sections.rows) expect(watched).toContain(`charter_affair.${name}`)
  })
})
