import { describe, expect, test } from 'vitest'

import { network, startApp, type SignedInCaller } from '../../../../test/support/app.ts'
import { readWorkbook } from '../../../../test/support/workbooks.ts'
import { saveCharterAffair } from '../../../records/charter-affairs/contract.ts'
import { updatePerson } from '../../../records/people/contract.ts'
import { updateSite } from '../../../records/sites/contract.ts'
import { applyBulkChange, planChange, undoChangeset } from '../../changing/changesets/contract.ts'
import { savePlannedChanges } from '../../changing/changesets/planned.server.ts'
import { createCheck } from '../../changing/checks/contract.ts'
import { addFavorite } from '../favorites/contract.ts'
import { type ActivityEntry, downloadActivity, readActivity, readActivityEntry } from './contract.ts'

const setUp = async () => {
  const net = await network()
  const admin = net.as(5)
  const { name } = await admin.who()
  const savePhone = (phone: string) => admin.send(updateSite, { params: { id: net.site._id }, body: { address: { phone } } })
  const list = async (query: object = {}) => (await admin.send(readActivity, { query })).entries
  return { ...net, admin, name, savePhone, list }
}

describe('changes that were saved together', () => {
  test('are one entry, separate from other changes by the same person around them, and are undone together', async () => {
    const { admin, name, site, make, list, savePhone } = await setUp()
    const other = await make.site()
    const apply = (ids: string[], city: string) =>
      admin.send(applyBulkChange, { body: { kind: 'site', ids, changes: { 'address.city': city } } })
    await savePhone('209-555-0142')
    const { changeset } = await apply([site._id, other._id], 'Acampo')
    await savePhone('209-555-0143')
    await apply([site._id], 'Galt')
    const toRow = ({ counts, changeCount, changeset: saved }: ActivityEntry) => [counts[0]?.records, changeCount, saved?.kind ?? null]
    const entries = await list({ actor: name })
    expect(entries.map(toRow)).toEqual([
      [1, 1, 'bulk'],
      [1, 2, null],
      [2, 2, 'bulk'],
    ])
    expect(entries[2]?.changeset).toEqual({ _id: changeset?._id, kind: 'bulk', title: expect.any(String), isUndone: false })
    // An entry requested separately is complete, even if the list shows only part of it.
    const [part] = await list({ actor: name, record: other.slug })
    expect(part?.changeCount).toBe(1)
    expect((await admin.send(readActivityEntry, { params: { id: part?._id ?? '' } })).changeCount).toBe(2)
    await admin.send(undoChangeset, { params: { id: changeset?._id ?? '' }, body: {} })
    const [undo, ...before] = await list({ actor: name })
    expect(undo?.changeset?.kind).toBe('undo')
    expect(before.map((entry) => entry.changeset?.isUndone ?? null)).toEqual([false, null, true])
  })

  test('on a planned day are shown under the name of the person who planned them', async () => {
    const app = await startApp({}, undefined, undefined, () => clock)
    let clock = new Date('2031-06-01T12:00:00Z')
    const admin = app.as(5)
    const site = await app.make.site()
    await admin.send(planChange, { body: { kind: 'site', _id: site._id, day: '2031-07-01', changes: { 'address.city': 'Acampo' } } })
    clock = new Date('2031-07-01T12:00:00Z')
    expect(await savePlannedChanges(app.context)).toBe(1)
    const { entries } = await admin.send(readActivity, { query: { record: site._id, kind: 'change' } })
    expect(entries[0]).toMatchObject({ by: (await admin.who()).name, changeset: { kind: 'planned' }, records: [{ _id: site._id }] })
    await app.stop()
  })
})

describe('a workbook of activity', () => {
  const read = async (who: SignedInCaller, query: object = {}) => {
    const response = await who.trySend(downloadActivity, { query })
    expect(response.statusCode).toBe(200)
    return (await readWorkbook(response.rawPayload))[0]?.rows ?? []
  }

  test('has a row for each value, and applies the filters of the page', async () => {
    const { admin, name, site, savePhone, principal } = await setUp()
    await savePhone('209-555-0142')
    await admin.send(updatePerson, { params: { id: principal._id }, body: { phone: '209-555-0111', fax: '209-555-0112' } })
    await admin.send(createCheck, { body: { kind: 'site', _id: site._id } })
    const rows = await read(admin, { actor: name })
    expect(rows.map((row) => [row['Person'], row['Kind'], row['Record'], row['What'], row['Field'], row['After']])).toEqual([
      [name, 'Sites', site.displayName, 'checked the site', null, null],
      [name, 'People', principal.name, 'changed the person', 'Fax', '209-555-0112'],
      [name, 'People', principal.name, 'changed the person', 'Phone', '209-555-0111'],
      [name, 'Sites', site.displayName, 'changed the site', 'Phone', '209-555-0142'],
    ])
    expect(await read(admin, { actor: name, kind: 'check' })).toHaveLength(1)
  })

  test('contains what its reader sees on the page, without charter affairs for people who cannot read them', async () => {
    const { as, admin, charter, site, make } = await setUp()
    await admin.send(saveCharterAffair, { params: { id: charter._id }, body: { overview: { fein: '12-345' } } })
    const records = async (who: SignedInCaller) => new Set((await read(who)).map((row) => row['Record']))
    expect(await records(admin)).toContain(charter.name)
    const reader = as(10)
    expect(await records(reader)).toEqual(new Set())
    const person = await make.person({ email: (await reader.who()).azureID })
    await make.sitePerson(site._id, 'Principal', person._id)
    await reader.send(addFavorite, { params: { kind: 'charter', id: charter.slug } })
    expect(JSON.stringify(await read(reader))).not.toContain('12-345')
    expect(await records(reader)).toContain(site.displayName)
  })
})

test('a part of a name finds records and people', async () => {
  const { admin, list, name, savePhone, principal, site } = await setUp()
  await savePhone('209-555-0142')
  await admin.send(updatePerson, { params: { id: principal._id }, body: { phone: '209-555-0111' } })
  const names = async (query: object) => (await list({ actor: name, ...query })).flatMap(({ records }) => records.map((one) => one.name))
  expect(await names({ q: principal.name.toUpperCase() })).toEqual([principal.name])
  expect(await names({ q: site.displayName.slice(2) })).toContain(site.displayName)
  expect(await names({ q: 'nothing has this name' })).toEqual([])
  expect(new Set((await list({ q: name })).map(({ by }) => by))).toEqual(new Set([name]))
  expect((await admin.trySend(readActivity, { query: { q: ' ' } })).statusCode).toBe(422)
})
