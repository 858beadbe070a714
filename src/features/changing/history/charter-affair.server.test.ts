import { describe, expect, test } from 'vitest'

import { network } from '../../../../test/support/app.ts'
import {
  addDistrict,
  addMember,
  type AffairChange,
  affairSections,
  readCharterAffair,
  removeDistrict,
  removeMember,
  saveCharterAffair,
  updateMember,
} from '../../../records/charter-affairs/contract.ts'
import { createDeadline, listDeadlines, updateDeadline } from '../../deadlines/deadlines/contract.ts'
import { restoreAffairFromHistory, readAffairHistory, readHistory } from './contract.ts'

const setUp = async () => {
  const net = await network()
  const charter = await net.make.charter()
  const params = { id: charter._id }
  const me = net.as(5)
  const history = async (query: object = {}) => (await net.as(6).send(readAffairHistory, { params, query })).changes
  const read = async () => {
    const [affair] = (await me.send(readCharterAffair, { params })).charter_affair_info
    if (!affair) throw new Error('There is no affair')
    return affair
  }
  const save = async (...bodies: AffairChange[]) => {
    for (const body of bodies) await me.send(saveCharterAffair, { params, body })
  }
  const newest = async () => {
    const [change] = await history()
    if (!change) throw new Error('Nothing was changed')
    return change
  }
  const restore = (change: string, body: object = {}, version?: number | null) =>
    me.trySend(restoreAffairFromHistory, { params: { ...params, change }, body, headers: version ? { 'if-match': `"${version}"` } : {} })
  return { ...net, charter, params, me, history, read, save, newest, restore }
}

