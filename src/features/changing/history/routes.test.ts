import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { updateFacility } from '../../../records/facility/contract.ts'
import { createSisSite, deleteSisSite, listSisSites, updateSisSite } from '../../../records/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from '../../../records/site-staff/contract.ts'
import { readSite, updateSite } from '../../../records/sites/contract.ts'
import { readUser } from '../../access/session/contract.ts'
import { restoreFromHistory, readHistory } from './contract.ts'

const setUp = async () => {
  const app = await network()
  const site = await app.make.site({ phone: '209-555-0100', city: 'Lodi', charter: app.charter._id })
  const params = { id: site._id }
  const me = app.as(6)
  const history = async (query: object = {}) => (await me.send(readHistory, { params: { kind: 'site', ...params }, query })).changes
  const read = () => me.send(readSite, { params: { slug: site._id } })
  return { ...app, site, params, me, history, read }
}

describe('a history', () => {
  test('lists who changed which fields, newest first, with the names of referenced records', async () => {
    const { me, params, make, charter, history } = await setUp()
    const other = await make.charter()
    await me.send(updateSite, { params, body: { charter: other._id, address: { phone: '209-555-0199' } } })
    await me.send(updateFacility, { params, body: { county: 'San Joaquin' } })
    const [facility, site, created] = await history()
    expect(facility).toMatchObject({
      action: 'update',
      part: 'facility',
      fields: [{ field: 'county', from: null, to: 'San Joaquin' }],
      canRestore: true,
    })
    expect(site?.by).toBe((await me.send(readUser)).name)
    expect(site?.fields.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
      { field: 'charter', from: charter._id, to: other._id, fromName: charter.name, toName: other.name },
      { field: 'phone', from: '209-555-0100', to: '209-555-0199', fromName: null, toName: null },
    ])
    expect(created).toMatchObject({ action: 'insert', part: 'site', by: 'Test Factory', canRestore: false })
  })

  test('is filtered by person and by field, and continues after the last change of a page', async () => {
    const { me, as, params, history } = await setUp()
    for (const city of ['Galt', 'Acampo']) await me.send(updateSite, { params, body: { address: { city } } })
    await as(5).send(updateSite, { params, body: { finance_id: '7' } })
    expect((await history({ field: 'city' })).map(({ action }) => action)).toEqual(['update', 'update', 'insert'])
    expect(await history({ by: 'Test Factory' })).toHaveLength(1)
    const all = await history()
    expect((await history({ before: all[1]?._id })).map(({ _id }) => _id)).toEqual(all.slice(2).map(({ _id }) => _id))
  })

  test('lists the people and fields it can be filtered by on its first page', async () => {
    const { me, as, make, params, site, history } = await setUp()
    const sis = await me.send(createSisSite, { body: { name: 'Lodi IS', site: site._id, status: false } })
    await as(5).send(updateSite, { params, body: { status: 'PENDING' } })
    await me.send(updateSisSite, { params: { id: sis._id }, body: { status: true } })
    await make.site({ fax: '2095550100' })
    const read = (query: object) => me.send(readHistory, { params: { kind: 'site', ...params }, query })
    const first = await read({ field: 'finance_id', by: 'Test Factory' })
    expect(first.people).toHaveLength(3)
    expect(first.people).toContain('Test Factory')
    expect(first.fields).toEqual(
      expect.arrayContaining([
        { part: 'sis_site', field: 'status' },
        { part: 'site', field: 'city' },
        { part: 'site', field: 'status' },
      ]),
    )
    for (const field of ['version', 'fax', '_id']) expect(first.fields.map(({ field }) => field)).not.toContain(field)
    expect(first.fields).not.toContainEqual({ part: 'sis_site', field: 'site' })
    expect((await history({ part: 'sis_site', field: 'status' })).map(({ action }) => action)).toEqual(['update', 'insert'])
    expect((await history({ part: 'site', field: 'status' })).map(({ action }) => action)).toEqual(['update', 'insert'])
    expect(await history({ field: 'fax' })).toEqual([])
    const [newest] = await history()
    expect(await read({ before: newest?._id })).toMatchObject({ people: [], fields: [] })
  })

  test('has the current version of each part', async () => {
    const { me, params, history, read } = await setUp()
    for (const city of ['Galt', 'Acampo']) await me.send(updateSite, { params, body: { address: { city } } })
    const { version } = await read()
    expect((await history()).map((change) => change.version)).toEqual([version, version, version])
  })

  test('requires level 6 and an existing record', async () => {
    const { as, params, me } = await setUp()
    expect((await as(7).trySend(readHistory, { params: { kind: 'site', ...params } })).statusCode).toBe(403)
    expect((await as(7).trySend(restoreFromHistory, { params: { kind: 'site', ...params, change: '1' }, body: {} })).statusCode).toBe(403)
    expect((await me.trySend(readHistory, { params: { kind: 'site', id: 'nowhere' } })).statusCode).toBe(404)
    expect(
      (await me.trySend(restoreFromHistory, { params: { kind: 'site', ...params, change: '999999999999' }, body: {} })).statusCode,
    ).toBe(404)
  })
})

