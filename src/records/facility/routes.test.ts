import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { readSite } from '../sites/contract.ts'
import { FacilityChange, updateFacility } from './contract.ts'

describe('a facility', () => {
  test('keeps fields that are not sent, and an empty text clears a field', async () => {
    const { as, site, make } = await network()
    await make.facility(site._id, { county: 'San Joaquin', guarantor: 'Nobody', lease_start: '2020-01-01' })
    const saved = await as(6).send(updateFacility, {
      params: { id: site.slug },
      body: { county: '', lease_start: null, apn: '=1+1', partnership: true, lease_end: '2030-06-30' },
    })
    expect(saved).toMatchObject({
      county: null,
      guarantor: 'Nobody',
      lease_start: null,
      apn: '=1+1',
      partnership: true,
      lease_end: '2030-06-30',
    })
    expect((await as(10).send(readSite, { params: { slug: site._id } })).facility_info).toEqual(saved)
  })

  test('has every field written, read back, cleared and read again', async () => {
    const { as, site } = await network()
    const params = { id: site._id }
    const { lease_end_open: _, ...shape } = FacilityChange.shape
    const values = Object.fromEntries(
      Object.keys(shape).map((name, at) => [
        name,
        /^lease_(start|end)$/.test(name) ? `2026-03-0${at}` : name === 'partnership' ? true : `${name} é “${at}”`,
      ]),
    )
    values['phone_2'] = '209-555-0142 x12'
    expect(Object.keys(values)).toHaveLength(19)
    expect(await as(6).send(updateFacility, { params, body: values })).toMatchObject(values)
    const { facility_info } = await as(10).send(readSite, { params: { slug: site._id } })
    expect(facility_info).toMatchObject(values)
    const empty = Object.fromEntries(Object.keys(values).map((name) => [name, name === 'partnership' ? false : '']))
    await as(6).send(updateFacility, { params, body: empty })
    const nothing = Object.fromEntries(Object.keys(values).map((name) => [name, name === 'partnership' ? false : null]))
    expect((await as(10).send(readSite, { params: { slug: site._id } })).facility_info).toMatchObject(nothing)
  })

  test('refuses a second phone of six digits, and leaves a stored one alone until it is edited', async () => {
    const { as, site, make } = await network()
    await make.facility(site._id, { phone_2: '806555' })
    const params = { id: site._id }
    expect(await as(6).send(updateFacility, { params, body: { phone_2: '806555', county: 'Kern' } })).toMatchObject({ phone_2: '806555' })
    expect((await as(6).trySend(updateFacility, { params, body: { phone_2: '806-555' } })).statusCode).toBe(422)
  })

  test('is accepted inside facility_info too', async () => {
    const { as, site } = await network()
    const saved = await as(6).send(updateFacility, { params: { id: site._id }, body: { facility_info: { base_rent: '$1,200' } } })
    expect(saved.base_rent).toBe('$1,200')
  })

  test('has no end date while its lease is open-ended', async () => {
    const { as, site, make } = await network()
    await make.facility(site._id, { lease_end: '2030-06-30' })
    const params = { id: site._id }
    expect(await as(6).send(updateFacility, { params, body: { lease_end_open: true } })).toMatchObject({
      lease_end_open: true,
      lease_end: null,
    })
    const refused = await as(6).trySend(updateFacility, { params, body: { lease_end: '2031-01-01' } })
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors).toEqual([{ path: 'lease_end', message: 'An open-ended lease has no end date' }])
    expect(await as(6).send(updateFacility, { params, body: { lease_end_open: false, lease_end: '2031-01-01' } })).toMatchObject({
      lease_end_open: false,
      lease_end: '2031-01-01',
    })
  })

  test('is not saved over someone else’s change; adding staff does not change it', async () => {
    const { as, site, make } = await network()
    const params = { id: site._id }
    const { facility_info: seen } = await as(6).send(readSite, { params: { slug: site._id } })
    await make.sitePerson(site._id, 'Registrar')
    const first = await as(6).send(updateFacility, { params, body: { county: 'Kern' }, headers: { 'if-match': `"${seen.version}"` } })
    expect(first.version).toBe(seen.version + 1)
    const second = await as(6).trySend(updateFacility, { params, body: { county: 'Kings' }, headers: { 'if-match': `"${seen.version}"` } })
    expect(second.statusCode).toBe(412)
    expect((await as(6).send(readSite, { params: { slug: site._id } })).facility_info.county).toBe('Kern')
    await as(6).send(updateFacility, { params, body: { county: 'Kings' }, headers: { 'if-match': `"${first.version}"` } })
  })

  test('names every invalid or unknown field, and writes nothing', async () => {
    const { as, site } = await network()
    const refused = await as(6).trySend(updateFacility, {
      params: { id: site._id },
      body: { county: 'Kern', lease_start: '2026-02-30', partnership: 'yes', planet: 'Mars', lease_holder: 'x'.repeat(301) } as never,
    })
    expect(refused.statusCode).toBe(422)
    expect((refused.json().errors as { path: string }[]).map(({ path }) => path).toSorted()).toEqual([
      'lease_holder',
      'lease_start',
      'partnership',
      'planet',
    ])
    expect((await as(10).send(readSite, { params: { slug: site._id } })).facility_info.county).toBeNull()
  })

  test('of an unknown site is 404, and level 7 cannot edit it', async () => {
    const { as, site } = await network()
    expect((await as(6).trySend(updateFacility, { params: { id: 'nowhere' }, body: {} })).statusCode).toBe(404)
    expect((await as(7).trySend(updateFacility, { params: { id: site._id }, body: { county: 'Kern' } })).statusCode).toBe(403)
  })
})
