import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { readSite } from '../sites/contract.ts'
import { createSisSite, deleteSisSite, listSisSites, readSisSite, updateSisSite, updateSisSiteInBody } from './contract.ts'

const everything = {
  name: 'Lodi IS',
  sislc_id: '00123',
  charterId: '0456',
  charterName: 'Meridian',
  status: false,
  activeDate: '2024-07-01',
  inactiveDate: '2026-06-30',
  type_array: ['IS', 'HS'],
  siteId: '0789',
  summer_district: true,
  intersession: true,
  home_study: true,
  nonAdaStudents: true,
  online_education: true,
  activeSite: true,
  sgi: true,
  homeSiteId: '001',
}
const nothing = {
  sislc_id: '',
  charterId: null,
  charterName: '',
  activeDate: '',
  inactiveDate: null,
  type_array: [],
  siteId: '',
  summer_district: false,
  homeSiteId: '',
}

describe('a SIS site', () => {
  test('that is changed immediately updates the last change of its site', async () => {
    const { as, context, site } = await network()
    const me = as(6)
    const { _id } = await me.send(createSisSite, { body: { name: 'Lodi IS', site: site._id } })
    for (const save of [
      () => me.send(updateSisSite, { params: { id: _id }, body: { charterName: 'Meridian' } }),
      () => me.send(updateSisSiteInBody, { body: { _id, charterName: 'Cedar' } }),
    ]) {
      await save()
      const stored = await context.db.selectFrom('site').select('updatedAt').where('_id', '=', site._id).executeTakeFirstOrThrow()
      const { updatedAt } = await me.send(readSite, { params: { slug: site.slug } })
      expect(updatedAt).toBe(new Date(stored.updatedAt).toISOString())
    }
  })

  test('is added with every field, read back, cleared and read again', async () => {
    const { as, site } = await network()
    const created = await as(6).send(createSisSite, { body: { ...everything, site: site.slug } })
    expect(created).toMatchObject({ ...everything, site: { _id: site._id }, version: 1 })
    expect(await as(10).send(readSisSite, { params: { id: created._id } })).toEqual(created)
    expect((await as(10).send(readSite, { params: { slug: site._id } })).sis_sites).toEqual([created])
    const cleared = await as(6).send(updateSisSite, { params: { id: created._id }, body: nothing })
    expect(cleared).toMatchObject({
      name: 'Lodi IS',
      sislc_id: null,
      charterId: null,
      charterName: null,
      activeDate: null,
      inactiveDate: null,
      type_array: [],
      siteId: null,
      summer_district: false,
      intersession: true,
      homeSiteId: null,
      version: 2,
    })
  })

  test('moves to another location, which then shows it', async () => {
    const { as, make, site } = await network()
    const other = await make.site()
    const { _id } = await as(6).send(createSisSite, { body: { name: 'Moving', site: site._id } })
    await as(6).send(updateSisSiteInBody, { body: { _id, site: other._id } })
    expect(await as(10).send(listSisSites, { query: { site: site.slug } })).toEqual([])
    expect((await as(10).send(listSisSites, { query: { site: other.slug } })).map((one) => one._id)).toEqual([_id])
  })

  test('needs ids of digits, a name and a location that exists', async () => {
    const { as, site } = await network()
    const errors = async (body: object) => {
      const response = await as(6).trySend(createSisSite, { body: body as never })
      expect(response.statusCode).toBe(422)
      return (response.json().errors as { path: string }[]).map(({ path }) => path).toSorted()
    }
    expect(await errors({})).toEqual(['name', 'site'])
    expect(await errors({ name: 'A', site: site._id, sislc_id: '1a', charterId: 'x', siteId: '-1', homeSiteId: '1.5', planet: 1 })).toEqual(
      ['charterId', 'homeSiteId', 'planet', 'sislc_id', 'siteId'],
    )
  })

  test('accepts an imported invalid value that is sent back unchanged', async () => {
    const { as, make, site } = await network()
    const { _id } = await make.sisSite({ site: site._id, charterId: 'C-12' })
    expect(await as(6).send(updateSisSite, { params: { id: _id }, body: { charterId: 'C-12', name: 'New' } })).toMatchObject({
      charterId: 'C-12',
      name: 'New',
    })
    expect((await as(6).trySend(updateSisSite, { params: { id: _id }, body: { charterId: 'C-13' } })).statusCode).toBe(422)
    expect((await as(6).trySend(updateSisSite, { params: { id: _id }, body: { name: '' } })).statusCode).toBe(422)
  })

  test('is not saved over someone else’s change', async () => {
    const { as, make } = await network()
    const { _id } = await make.sisSite()
    const params = { id: _id }
    const first = await as(6).send(updateSisSite, { params, body: { name: 'First' }, headers: { 'if-match': '"1"' } })
    expect((await as(6).trySend(updateSisSite, { params, body: { name: 'Second' }, headers: { 'if-match': '"1"' } })).statusCode).toBe(412)
    expect(
      (await as(6).send(updateSisSite, { params, body: { name: 'Second' }, headers: { 'if-match': `"${first.version}"` } })).name,
    ).toBe('Second')
  })

  test('is 404 after it is deleted, like an unknown one', async () => {
    const { as, make } = await network()
    const { _id } = await make.sisSite()
    await as(6).send(deleteSisSite, { params: { id: _id } })
    expect((await as(10).trySend(readSisSite, { params: { id: _id } })).statusCode).toBe(404)
    for (const id of [_id, 'nowhere']) {
      expect((await as(6).trySend(deleteSisSite, { params: { id } })).statusCode).toBe(404)
      expect((await as(6).trySend(updateSisSite, { params: { id }, body: {} })).statusCode).toBe(404)
    }
    expect((await as(6).trySend(updateSisSiteInBody, { body: {} as never })).statusCode).toBe(422)
  })
})