describe('an earlier value', () => {
  test('is restored alone or with everything in its change, and that is a new change', async () => {
    const { me, params, history, read } = await setUp()
    await me.send(updateSite, { params, body: { address: { phone: '209-555-0199', city: 'Galt' } } })
    const [changed] = await history()
    const change = changed?._id ?? ''
    await me.send(restoreFromHistory, { params: { kind: 'site', ...params, change }, body: { fields: ['phone'] } })
    expect((await read()).address).toMatchObject({ phone: '209-555-0100', city: 'Galt' })
    expect((await history())[0]?.fields).toEqual([
      { field: 'phone', from: '209-555-0199', to: '209-555-0100', fromName: null, toName: null },
    ])
    await me.send(restoreFromHistory, { params: { kind: 'site', ...params, change }, body: {} })
    expect((await read()).address).toMatchObject({ phone: '209-555-0100', city: 'Lodi' })
    const refused = await me.trySend(restoreFromHistory, { params: { kind: 'site', ...params, change }, body: { fields: ['zip'] } })
    expect(refused.statusCode).toBe(422)
  })

  test('is restored with the whole record, whatever has changed since', async () => {
    const { me, params, charter, make, history, read } = await setUp()
    const before = await read()
    const other = await make.charter()
    await me.send(updateSite, { params, body: { address: { phone: '209-555-0199' } } })
    const [changed] = await history()
    await me.send(updateSite, { params, body: { charter: other._id, displayName: 'Another name', address: { city: 'Galt' } } })
    const back = (body: object, version?: number | null) =>
      me.trySend(restoreFromHistory, {
        params: { kind: 'site', ...params, change: changed?._id ?? '' },
        body,
        headers: version ? { 'if-match': `"${version}"` } : {},
      })
    expect((await back({ fields: ['phone'], whole: true })).statusCode).toBe(422)
    expect((await back({ whole: true }, changed?.version)).statusCode).toBe(412)
    const [newest] = await history()
    expect((await back({ whole: true }, newest?.version)).statusCode).toBe(204)
    const after = await read()
    expect(after).toMatchObject({ displayName: before.displayName, slug: before.slug, address: before.address })
    expect(after.charter?._id).toBe(charter._id)
    expect(after.version).toBe((newest?.version ?? 0) + 1)
    expect((await history())[0]?.fields.map(({ field }) => field).toSorted()).toEqual(
      ['charter', 'city', 'displayName', 'phone', ...(newest?.fields.some(({ field }) => field === 'slug') ? ['slug'] : [])].toSorted(),
    )
  })

  test('is not restored in another site, or if there was no value before', async () => {
    const { me, make, params, history } = await setUp()
    await me.send(updateSite, { params, body: { address: { city: 'Galt' } } })
    const [changed, created] = await history()
    const other = await make.site()
    expect(
      (await me.trySend(restoreFromHistory, { params: { kind: 'site', id: other._id, change: changed?._id ?? '' }, body: {} })).statusCode,
    ).toBe(404)
    expect(
      (await me.trySend(restoreFromHistory, { params: { kind: 'site', ...params, change: created?._id ?? '' }, body: {} })).statusCode,
    ).toBe(409)
  })

  test('is not restored over what someone saved in the meantime', async () => {
    const { me, params, history, read } = await setUp()
    await me.send(updateSite, { params, body: { address: { city: 'Galt' } } })
    const [changed] = await history()
    const { version } = await read()
    await me.send(updateSite, { params, body: { address: { city: 'Acampo' } } })
    const late = await me.trySend(restoreFromHistory, {
      params: { kind: 'site', ...params, change: changed?._id ?? '' },
      body: {},
      headers: { 'if-match': `"${version}"` },
    })
    expect(late.statusCode).toBe(412)
    expect((await read()).address.city).toBe('Acampo')
  })

  test('that now violates a constraint is refused with a message', async () => {
    const { me, params, history } = await setUp()
    await me.send(updateFacility, { params, body: { lease_end: '2030-01-01' } })
    await me.send(updateFacility, { params, body: { lease_end_open: true } })
    const [opened] = await history()
    const refused = await me.trySend(restoreFromHistory, {
      params: { kind: 'site', ...params, change: opened?._id ?? '' },
      body: { fields: ['lease_end'] },
    })
    expect([refused.statusCode, refused.json().title]).toEqual([409, 'This cannot be restored now'])
    await me.send(restoreFromHistory, { params: { kind: 'site', ...params, change: opened?._id ?? '' }, body: {} })
    expect((await me.send(readSite, { params: { slug: params.id } })).facility_info).toMatchObject({
      lease_end: '2030-01-01',
      lease_end_open: false,
    })
  })
})

