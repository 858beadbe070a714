import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import { deleteView, listViews, renameView, saveView, shareView } from './contract.ts'

const closedInOhio = { name: 'Closed sites in Ohio', page: '/locations', search: 'status=closed&region=ohio' }

describe('a saved view', () => {
  test('stores a list under a name, for its owner', async () => {
    const { as } = await network()
    const [me, other] = [as(10), as(10)]
    const saved = await me.send(saveView, { body: { ...closedInOhio, search: `?${closedInOhio.search}` } })
    expect(saved).toEqual({
      ...closedInOhio,
      _id: expect.any(String),
      shared: false,
      mine: true,
      by: (await me.who()).name,
      createdAt: expect.any(String),
    })
    expect(await me.send(listViews)).toEqual([saved])
    expect((await other.send(listViews)).map(({ name }) => name)).not.toContain(saved.name)
  })

  test('can be renamed, changed and deleted by its owner only', async () => {
    const { as } = await network()
    const [me, other] = [as(10), as(1)]
    const { _id } = await me.send(saveView, { body: { ...closedInOhio, name: 'Mine' } })
    const params = { id: _id }
    expect(await me.send(renameView, { params, body: { name: 'Still mine', search: 'status=closed' } })).toMatchObject({
      name: 'Still mine',
      search: 'status=closed',
      page: '/locations',
    })
    expect((await other.trySend(renameView, { params, body: { name: 'Theirs' } })).statusCode).toBe(404)
    expect((await other.trySend(deleteView, { params })).statusCode).toBe(404)
    await me.send(deleteView, { params })
    expect((await me.trySend(deleteView, { params })).statusCode).toBe(404)
    expect((await me.trySend(deleteView, { params: { id: 'x' } })).statusCode).toBe(404)
  })

  test('has a unique name in its list, ignoring case', async () => {
    const { as } = await network()
    const me = as(10)
    await me.send(saveView, { body: { ...closedInOhio, name: 'Ohio' } })
    const again = await me.trySend(saveView, { body: { ...closedInOhio, name: ' OHIO ' } })
    expect([again.statusCode, again.json().errors]).toEqual([409, [{ path: 'name', message: expect.stringContaining('already') }]])
    await me.send(saveView, { body: { name: 'Ohio', page: '/charters', search: '' } })
    const another = await me.send(saveView, { body: { ...closedInOhio, name: 'Michigan' } })
    expect((await me.trySend(renameView, { params: { id: another._id }, body: { name: 'ohio' } })).statusCode).toBe(409)
    expect((await me.trySend(renameView, { params: { id: another._id }, body: { name: 'michigan' } })).statusCode).toBe(200)
    const both = await Promise.all([0, 1].map(() => me.trySend(saveView, { body: { ...closedInOhio, name: 'At once' } })))
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  test('requires a known list and a name', async () => {
    const { as } = await network()
    for (const body of [
      { ...closedInOhio, page: 'https://elsewhere.example/' },
      { ...closedInOhio, page: '//elsewhere.example' },
      { ...closedInOhio, page: '/permissions' },
      { ...closedInOhio, name: '  ' },
      { ...closedInOhio, name: 'x'.repeat(61) },
      { ...closedInOhio, shared: true },
    ])
      expect((await as(10).trySend(saveView, { body })).statusCode, JSON.stringify(body)).toBe(422)
  })

  test('is shared by level 6 or lower, visible to everyone, and unshared by its owner or level 6', async () => {
    const { as } = await network()
    const [maker, manager, reader] = [as(6), as(5), as(10)]
    const { _id } = await maker.send(saveView, { body: { ...closedInOhio, name: 'For everybody' } })
    const params = { id: _id }
    const seen = async () => (await reader.send(listViews)).find((view) => view._id === _id)
    expect((await reader.trySend(shareView, { params, body: { shared: true } })).statusCode).toBe(403)
    expect((await manager.trySend(shareView, { params, body: { shared: true } })).statusCode).toBe(404)
    await maker.send(shareView, { params, body: { shared: true } })
    expect(await seen()).toMatchObject({ name: 'For everybody', shared: true, mine: false, by: (await maker.who()).name })
    await manager.send(shareView, { params, body: { shared: false } })
    expect(await seen()).toBeUndefined()
    expect((await maker.send(listViews)).map((view) => [view._id, view.shared])).toContainEqual([_id, false])
  })

  test('is one of at most a hundred per account', async () => {
    const { as } = await network()
    const me = as(10)
    for (let n = 0; n < 100; n++) await me.send(saveView, { body: { ...closedInOhio, name: `View ${n}` } })
    expect((await me.trySend(saveView, { body: closedInOhio })).statusCode).toBe(409)
  })
})
