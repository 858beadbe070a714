import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { createCharter, listCharters, readCharter, updateCharter, viewCharter } from './contract.ts'
import { DUPLICATE_NAME, INVALID_CHARTER_PHONE } from './fields.ts'

const setUp = async () => {
  const net = await network()
  const brand = await net.make.brand()
  const right = { name: 'Cedar Lane | St. Mary', abbreviation: 'CLSM', slug: 'Cedar Lane | St. Mary', brand: brand._id, charterWebsite: 'https://cedar.example' } // prettier-ignore
  const errors = async (body: object, status = 422) => {
    const answer = await net.as(6).trySend(createCharter, { body: body as typeof right })
    expect(answer.statusCode, answer.body).toBe(status)
    return answer.json().errors as { path: string; message: string }[]
  }
  return { ...net, brand, right, errors }
}

describe('a new charter', () => {
  test('has the sent values, is ACTIVE by default, and is found by its slug', async () => {
    const { as, right, brand } = await setUp()
    const charter = await as(6).send(createCharter, {
      body: {
        ...right,
        studentCount: '01234',
        charterContactnumber: '209-555-0142',
        schoolTypeUrls: [{ name: 'Home Study', url: 'h.example' }],
      },
    })
    expect(charter).toMatchObject({
      ...right,
      status: 'ACTIVE',
      brandName: brand.brandName,
      studentCount: 1234,
      charterContactnumber: '209-555-0142',
      schoolTypeUrls: [{ name: 'Home Study', url: 'h.example' }],
      photo: null,
    })
    expect((await as(10).send(readCharter, { params: { slug: 'cedar lane | st. mary' } }))._id).toBe(charter._id)
    expect((await as(10).send(listCharters)).map(({ _id }) => _id)).toContain(charter._id)
  })

  test('is refused if required fields are missing, naming each', async () => {
    const { errors } = await setUp()
    const found = await errors({})
    expect(found.map(({ path }) => path).toSorted()).toEqual(['abbreviation', 'brand', 'charterWebsite', 'name', 'slug'])
    expect(new Set(found.map(({ message }) => message))).toEqual(new Set(['This field is required']))
  })

  test('is refused if a value breaks a limit or a pattern; the server removes no characters', async () => {
    const { errors, right, as } = await setUp()
    for (const [path, value] of [
      ['name', 'Cedar 2'],
      ['name', 'x'.repeat(61)],
      ['slug', 'cedar_lane'],
      ['slug', 'x'.repeat(61)],
      ['abbreviation', 'ABCDEFGHIJK'],
      ['abbreviation', 'A-B'],
      ['studentCount', '123456'],
      ['studentCount', '12a'],
      ['studentCount', -1],
      ['studentCount', 1.5],
      ['charterWebsite', `https://${'x'.repeat(43)}`],
      ['charterWebsite', 'javascript:alert(1)'],
      ['brand', '00000000-0000-0000-0000-000000000000'],
      ['photo', 'f'.repeat(64)],
      ['status', 'OPEN'],
    ] as const) {
      expect((await errors({ ...right, [path]: value })).map((error) => error.path)).toEqual([path])
    }
    for (const phone of ['555-0142', '1-209-555-014', '209-555-014', '209-555-0142 x12', '+44 20 7946 0958']) {
      expect(await errors({ ...right, charterContactnumber: phone })).toEqual([
        { path: 'charterContactnumber', message: INVALID_CHARTER_PHONE },
      ])
    }
    const [wrong] = await errors({ ...right, schoolTypeUrls: [{ name: 'IS', url: 'x'.repeat(51) }] })
    expect(wrong?.path).toBe('schoolTypeUrls.0.url')
    const longest = { ...right, name: 'x'.repeat(60), slug: 'y'.repeat(60), abbreviation: 'ABCDEFGHIJ', studentCount: 99_999, charterContactnumber: '' } // prettier-ignore
    expect(await as(6).send(createCharter, { body: longest })).toMatchObject({ studentCount: 99_999, charterContactnumber: null })
  })

  test('has a unique name and slug, ignoring case and outer spaces, also with ten concurrent requests', async () => {
    const { as, right: before, errors } = await setUp()
    const right = { ...before, name: 'Harbor | One', slug: 'Harbor | One' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => as(6).trySend(createCharter, { body: right })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array<number>(9).fill(409)])
    expect(await errors({ ...right, name: ' HARBOR | one ', slug: 'other' }, 409)).toEqual([{ path: 'name', message: DUPLICATE_NAME }])
    expect(DUPLICATE_NAME).toBe('Charter with this name  already exists.')
    expect((await errors({ ...right, name: 'Other', slug: 'HARBOR | ONE' }, 409)).map(({ path }) => path)).toEqual(['slug'])
  })

  test('needs level 6', async () => {
    const { as, right } = await setUp()
    expect((await as(7).trySend(createCharter, { body: right })).statusCode).toBe(403)
  })
})

