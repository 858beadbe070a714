import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import {
  addDistrict,
  addMember,
  affairSections,
  districtFields,
  memberFields,
  NO_RECORD,
  readCharterAffair,
  removeDistrict,
  removeMember,
  saveCharterAffair,
  updateDistrict,
  updateMember,
  AFFAIR_SECTIONS,
} from './contract.ts'

const setUp = async () => {
  const net = await network()
  const charter = await net.make.charter()
  const params = { id: charter._id }
  const me = net.as(5)
  const read = async () => (await net.as(6).send(readCharterAffair, { params })).charter_affair_info[0]
  return { ...net, charter, params, me, read }
}

/** Every field of a section with a distinct text. */
const filled = (fields: object, prefix: string): Record<string, string> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, `${prefix} ${name} é "x"\nsecond line`]))
const emptied = (fields: object): Record<string, string> => Object.fromEntries(Object.keys(fields).map((name) => [name, '']))
const nothing = (fields: object): Record<string, null> => Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

describe('a charter affair', () => {
  test('is created by the first of twenty concurrent saves', async () => {
    const { me, params, read, context, charter } = await setUp()
    expect(await read()).toBeUndefined()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => me.trySend(saveCharterAffair, { params, body: { overview: { notes: String(at) } } })),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await context.db.selectFrom('charter_affair').select('_id').where('charter', '=', charter._id).execute()).toHaveLength(1)
    expect((await read())?.overview.notes).toMatch(/^\d+$/)
  })

  test('is not created with If-Match: "0" if someone else has created it in the meantime', async () => {
    const { me, params, read } = await setUp()
    const first = (notes: string) =>
      me.trySend(saveCharterAffair, { params, body: { overview: { notes } }, headers: { 'if-match': `"${NO_RECORD}"` } })
    expect((await first('Mine')).statusCode).toBe(200)
    expect((await first('Theirs')).statusCode).toBe(412)
    expect(await read()).toMatchObject({ overview: { notes: 'Mine' } })
  })

  test('has every field of every section written, read back, cleared and read again', async () => {
    const { me, params, read } = await setUp()
    const all = Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, filled(affairSections[name].shape, name)]))
    const saved = await me.send(saveCharterAffair, { params, body: all })
    expect(saved.charter_affair_info[0]).toMatchObject(all)
    expect(await read()).toMatchObject(all)
    const none = Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, emptied(affairSections[name].shape)]))
    await me.send(saveCharterAffair, { params, body: none })
    expect(await read()).toMatchObject(Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, nothing(affairSections[name].shape)])))
  })

  test('keeps every field that is not sent, including the notes on petition renewal', async () => {
    const { me, params, read } = await setUp()
    await me.send(saveCharterAffair, {
      params,
      body: { overview: { petition_renewal_material_revisions_notes: 'Kept', county: 'Kern' }, mou: { finance: 'Once' } },
    })
    await me.send(saveCharterAffair, { params, body: { overview: { county: 'Yolo' } } })
    expect(await read()).toMatchObject({
      overview: { petition_renewal_material_revisions_notes: 'Kept', county: 'Yolo' },
      mou: { finance: 'Once' },
    })
  })

  test('is not changed by a save without changes', async () => {
    const { me, params, read } = await setUp()
    await me.send(saveCharterAffair, { params, body: { overview: { county: 'Kern' } } })
    const before = await read()
    const same = Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, before?.[name]]))
    await me.send(saveCharterAffair, { params, body: same })
    // No field has changed, and there is no new version.
    expect(await read()).toEqual(before)
  })

  test('is not saved over someone else’s change, and refuses unknown fields', async () => {
    const { me, params, read } = await setUp()
    await me.send(saveCharterAffair, { params, body: { overview: { county: 'Kern' } } })
    const { version } = (await read()) ?? { version: 0 }
    const save = (body: object) => me.trySend(saveCharterAffair, { params, body, headers: { 'if-match': `"${version}"` } })
    expect((await save({ funding: { fein: '12-3456789' } })).statusCode).toBe(200)
    expect((await save({ overview: { county: 'Yolo' } })).statusCode).toBe(412)
    expect((await read())?.overview.county).toBe('Kern')
    const wrong = await me.trySend(saveCharterAffair, { params, body: { overview: { nickname: 'x' }, extra: {} } as never })
    expect([
      wrong.statusCode,
      wrong
        .json()
        .errors.map(({ path }: { path: string }) => path)
        .toSorted(),
    ]).toEqual([422, ['extra', 'overview.nickname']])
  })

  test('needs level 5: level 6 reads it and cannot change it', async () => {
    const { as, params, me } = await setUp()
    const { charter_affair_info } = await me.send(addMember, { params, body: { board_member_name: 'Ana' } })
    const _id = charter_affair_info[0]?.authorizer_board_member[0]?._id ?? ''
    const low = as(6)
    const refused = [
      await low.trySend(saveCharterAffair, { params, body: { overview: { county: 'X' } } }),
      await low.trySend(addMember, { params, body: {} }),
      await low.trySend(updateMember, { params, body: { _id, board_term: 'X' } }),
      await low.trySend(removeMember, { params: { ...params, memberId: _id } }),
      await low.trySend(addDistrict, { params, body: {} }),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
    expect((await low.trySend(readCharterAffair, { params })).json()).toEqual(await me.send(readCharterAffair, { params }))
  })
})

