import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import type { RecordHit } from '../../../contract/records.ts'
import { addFavorite, listFavorites, listRecent, recordViewed, removeFavorite } from './contract.ts'

const namesOf = (hits: readonly RecordHit[]): string[] => hits.map(({ name }) => name)

describe('favorites', () => {
  test('of any kind are stored once and listed newest first, with details', async () => {
    const { as, brand, charter, region, site, principal } = await network()
    const me = as(10)
    for (const [kind, id] of [
      ['brand', brand._id],
      ['charter', charter.slug],
      ['region', region.slug],
      ['site', site._id],
      ['person', principal.slug],
      ['site', site.slug],
    ] as const)
      await me.send(addFavorite, { params: { kind, id } })
    const favorites = await me.send(listFavorites)
    expect(favorites.map(({ kind, _id }) => [kind, _id])).toEqual([
      ['person', principal._id],
      ['site', site._id],
      ['region', region._id],
      ['charter', charter._id],
      ['brand', brand._id],
    ])
    expect(favorites[0]?.detail).toBe(`Principal · ${site.displayName}`)
  })

  test('belong to one account, and disappear when they or the record are deleted', async () => {
    const { as, make, context } = await network()
    const [me, other] = [as(10), as(10)]
    const [first, second] = [await make.site(), await make.site()]
    for (const { _id } of [first, second]) await me.send(addFavorite, { params: { kind: 'site', id: _id } })
    expect(await other.send(listFavorites)).toEqual([])
    await other.send(removeFavorite, { params: { kind: 'site', id: first._id } })
    expect(namesOf(await me.send(listFavorites))).toEqual([second.displayName, first.displayName])
    await me.send(removeFavorite, { params: { kind: 'site', id: first.slug } })
    await context.db.deleteFrom('site').where('_id', '=', second._id).execute()
    expect(await me.send(listFavorites)).toEqual([])
  })

  test('require an existing record of a known kind', async () => {
    const { as, site } = await network()
    expect((await as(10).trySend(addFavorite, { params: { kind: 'site', id: 'nowhere' } })).statusCode).toBe(404)
    expect((await as(10).trySend(addFavorite, { params: { kind: 'person', id: site._id } })).statusCode).toBe(404)
    expect((await as(10).request('PUT', `/api/favourites/planet/${site._id}`)).statusCode).toBe(404)
  })
})

describe('recently viewed records', () => {
  test('are listed latest first, once each, for one account', async () => {
    const { as, make } = await network()
    const [me, other] = [as(10), as(10)]
    const sites = [await make.site(), await make.site(), await make.site()]
    for (const { _id } of [...sites, ...sites.slice(0, 1)]) await me.send(recordViewed, { params: { kind: 'site', id: _id } })
    expect(namesOf(await me.send(listRecent))).toEqual([sites[0], sites[2], sites[1]].map((site) => site?.displayName))
    expect(await other.send(listRecent)).toEqual([])
  })

  test('are at most twelve, of fifty stored', async () => {
    const { as, make, context } = await network()
    const me = as(10)
    const { account } = await me.who()
    for (let n = 0; n < 55; n++)
      await me.send(recordViewed, { params: { kind: 'person', id: (await make.person({ name: `Opened ${n}` }))._id } })
    expect(namesOf(await me.send(listRecent))).toEqual(Array.from({ length: 12 }, (_, at) => `Opened ${54 - at}`))
    const rows = await context.db.selectFrom('recently_viewed').select('record').where('account', '=', account).execute()
    expect(rows.length).toBeLessThanOrEqual(51)
  })
})
