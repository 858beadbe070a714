import { beforeAll, describe, expect, test } from 'vitest'

import { startApp, type TestApp } from '../../../test/support/app.ts'
import { listSiteLocations } from './contract.ts'

const NOWHERE = { latitude: null, longitude: null, city: null, state: null, zip: null }

describe('the location of a site', () => {
  let here: TestApp
  beforeAll(async () => {
    here = await startApp()
  })
  const locationOf = async (values: Parameters<TestApp['make']['site']>[0]) => {
    const { _id } = await here.make.site({ ...NOWHERE, ...values })
    return (await here.as(10).send(listSiteLocations)).find(({ site }) => site === _id)
  }

  test('is given by its own coordinates', async () => {
    const location = await locationOf({ latitude: 38.1308, longitude: -121.3345, city: 'Lodi', state: 'CA', zip: '43604' })
    expect(location).toMatchObject({ latitude: 38.1308, longitude: -121.3345, from: 'site', near: 'Lodi, CA' })
  })

  test('is the center of its ZIP code if it has no coordinates', async () => {
    const location = await locationOf({ city: 'Stockton', state: 'CA', zip: '95207' })
    expect(location).toMatchObject({ from: 'zip', near: 'Stockton, CA' })
    expect(location?.latitude).toBeCloseTo(38.0, 1)
    expect(location?.longitude).toBeCloseTo(-121.3, 1)
  })

  test('is found by a ZIP code with extension, or without its leading zero', async () => {
    expect(await locationOf({ zip: '95207-1204' })).toMatchObject({ from: 'zip' })
    const cambridge = await locationOf({ zip: '2139' })
    expect(cambridge?.latitude).toBeCloseTo(42.4, 1)
  })

  test('is the center of its city if the ZIP code is missing or unknown', async () => {
    for (const zip of [null, '00000', 'soon']) {
      const location = await locationOf({ city: 'toledo', state: 'Ohio', zip })
      expect(location).toMatchObject({ from: 'city', near: 'toledo, Ohio' })
      expect(location?.latitude).toBeCloseTo(41.6, 0)
      expect(location?.longitude).toBeCloseTo(-83.5, 0)
    }
  })

  test('is unknown without a valid address, or with impossible coordinates', async () => {
    const unknown = { latitude: null, longitude: null, from: null }
    expect(await locationOf({})).toMatchObject({ ...unknown, near: null })
    expect(await locationOf({ city: 'Nowhere at all', state: 'CA' })).toMatchObject(unknown)
    expect(await locationOf({ latitude: 0, longitude: 0 })).toMatchObject(unknown)
    expect(await locationOf({ latitude: 4000, longitude: -121 })).toMatchObject(unknown)
  })
})

test('a changed location is in the next response', async () => {
  const { as, make } = await startApp()
  const { _id } = await make.site({ ...NOWHERE, zip: '95207' })
  expect(await as(10).send(listSiteLocations)).toMatchObject([{ site: _id, from: 'zip' }])
  await make.write((tx) => tx.updateTable('site').set({ latitude: 41.66, longitude: -83.52 }).where('_id', '=', _id).execute())
  expect(await as(10).send(listSiteLocations)).toEqual([{ site: _id, latitude: 41.66, longitude: -83.52, from: 'site', near: null }])
})

test('the list is cached by its ETag', async () => {
  const { as, make } = await startApp()
  await make.site({ latitude: 38, longitude: -121 })
  const caller = as(10)
  const first = await caller.trySend(listSiteLocations)
  const again = await caller.trySend(listSiteLocations, { headers: { 'if-none-match': String(first.headers.etag) } })
  expect(first.statusCode).toBe(200)
  expect(again.statusCode).toBe(304)
})