describe('a charter', () => {
  test('has every field written, read back, cleared if it may be empty, and read again', async () => {
    const { as, make, context, brand } = await setUp()
    const { _id, slug } = await make.charter()
    const photo = 'a'.repeat(64)
    await context.db
      .insertInto('picture')
      .values({ _id: photo, type: 'image/png', width: 1, height: 1, bytes: Buffer.from('x') })
      .execute()
    const body = {
      name: 'Harbor',
      abbreviation: 'HB',
      brand: brand._id,
      status: 'CLOSED - TEMPORARILY',
      studentCount: 42,
      charterWebsite: 'h.example',
      charterContactnumber: '209-555-0142',
      schoolTypeUrls: [
        { name: 'A', url: 'a.example' },
        { name: 'B', url: 'b.example' },
      ],
      photo,
    } as const
    const shown = { ...body, photo: `/api/pictures/${photo}`, slug }
    expect(
      await as(6).send(updateCharter, { params: { id: slug }, body: { ...body, schoolTypeUrls: [...body.schoolTypeUrls] } }),
    ).toMatchObject(shown)
    expect(await as(10).send(viewCharter, { params: { id: _id } })).toMatchObject(shown)
    const empty = { studentCount: null, charterContactnumber: '', schoolTypeUrls: [], photo: null }
    const cleared = await as(6).send(updateCharter, { params: { id: _id }, body: empty })
    expect(cleared).toMatchObject({ ...empty, charterContactnumber: null, name: 'Harbor' })
    expect(await as(10).send(viewCharter, { params: { id: _id } })).toEqual(cleared)
    expect((await as(7).trySend(updateCharter, { params: { id: _id }, body: { name: 'X' } })).statusCode).toBe(403)
  })

  test('may keep its name, even an imported duplicate, and cannot take the name of another charter', async () => {
    const { as, make } = await setUp()
    const [one, two] = [await make.charter({ name: 'Twice 1', slug: 'twice' }), await make.charter({ name: 'Twice 1', slug: 'twice-2' })]
    const save = (_id: string, body: object) => as(6).trySend(updateCharter, { params: { id: _id }, body })
    expect((await save(one._id, { name: 'Twice 1', abbreviation: 'TW' })).statusCode).toBe(200)
    const other = await make.charter({ name: 'Other' })
    const refused = await save(two._id, { name: 'OTHER' })
    expect([refused.statusCode, refused.json().title]).toEqual([409, DUPLICATE_NAME])
    expect((await save(other._id, { name: 'Other ' })).statusCode).toBe(200)
  })

  test('is still found by a former slug', async () => {
    const { as, make } = await setUp()
    const { _id } = await make.charter({ slug: 'first' })
    await as(6).send(updateCharter, { params: { id: _id }, body: { slug: 'second' } })
    for (const slug of ['first', 'SECOND']) expect((await as(10).send(readCharter, { params: { slug } }))._id).toBe(_id)
    // No one else gets it, and the charter can have it back.
    const other = await make.charter()
    expect((await as(6).trySend(updateCharter, { params: { id: other._id }, body: { slug: 'First' } })).statusCode).toBe(409)
    expect((await as(6).send(updateCharter, { params: { id: _id }, body: { slug: 'first' } })).slug).toBe('first')
  })
})
