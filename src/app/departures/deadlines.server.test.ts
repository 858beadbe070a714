import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { toIsoDay } from '../../contract/dates.ts'
import {
  createDeadline,
  readDeadline,
  updateDeadline,
  readDeadlineSettings,
  saveDeadlineSettings,
} from '../../features/deadlines/deadlines/contract.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { createDeparture, deleteDeparture, readDeparture } from './contract.ts'

const TODAY = toIsoDay(new Date(), 'America/Los_Angeles')

/** A person with an open, a postponed and a handled deadline, who is responsible for oversight everywhere and for DASS in the region. */
const setUp = async () => {
  const net = await network()
  const { make, as, site, region } = net
  const [leaver, successor] = [await make.person(), await make.person()]
  const officer = as(5)
  const add = async (title: string, change?: object) => {
    const body = { title, date: addDays(TODAY, 100), kind: 'lease', site: site._id, responsible: leaver._id } as const
    const { _id } = await officer.send(createDeadline, { body })
    if (change) await officer.send(updateDeadline, { params: { id: _id }, body: change })
    return _id
  }
  const deadlines = [
    await add('Open'),
    await add('Put off', { state: 'snoozed', snoozedUntil: addDays(TODAY, 20) }),
    await add('Handled', { state: 'handled' }),
  ]
  await officer.send(saveDeadlineSettings, {
    body: {
      kinds: [
        { kind: 'oversight', leadDays: [30], responsible: leaver._id, regions: [] },
        { kind: 'dass', leadDays: [30], responsible: null, regions: [{ region: region._id, responsible: leaver._id }] },
      ],
    },
  })
  const responsible = () =>
    Promise.all(deadlines.map(async (_id) => (await officer.send(readDeadline, { params: { id: _id } })).responsible?._id ?? null))
  const inSettings = async () =>
    (await officer.send(readDeadlineSettings)).kinds.flatMap((kind) => [
      ...(kind.responsible ? [kind.responsible._id] : []),
      ...kind.regions.map((one) => one.responsible._id),
    ])
  return { ...net, leaver, successor, officer, deadlines, responsible, inSettings, params: { id: leaver._id } }
}

describe('the deadlines of a person who leaves', () => {
  test('are counted, and reassigned to someone else in the same step', async () => {
    const { as, leaver, successor, params, responsible, inSettings } = await setUp()
    expect((await as(6).send(readDeparture, { params })).deadlines).toEqual({ deadlines: 2, settings: 2, to: null })
    await as(6).send(createDeparture, { params, body: { deadlinesTo: successor._id } })
    // The handled one is unchanged, because it records who handled it.
    expect(await responsible()).toEqual([successor._id, successor._id, null])
    expect(await inSettings()).toEqual([successor._id, successor._id])
    expect((await as(6).send(readDeparture, { params })).deadlines).toEqual({ deadlines: 2, settings: 2, to: successor.name })
    await as(6).send(deleteDeparture, { params })
    expect(await responsible()).toEqual([leaver._id, leaver._id, leaver._id])
    expect(await inSettings()).toEqual([leaver._id, leaver._id])
  })

  test('stay with the person who has them when the departure is undone', async () => {
    const { as, make, officer, leaver, successor, deadlines, params, responsible } = await setUp()
    const third = await make.person()
    await as(6).send(createDeparture, { params, body: { deadlinesTo: successor._id } })
    await officer.send(updateDeadline, { params: { id: deadlines[0] ?? '' }, body: { responsible: third._id } })
    await as(6).send(deleteDeparture, { params })
    expect(await responsible()).toEqual([third._id, leaver._id, leaver._id])
  })

  test('have no one responsible if no one gets them, and return to the person when the departure is undone', async () => {
    const { as, leaver, params, responsible, inSettings } = await setUp()
    await as(6).send(createDeparture, { params, body: { deadlinesTo: null } })
    expect(await responsible()).toEqual([null, null, null])
    expect(await inSettings()).toEqual([])
    expect((await as(6).send(readDeparture, { params })).deadlines).toEqual({ deadlines: 0, settings: 0, to: null })
    await as(6).send(deleteDeparture, { params })
    expect(await responsible()).toEqual([leaver._id, leaver._id, leaver._id])
    expect(await inSettings()).toEqual([leaver._id, leaver._id])
  })

  test('cannot be reassigned to the person who leaves, to someone who left, or to an unknown person', async () => {
    const { as, make, leaver, params, responsible } = await setUp()
    const gone = await make.person()
    await as(6).send(createDeparture, { params: { id: gone._id }, body: {} })
    for (const [deadlinesTo, message] of [
      [leaver._id, 'This person is no longer employed'],
      [gone._id, 'This person is no longer employed'],
      ['nobody', 'This person does not exist'],
    ] as const) {
      const response = await as(6).trySend(createDeparture, { params, body: { deadlinesTo } })
      expect([response.statusCode, response.json().errors]).toEqual([422, [{ path: 'deadlinesTo', message }]])
    }
    expect(await responsible()).toEqual([leaver._id, leaver._id, leaver._id])
  })
})