const PARTS = [
  ['board members', 'authorizer_board_member', memberFields, addMember, updateMember, removeMember, 'memberId'],
  ['districts', 'center_district', districtFields, addDistrict, updateDistrict, removeDistrict, 'districtId'],
] as const

describe.each(PARTS)('its %s', (_what, part, fields, add, update, remove, param) => {
  test('have every field written, read back, cleared and read again, and are deleted; each response is the whole affair', async () => {
    const { me, params, read } = await setUp()
    const body = filled(fields.shape, part)
    const added = await me.send(add, { params, body })
    expect(added.charter_affair_info[0]?.[part]).toMatchObject([body])
    const _id = added.charter_affair_info[0]?.[part][0]?._id ?? ''
    expect((await read())?.[part]).toMatchObject([{ ...body, _id, version: 1 }])
    await me.send(update, { params, body: { _id, ...emptied(fields.shape) } })
    expect((await read())?.[part]).toMatchObject([{ ...nothing(fields.shape), _id, version: 2 }])
    const gone = await me.send(remove, { params: { ...params, [param]: _id } as never })
    expect(gone.charter_affair_info[0]?.[part]).toEqual([])
  })

  test('are not found under another charter, and stay unchanged', async () => {
    const { me, params, make, read } = await setUp()
    const added = await me.send(add, { params, body: {} })
    const _id = added.charter_affair_info[0]?.[part][0]?._id ?? ''
    const before = await read()
    const other = { id: (await make.charter())._id }
    await me.send(add, { params: other, body: {} })
    expect((await me.trySend(update, { params: other, body: { _id } })).statusCode).toBe(404)
    expect((await me.trySend(remove, { params: { ...other, [param]: _id } as never })).statusCode).toBe(404)
    expect((await me.trySend(remove, { params: { ...params, [param]: 'nobody' } as never })).statusCode).toBe(404)
    expect(await read()).toEqual(before)
  })

  test('are not saved over someone else’s change, and do not change the version of other rows', async () => {
    const { me, params, read } = await setUp()
    for (const _ of [1, 2]) await me.send(add, { params, body: {} })
    const [one, two] = (await read())?.[part] ?? []
    const [name = ''] = Object.keys(fields.shape)
    const save = (_id: string | undefined, version: number) =>
      me.trySend(update, { params, body: { _id: _id ?? '', [name]: 'Mine' }, headers: { 'if-match': `"${version}"` } })
    expect((await save(one?._id, 1)).statusCode).toBe(200)
    expect((await save(one?._id, 1)).statusCode).toBe(412)
    expect((await save(two?._id, 1)).statusCode).toBe(200)
  })
})
