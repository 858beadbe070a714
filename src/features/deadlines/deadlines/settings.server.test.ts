import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { startApp } from '../../../../test/support/app.ts'
import { createDeparture } from '../../../app/departures/contract.ts'
import { createDeadline, readDeadline, readDeadlineSettings, saveDeadlineSettings } from './contract.ts'

const LEASE = { kind: 'lease', leadDays: [60, 30, 7, 1], responsible: null, regions: [] } as const

const setUp = async () => {
  const app = await startApp()
  const officer = app.as(5)
  const [region, person, ofRegion] = [await app.make.region(), await app.make.person(), await app.make.person()]
  const save = (...kinds: object[]) => officer.trySend(saveDeadlineSettings, { body: { kinds } as never })
  return { ...app, officer, region, person, ofRegion, save }
}

describe('the settings of deadlines', () => {
  test('begin with the lead times of each kind and no one responsible', async () => {
    const { officer } = await setUp()
    const { kinds, version } = await officer.send(readDeadlineSettings)
    expect(version).toBe(0)
    expect(kinds.map(({ kind, leadDays }) => [kind, leadDays])).toEqual([
      ['charter_term', [365, 180, 90, 30]],
      ['petition', [180, 90, 30, 7]],
      ...['oversight', 'accreditation', 'funding', 'dass', 'board_meeting', 'lease'].map((kind) => [kind, [60, 30, 7, 1]]),
    ])
    expect(kinds.every(({ responsible, regions }) => responsible === null && regions.length === 0)).toBe(true)
  })

  test('change who is responsible, by kind and by region, immediately in the deadlines', async () => {
    const { officer, save, region, person, ofRegion, make } = await setUp()
    const [here, elsewhere] = [await make.site({ region: region._id }), await make.site({ region: (await make.region('Texas'))._id })]
    const add = (site: string) => officer.send(createDeadline, { body: { title: 'Renew', date: '2030-06-30', kind: 'lease', site } })
    const [inRegion, other] = [await add(here._id), await add(elsewhere._id)]
    expect(inRegion.responsible).toBeNull()
    const saved = await save({
      ...LEASE,
      leadDays: [90, 14],
      responsible: person._id,
      regions: [{ region: region._id, responsible: ofRegion._id }],
    })
    expect(saved.json().kinds.at(-1)).toEqual({
      kind: 'lease',
      leadDays: [90, 14],
      responsible: { _id: person._id, name: person.name },
      regions: [
        {
          region: { _id: region._id, slug: region.slug, name: region.name },
          responsible: { _id: ofRegion._id, name: ofRegion.name },
        },
      ],
    })
    const responsibleFor = async ({ _id }: { _id: string }) => {
      const { responsible, responsibleFrom } = await officer.send(readDeadline, { params: { id: _id } })
      return [responsible?._id, responsibleFrom]
    }
    expect(await responsibleFor(inRegion)).toEqual([ofRegion._id, 'region'])
    expect(await responsibleFor(other)).toEqual([person._id, 'kind'])
  })

  test('keep kinds that are not sent and the history, and are refused as stale if someone saved them in between', async () => {
    const { officer, save, person, context } = await setUp()
    await save({ ...LEASE, kind: 'dass', leadDays: [5], responsible: person._id })
    await save({ ...LEASE, leadDays: [] })
    const { kinds, version, updatedBy } = await officer.send(readDeadlineSettings)
    expect([version, updatedBy]).toEqual([2, (await officer.who()).name])
    expect(kinds.find(({ kind }) => kind === 'dass')).toMatchObject({ leadDays: [5], responsible: { _id: person._id } })
    expect(kinds.find(({ kind }) => kind === 'lease')?.leadDays).toEqual([])
    const { rows } = await sql`select from change where "table" = 'setting' and record = 'deadlines'`.execute(context.db)
    expect(rows).toHaveLength(2)
    const stale = await officer.trySend(saveDeadlineSettings, { body: { kinds: [] }, headers: { 'if-match': '"1"' } })
    expect(stale.statusCode).toBe(412)
  })

  test.each([
    [[-1], 'kinds.0.leadDays.0', 'Enter a number of days from 0 to 730'],
    [[731], 'kinds.0.leadDays.0', 'Enter a number of days from 0 to 730'],
    [[1.5], 'kinds.0.leadDays.0', 'Enter a number of days from 0 to 730'],
    [[30, 30], 'kinds.0.leadDays.1', 'This lead time is listed twice'],
    [[7, 30], 'kinds.0.leadDays.1', 'Enter the longest lead time first'],
    [[9, 8, 7, 6, 5, 4, 3, 2, 1], 'kinds.0.leadDays', 'At most 8 lead times'],
  ])('refuse the lead times %j', async (leadDays, path, message) => {
    const { save } = await setUp()
    const response = await save({ ...LEASE, leadDays })
    expect([response.statusCode, response.json().errors]).toEqual([422, [{ path, message }]])
  })

  test('refuse people who do not exist or have left, unknown regions, and duplicates', async () => {
    const { save, as, region, person, ofRegion } = await setUp()
    await as(6).send(createDeparture, { params: { id: ofRegion._id }, body: {} })
    const response = await save(
      { ...LEASE, responsible: 'nobody' },
      {
        ...LEASE,
        regions: [
          { region: region._id, responsible: ofRegion._id },
          { region: region._id, responsible: person._id },
          { region: 'nowhere', responsible: person._id },
        ],
      },
    )
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toEqual([
      { path: 'kinds.0.responsible', message: 'This person does not exist' },
      { path: 'kinds.1.kind', message: 'This kind is listed twice' },
      { path: 'kinds.1.regions.0.responsible', message: 'This person is no longer employed' },
      { path: 'kinds.1.regions.1.region', message: 'This region is listed twice' },
      { path: 'kinds.1.regions.2.region', message: 'This region does not exist' },
    ])
  })

  test('do not show a person who has left', async () => {
    const { save, as, officer, person, region } = await setUp()
    await save({ ...LEASE, responsible: person._id, regions: [{ region: region._id, responsible: person._id }] })
    await as(6).send(createDeparture, { params: { id: person._id }, body: {} })
    expect((await officer.send(readDeadlineSettings)).kinds.at(-1)).toMatchObject({ responsible: null, regions: [] })
  })
})