test('a deleted staff member and SIS site are shown by name and restored', async () => {
  const { me, make, params, site, history, read } = await setUp()
  const [person, role] = [await make.person(), await make.role('Registrar')]
  await me.send(addSiteStaff, { params, body: { person: person._id, role_match: role._id } })
  await me.send(removeSiteStaff, { params, body: { person_id: person._id, role_id: role._id } })
  const sis = await me.send(createSisSite, {
    body: { name: 'Lodi IS', site: site._id, sislc_id: '00123', type_array: ['IS'], activeDate: '2024-07-01' },
  })
  await me.send(deleteSisSite, { params: { id: sis._id } })
  const [deletedSis, , deletedStaff] = await history()
  expect(deletedStaff).toMatchObject({ action: 'delete', part: 'site_person', title: `${person.name}, Registrar`, canRestore: true })
  expect(deletedSis).toMatchObject({ action: 'delete', part: 'sis_site', title: 'Lodi IS' })
  for (const change of [deletedSis, deletedStaff])
    await me.send(restoreFromHistory, { params: { kind: 'site', ...params, change: change?._id ?? '' }, body: {} })
  expect((await read()).people.map((one) => [one.person._id, one.role_match.name])).toEqual([[person._id, 'Registrar']])
  const [back] = await me.send(listSisSites, { query: { site: site._id } })
  expect(back).toMatchObject({ _id: sis._id, name: 'Lodi IS', sislc_id: '00123', type_array: ['IS'], activeDate: '2024-07-01' })
  const again = await me.trySend(restoreFromHistory, { params: { kind: 'site', ...params, change: deletedSis?._id ?? '' }, body: {} })
  expect(again.statusCode).toBe(409)
})

test('values of a person, a charter and a brand are restored', async () => {
  const { make, as, context } = await network()
  const me = as(6)
  const [person, charter, brand] = [
    await make.person({ phone: '209-555-0140' }),
    await make.charter({ abbreviation: 'QH' }),
    await make.brand(),
  ]
  await context.db.updateTable('person').set({ phone: '209-555-0181' }).where('_id', '=', person._id).execute()
  await context.db.updateTable('charter').set({ abbreviation: 'X' }).where('_id', '=', charter._id).execute()
  await context.db.updateTable('brand').set({ websiteUrl: 'https://x.example' }).where('_id', '=', brand._id).execute()
  for (const [kind, { _id }] of [
    ['person', person],
    ['charter', charter],
    ['brand', brand],
  ] as const) {
    const { changes } = await me.send(readHistory, { params: { kind, id: _id } })
    const [newest] = changes
    await me.send(restoreFromHistory, { params: { kind, id: _id, change: newest?._id ?? '' }, body: {} })
    // A change belongs to one record.
    const other = await me.trySend(restoreFromHistory, {
      params: { kind: 'region', id: (await make.region())._id, change: newest?._id ?? '' },
      body: {},
    })
    expect(other.statusCode).toBe(404)
  }
  const { db } = context
  expect(await db.selectFrom('person').select('phone').where('_id', '=', person._id).executeTakeFirst()).toEqual({ phone: '209-555-0140' })
  expect(await db.selectFrom('charter').select('abbreviation').where('_id', '=', charter._id).executeTakeFirst()).toEqual({
    abbreviation: 'QH',
  })
  expect(await db.selectFrom('brand').select('websiteUrl').where('_id', '=', brand._id).executeTakeFirst()).toEqual({
    websiteUrl: brand.websiteUrl,
  })
})
