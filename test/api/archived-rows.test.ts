import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { readCounts } from '../../src/app/home/contract.ts'
import type { Tx } from '../../src/database/connection.server.ts'
import { search } from '../../src/features/finding/search/contract.ts'
import { listPeople, readPerson } from '../../src/records/people/contract.ts'
import { readRegion } from '../../src/records/regions/contract.ts'
import { listSisSites } from '../../src/records/sis-sites/contract.ts'
import { listSites, readSite } from '../../src/records/sites/contract.ts'
import { startApp, type TestApp } from '../support/app.ts'

// What every feature gets of rows with the columns of `ArchivableColumns`, whoever wrote them.

type Kind = 'site' | 'person'
const archive = ({ make }: TestApp, kind: Kind, _id: string, mergedInto: string | null = null, at?: Date) =>
  make.write(async (tx: Tx) => {
    await sql`update ${sql.table(kind)} set "archivedAt" = now(), "archivedReason" = 'A mistake', "mergedInto" = ${mergedInto} where _id = ${_id}`.execute(
      tx,
    )
  }, at)
const restore = ({ make }: TestApp, kind: Kind, _id: string) =>
  make.write(async (tx: Tx) => {
    await sql`update ${sql.table(kind)} set "archivedAt" = null, "archivedReason" = null, "mergedInto" = null where _id = ${_id}`.execute(
      tx,
    )
  })

/** The lists that have a site, as its name of one word, and its SIS site. */
const findSite = async ({ as }: TestApp, name: string, region: string): Promise<Record<string, boolean>> => {
  const caller = as(6)
  const has = (rows: readonly { readonly displayName?: string | null; readonly name?: string | null }[]) =>
    rows.some((row) => row.displayName === name || row.name === name)
  return {
    list: has(await caller.send(listSites)),
    sisSites: has(await caller.send(listSisSites)),
    region: has((await caller.send(readRegion, { params: { slug: region } })).sites),
    search: (await caller.send(search, { query: { q: name } })).groups.some(({ hits }) => hits.some((hit) => hit.name === name)),
  }
}
const EVERYWHERE = { list: true, sisSites: true, region: true, search: true }
const NOWHERE = { list: false, sisSites: false, region: false, search: false }

test('an archived site is in no list and comes back; its page stays, with its parts', async () => {
  const app = await startApp()
  const { make, as } = app
  const region = await make.region()
  const { _id, slug } = await make.site({ displayName: 'Quartz', region: region._id })
  await make.sisSite({ site: _id, name: 'Quartz' })
  expect(await findSite(app, 'Quartz', region.slug)).toEqual(EVERYWHERE)
  const counts = await as(10).send(readCounts)

  await archive(app, 'site', _id)
  expect(await findSite(app, 'Quartz', region.slug)).toEqual(NOWHERE)
  expect(await as(10).send(readCounts)).toEqual({ ...counts, sites: counts.sites - 1 })
  expect(await as(10).send(readSite, { params: { slug } })).toMatchObject({ _id, displayName: 'Quartz' })
  expect(await as(6).send(listSisSites, { query: { site: _id } })).toHaveLength(1)
  expect([...app.context.readModel.table('site').archived()].map((row) => row._id)).toEqual([_id])

  await restore(app, 'site', _id)
  expect(await findSite(app, 'Quartz', region.slug)).toEqual(EVERYWHERE)
  expect(await as(10).send(readCounts)).toEqual(counts)
  expect(app.context.readModel.table('site').archived()).toEqual([])
})

test('a position of an archived site or person is none', async () => {
  const app = await startApp()
  const { site, principal } = await app.make.network()
  await archive(app, 'person', principal._id)
  expect((await app.as(10).send(readSite, { params: { slug: site.slug } })).principal).toBeNull()
  await restore(app, 'person', principal._id)
  expect((await app.as(10).send(readSite, { params: { slug: site.slug } })).principal).toMatchObject({ _id: principal._id })
  await archive(app, 'site', site._id)
  expect((await app.as(10).send(readPerson, { params: { slug: principal.slug } })).sites).toEqual([])
})

test('the _id and the address of a merged record lead to the one that stays', async () => {
  const app = await startApp()
  const [kept, merged, first] = [await app.make.person(), await app.make.person(), await app.make.person()]
  await archive(app, 'person', first._id, merged._id)
  await archive(app, 'person', merged._id, kept._id)
  for (const slug of [merged.slug, merged._id, first.slug])
    expect(await app.as(10).send(readPerson, { params: { slug } })).toMatchObject({ _id: kept._id })
  const photo = await app.as(10).request('GET', `/api/photos/${first._id}`)
  expect(photo.statusCode).not.toBe(500)
  expect((await app.as(10).send(listPeople)).map(({ _id }) => _id)).toEqual([kept._id])
})

test('a past day has a record that was archived later, also where the history is older than the columns', async () => {
  const app = await startApp()
  const { make, as, context } = app
  const days = ['2026-03-01', '2026-03-05', '2026-03-10'].map((day) => new Date(`${day}T20:00:00Z`))
  const [made, moved, archived] = days
  const person = await make.person()
  const other = await make.person()
  await sql`update change set at = ${made}`.execute(context.db)
  await make.write(async (tx) => {
    await tx.updateTable('person').set({ phone: '209-555-0100' }).where('_id', '=', person._id).execute()
  }, moved)
  await sql`update change set before = before - 'archivedAt' - 'mergedInto', after = after - 'archivedAt' - 'mergedInto'`.execute(
    context.db,
  )
  await archive(app, 'person', person._id, other._id, archived)
  const read = async <T>(path: string, on: string): Promise<T> => (await as(10).request('GET', `/locations-api/${path}?on=${on}`)).json<T>()
  const listOn = async (on: string) => (await read<{ _id: string }[]>('people', on)).map(({ _id }) => _id)
  expect(await listOn('2026-03-04')).toContain(person._id)
  expect(await listOn('2026-03-06')).toContain(person._id)
  expect(await listOn('2026-03-10')).toEqual([other._id])
  expect((await as(10).send(listPeople)).map(({ _id }) => _id)).toEqual([other._id])
  const readOn = (on: string) => read<{ _id: string }>(`people_sites_slug/${person.slug}`, on)
  expect((await readOn('2026-03-06'))._id).toBe(person._id)
  expect((await readOn('2026-03-10'))._id).toBe(other._id)
})