describe('the history of a charter affair', () => {
  test('contains changes of its deadlines by people, not those that follow its texts', async () => {
    const { me, as, charter, history, save } = await setUp()
    await save({ overview: { charter_expiration_date: '06/30/2031' } }, { overview: { charter_expiration_date: '06/30/2032' } })
    const [read] = await me.send(listDeadlines, { query: { charter: charter.slug } })
    await me.send(updateDeadline, { params: { id: read?._id ?? '' }, body: { state: 'handled' } })
    await me.send(createDeadline, { body: { charter: charter._id, title: 'Call the authorizer', date: '2031-01-15', kind: 'oversight' } })
    const changes = await history()
    expect(changes.map(({ part, title, action }) => [part, title, action])).toEqual([
      ['deadline', 'Call the authorizer', 'insert'],
      ['deadline', 'overview.charter_expiration_date', 'update'],
      ['charter_affair', null, 'update'],
      ['charter_affair', null, 'update'],
      ['charter_affair', null, 'insert'],
    ])
    expect(changes[1]).toMatchObject({
      by: (await me.who()).name,
      canRestore: false,
      fields: [{ field: 'state', from: 'open', to: 'handled' }],
    })
    expect((await history({ part: 'deadline', field: 'state' })).map(({ action }) => action)).toEqual(expect.arrayContaining(['update']))
    const other = await as(5).send(readAffairHistory, { params: { id: (await (await network()).make.charter())._id } })
    expect(other.changes).toEqual([])
  })

  test('lists changes of the affair, its board members and its districts, not those of the charter', async () => {
    const { me, as, params, charter, history, save } = await setUp()
    await save({ overview: { fein: '1', notes: 'First' } }, { overview: { fein: '2' } })
    await me.send(addMember, { params, body: { board_member_name: 'Wendell Obi' } })
    await me.send(addDistrict, { params, body: { center_name: 'Lodi', county: 'San Joaquin' } })
    const [district, member, second, first, created] = await history()
    expect(district).toMatchObject({ action: 'insert', part: 'center_district', title: 'Lodi', canRestore: false })
    expect(district?.fields.map(({ field }) => field).toSorted()).toEqual(['center_name', 'county'])
    expect(member).toMatchObject({ action: 'insert', part: 'authorizer_board_member', title: 'Wendell Obi' })
    expect(second).toMatchObject({
      action: 'update',
      part: 'charter_affair',
      fields: [{ field: 'overview', from: { fein: '1' }, to: { fein: '2' } }],
      canRestore: true,
    })
    expect(first?.fields).toMatchObject([{ from: { fein: null, notes: null }, to: { fein: '1', notes: 'First' } }])
    expect(created).toMatchObject({ action: 'insert', part: 'charter_affair', fields: [] })
    const { changes } = await as(6).send(readHistory, { params: { kind: 'charter', id: charter._id } })
    expect(changes.map(({ part }) => part)).toEqual(['charter'])
  })

  test('is split into pages of about a megabyte if its texts are long', async () => {
    const { as, params, save } = await setUp()
    const names = affairSections.mou.keyof().options
    const long = (letter: string) => Object.fromEntries(names.map((name) => [name, letter.repeat(19_000)]))
    await save({ mou: long('a') }, { mou: long('b') }, { mou: long('c') }, { mou: { finance: 'Short' } })
    const seen: string[] = []
    let before: string | undefined
    for (let more = true; more;) {
      const query = before === undefined ? {} : { before }
      const response = await as(6).trySend(readAffairHistory, { params, query })
      expect(response.body.length).toBeLessThan(1_200_000)
      const { changes, more: hasMore } = response.json()
      expect(changes).not.toEqual([])
      seen.push(...changes.map(({ _id }: { _id: string }) => _id))
      ;[before, more] = [seen.at(-1), hasMore]
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(5)
  })

  test('is addressed by the charter’s id or slug, and is empty if there is no affair yet', async () => {
    const { as, charter, params, save, restore } = await setUp()
    const read = (id: string) => as(6).trySend(readAffairHistory, { params: { id } })
    expect((await read(charter.slug)).json()).toEqual({ changes: [], comments: [], more: false, people: [], fields: [] })
    expect((await restore('1')).statusCode).toBe(404)
    await save({ mou: { finance: 'Once' } })
    expect((await read(charter.slug)).json()).toEqual((await read(params.id)).json())
    expect((await read(charter.slug)).json().changes).toHaveLength(2)
    expect((await read('nowhere')).statusCode).toBe(404)
  })

  test('can be read at level 6 and restored at level 5', async () => {
    const { as, params, save, newest, read } = await setUp()
    await save({ mou: { finance: 'Once' } })
    const { _id: change } = await newest()
    const before = await read()
    const statuses = async (level: number) => [
      (await as(level).trySend(readAffairHistory, { params })).statusCode,
      (await as(level).trySend(restoreAffairFromHistory, { params: { ...params, change }, body: {} })).statusCode,
    ]
    expect(await statuses(7)).toEqual([403, 403])
    expect(await statuses(6)).toEqual([200, 403])
    expect(await read()).toEqual(before)
    expect(await statuses(5)).toEqual([200, 204])
    expect((await read()).mou.finance).toBeNull()
  })

  test('is filtered by a section or a single text, and lists these filters', async () => {
    const { me, as, params, history, save } = await setUp()
    await save({ overview: { fein: '1' } }, { overview: { county: 'Kern' } }, { funding: { fein: '1' } }, { overview: { county: null } })
    await me.send(addMember, { params, body: { board_member_name: 'Wendell Obi' } })
    const texts = async (field: string) =>
      (await history({ part: 'charter_affair', field })).map(({ fields }) => fields.map((one) => [one.field, one.to]))
    expect(await texts('overview')).toEqual([
      [['overview', { county: null }]],
      [['overview', { county: 'Kern' }]],
      [['overview', { fein: '1' }]],
    ])
    expect(await texts('overview.fein')).toEqual([[['overview', { fein: '1' }]]])
    expect(await texts('overview.notes')).toEqual([])
    const { fields } = await as(6).send(readAffairHistory, { params })
    expect(fields).toEqual([
      { part: 'authorizer_board_member', field: 'board_member_name' },
      ...['funding', 'funding.fein', 'overview', 'overview.county', 'overview.fein'].map((field) => ({ part: 'charter_affair', field })),
    ])
  })
})

describe('restoring a charter affair', () => {
  test('restores a single text', async () => {
    const { save, newest, read, history, restore } = await setUp()
    await save({ overview: { fein: '1', county: 'Kern' } }, { overview: { fein: '2', county: 'Yolo' }, mou: { finance: 'Once' } })
    const { _id, version } = await newest()
    expect((await restore(_id, { fields: ['overview.fein'] }, version)).statusCode).toBe(204)
    expect(await read()).toMatchObject({ overview: { fein: '1', county: 'Yolo' }, mou: { finance: 'Once' }, version: (version ?? 0) + 1 })
    expect((await history())[0]?.fields).toMatchObject([{ field: 'overview', from: { fein: '2' }, to: { fein: '1' } }])
  })

  test('restores a whole section, whatever has changed in it since', async () => {
    const { save, newest, read, restore } = await setUp()
    await save({ overview: { fein: '1', county: 'Kern' } }, { overview: { fein: '2' }, mou: { finance: 'Once' } })
    const { _id } = await newest()
    await save({ overview: { county: 'Yolo', notes: 'Since' } })
    expect((await restore(_id, { fields: ['overview'] })).statusCode).toBe(204)
    expect(await read()).toMatchObject({ overview: { fein: '1', county: 'Kern', notes: null }, mou: { finance: 'Once' } })
  })

  test('restores everything in a change, and keeps later changes of other texts of the section', async () => {
    const { save, newest, read, restore } = await setUp()
    await save({ overview: { fein: '1', county: 'Kern' } }, { overview: { fein: '2', notes: 'New' }, mou: { finance: 'Once' } })
    const { _id } = await newest()
    await save({ overview: { county: 'Yolo' }, mou: { legal: 'Since' }, funding: { fein: '3' } })
    expect((await restore(_id)).statusCode).toBe(204)
    expect(await read()).toMatchObject({
      overview: { fein: '1', county: 'Yolo', notes: null },
      mou: { finance: null, legal: 'Since' },
      funding: { fein: '3' },
    })
  })

  test('restores the whole record, and keeps its members', async () => {
    const { me, params, save, newest, read, restore, history } = await setUp()
    await save({ overview: { fein: '1' }, mou: { finance: 'Once' } })
    const before = await read()
    await save({ overview: { fein: '2' } })
    const { _id } = await newest()
    await save({ overview: { county: 'Yolo' }, mou: { finance: 'Twice' }, funding: { fein: '3' } })
    await me.send(addMember, { params, body: { board_member_name: 'Ana' } })
    expect((await restore(_id, { whole: true })).statusCode).toBe(204)
    const after = await read()
    expect([after.overview, after.mou, after.funding]).toEqual([before.overview, before.mou, before.funding])
    expect(after.authorizer_board_member).toHaveLength(1)
    // The restore is one change, which can itself be restored.
    const [restored] = await history()
    expect(restored?.fields.map(({ field }) => field).toSorted()).toEqual(['funding', 'mou', 'overview'])
    await restore(restored?._id ?? '')
    expect(await read()).toMatchObject({ overview: { fein: '2', county: 'Yolo' }, mou: { finance: 'Twice' }, funding: { fein: '3' } })
  })

  test('records no change if all values are the same already', async () => {
    const { save, newest, read, restore, history } = await setUp()
    await save({ overview: { fein: '1' } })
    const { _id } = await newest()
    await restore(_id)
    const [before, historyBefore] = [await read(), await history()]
    for (const body of [{}, { fields: ['overview'] }, { fields: ['overview.fein'] }, { whole: true }])
      expect((await restore(_id, body)).statusCode).toBe(204)
    expect(await read()).toEqual(before)
    expect(await history()).toEqual(historyBefore)
  })

  test('refuses fields that were not part of the change', async () => {
    const { save, newest, read, restore } = await setUp()
    await save({ overview: { fein: '1', county: 'Kern' } }, { overview: { fein: '2' } })
    const { _id } = await newest()
    const before = await read()
    const invalid = [
      'overview.county',
      'mou',
      'overview.',
      '.fein',
      'overview.fein.x',
      'charter',
      'version',
      '__proto__',
      'overview.constructor',
    ]
    for (const field of invalid) {
      const refused = await restore(_id, { fields: ['overview.fein', field] })
      expect([field, refused.statusCode, refused.json().errors]).toEqual([
        field,
        422,
        [{ path: 'fields', message: `${field} was not part of this change` }],
      ])
    }
    expect((await restore(_id, { fields: ['overview'], whole: true })).statusCode).toBe(422)
    expect(await read()).toEqual(before)
  })

  test('is refused when someone saved a change in the meantime', async () => {
    const { save, newest, read, restore } = await setUp()
    await save({ overview: { fein: '1' } }, { overview: { fein: '2' } })
    const { _id, version } = await newest()
    await save({ mou: { finance: 'Meanwhile' } })
    const before = await read()
    for (const body of [{}, { fields: ['overview.fein'] }, { fields: ['overview'] }, { whole: true }])
      expect((await restore(_id, body, version)).statusCode).toBe(412)
    expect(await read()).toEqual(before)
  })

  test('does not find a change of another charter’s affair or another record', async () => {
    const { me, make, save, read, newest, restore, site, as } = await setUp()
    await save({ overview: { fein: '1' } })
    const { _id: change } = await newest()
    const before = await read()
    const other = { id: (await make.charter())._id }
    await me.send(saveCharterAffair, { params: other, body: { overview: { fein: '9' } } })
    const elsewhere = (await me.send(readCharterAffair, { params: other })).charter_affair_info
    expect((await me.trySend(restoreAffairFromHistory, { params: { ...other, change }, body: {} })).statusCode).toBe(404)
    const ofSite = (await as(6).send(readHistory, { params: { kind: 'site', id: site._id } })).changes[0]?._id ?? ''
    for (const foreign of [ofSite, '999999999999']) expect((await restore(foreign)).statusCode).toBe(404)
    expect((await me.send(readCharterAffair, { params: other })).charter_affair_info).toEqual(elsewhere)
    expect(await read()).toEqual(before)
  })
})

describe('a part of a charter affair', () => {
  test('that was deleted is shown by name and restored once', async () => {
    const { me, params, read, history, restore } = await setUp()
    await me.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '2026' } })
    await me.send(addDistrict, { params, body: { center_name: 'Lodi', county: 'San Joaquin' } })
    const { authorizer_board_member, center_district } = await read()
    const [member, district] = [authorizer_board_member[0]?._id ?? '', center_district[0]?._id ?? '']
    await me.send(removeMember, { params: { ...params, memberId: member } })
    await me.send(removeDistrict, { params: { ...params, districtId: district } })
    const [deletedDistrict, deletedMember] = await history()
    expect(deletedMember).toMatchObject({ action: 'delete', part: 'authorizer_board_member', title: 'Wendell Obi', canRestore: true })
    expect(deletedDistrict).toMatchObject({ action: 'delete', part: 'center_district', title: 'Lodi', canRestore: true })
    for (const deleted of [deletedMember, deletedDistrict]) {
      expect((await restore(deleted?._id ?? '')).statusCode).toBe(204)
      expect((await restore(deleted?._id ?? '')).statusCode).toBe(409)
    }
    const after = await read()
    expect(after.authorizer_board_member).toMatchObject([{ _id: member, board_member_name: 'Wendell Obi', board_term: '2026' }])
    expect(after.center_district).toMatchObject([{ _id: district, center_name: 'Lodi', county: 'San Joaquin' }])
  })

  test('is restored using its own version', async () => {
    const { me, params, read, save, newest, restore } = await setUp()
    await me.send(addMember, { params, body: { board_member_name: 'Wendell Obi', board_term: '2026' } })
    const _id = (await read()).authorizer_board_member[0]?._id ?? ''
    await me.send(updateMember, { params, body: { _id, board_member_name: 'W. Obi', board_term: '2027' } })
    const change = await newest()
    expect(change).toMatchObject({ title: 'W. Obi', version: 2 })
    await save({ overview: { fein: '1' } })
    expect((await restore(change._id, { fields: ['board_term'] }, change.version)).statusCode).toBe(204)
    expect((await restore(change._id, {}, change.version)).statusCode).toBe(412)
    expect((await restore(change._id, {}, 3)).statusCode).toBe(204)
    expect((await read()).authorizer_board_member).toMatchObject([{ _id, board_member_name: 'Wendell Obi', board_term: '2026' }])
  })
})
