import { expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { readWorkbook } from '../../../test/support/workbooks.ts'
import { toIsoDay } from '../../contract/dates.ts'
import { DEADLINE_SOURCES } from '../../contract/deadlines.ts'
import { createDeadline, listDeadlines, updateDeadline } from '../../features/deadlines/deadlines/contract.ts'
import { addMember, saveCharterAffair } from '../../records/charter-affairs/contract.ts'
import { updateFacility } from '../../records/facility/contract.ts'
import { downloads, previews } from './contract.ts'

const download = async ({ as }: TestApp, level = 6) => {
  const response = await as(level).trySend(downloads.deadlines)
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
  return (await readWorkbook(response.rawPayload))[0]
}

const setUp = async () => {
  const net = await startApp()
  const { make, as } = net
  const region = await make.region()
  const charter = await make.charter({ name: 'Bright Harbor' })
  const site = await make.site({ charter: charter._id, region: region._id, displayName: 'Harbor Site' })
  const officer = as(5)
  await officer.send(saveCharterAffair, {
    params: { id: charter._id },
    body: { overview: { charter_expiration_date: 'Approved 04/12/2022; expires 06/30/2031', wasc_visit_date: 'March 2032' } },
  })
  await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2029-05-31' } })
  await officer.send(createDeadline, {
    body: { title: '=Annual, report', date: '2028-01-31', kind: 'oversight', charter: charter._id, note: 'line\nbreak' },
  })
  const listed = await officer.send(listDeadlines, { query: { charter: charter.slug } })
  return { ...net, charter, site, officer, listed }
}

test('the workbook Deadlines has a row for each deadline: its date as a date cell, the text it was read from, and who is responsible', async () => {
  const net = await setUp()
  const person = await net.make.person({ name: 'Corinne Sato' })
  const visit = net.listed.find(({ title }) => title === 'WASC visit')
  await net.officer.send(updateDeadline, {
    params: { id: visit?._id ?? '' },
    body: { date: '2032-03-09', responsible: person._id, state: 'snoozed', snoozedUntil: '2032-01-02', note: 'They call' },
  })
  const sheet = await download(net)
  const today = { day: toIsoDay(new Date(), net.context.configuration.timeZone) }
  const changed = { Changed: today, 'Changed by': expect.any(String) }
  const open = { State: 'Open', 'Put off until': null, Responsible: null, Note: null, Precision: 'Day', Region: 'California' }
  const ofCharter = { ...open, ...changed, Charter: 'Bright Harbor', Site: null, 'Set by hand': 'No' }
  expect(sheet?.rows).toEqual([
    {
      ...ofCharter,
      Kind: 'Oversight',
      Title: '=Annual, report',
      Date: { day: '2028-01-31' },
      Note: 'line\nbreak',
      'Read from': null,
      Text: null,
    },
    {
      ...ofCharter,
      Kind: 'Lease',
      Title: 'Lease ends',
      Date: { day: '2029-05-31' },
      Charter: null,
      Site: 'Harbor Site',
      'Read from': 'Facility: Lease end',
      Text: '05/31/2029',
    },
    {
      ...ofCharter,
      Kind: 'Charter term',
      Title: 'Charter expires',
      Date: { day: '2031-06-30' },
      'Read from': 'Overview: Charter expiration date',
      Text: 'Approved 04/12/2022; expires 06/30/2031',
    },
    {
      ...ofCharter,
      Kind: 'Accreditation',
      Title: 'WASC visit',
      Date: { day: '2032-03-09' },
      State: 'Put off',
      'Put off until': { day: '2032-01-02' },
      Responsible: 'Corinne Sato',
      Note: 'They call',
      'Read from': 'Overview: WASC visit date',
      Text: 'March 2032',
      'Set by hand': 'Yes',
    },
  ])
})

test('the workbook Deadlines and its preview contain only leases for people who cannot read charter affairs', async () => {
  const net = await setUp()
  for (const level of [7, 10]) {
    const sheet = await download(net, level)
    expect(sheet?.rows.map((row) => row['Title'])).toEqual(['Lease ends'])
    const { rows, first } = await net.as(level).send(previews.deadlines)
    expect([rows, first.map(([, title]) => title)]).toEqual([1, ['Lease ends']])
  }
  const sheet = await download(net, 6)
  expect(sheet?.rows).toHaveLength((await net.as(6).send(listDeadlines, {})).length)
  expect((await net.as(6).send(previews.deadlines)).rows).toBe(4)
})

test('the workbook Deadlines names every field with a deadline by its label in the form', async () => {
  const net = await startApp()
  const charter = await net.make.charter()
  const site = await net.make.site()
  const officer = net.as(5)
  const ofAffair = DEADLINE_SOURCES.filter(({ table }) => table === 'charter_affair')
  const overview = Map.groupBy(ofAffair, ({ section }) => section ?? '')
  const body = Object.fromEntries(
    [...overview].map(([section, sources], month) => [
      section,
      Object.fromEntries(sources.map(({ field }, at) => [field, `${month + 1}/${at + 2}/2030`])),
    ]),
  )
  const params = { id: charter._id }
  await officer.send(saveCharterAffair, { params, body })
  await officer.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '6/30/2030' } })
  await officer.send(updateFacility, { params: { id: site._id }, body: { lease_end: '2029-05-31' } })
  const sheet = await download(net)
  const names = sheet?.rows.map((row) => row['Read from']) ?? []
  expect(names).toHaveLength(DEADLINE_SOURCES.length)
  expect(new Set(names).size).toBe(DEADLINE_SOURCES.length)
  for (const name of names) expect(name).toMatch(/^[A-Z][\w ]+: [A-Z][\w ,-]+$/)
})
