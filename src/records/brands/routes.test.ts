import { describe, expect, test } from 'vitest'

import { network } from '../../../test/support/app.ts'
import { createBrand, listBrands, readBrand, updateBrand, viewBrand } from './contract.ts'

const right = { brandName: 'Cedar Lane Learning', websiteUrl: 'https://cedar.example', EnrollmentsUrl: 'https://enroll.cedar.example' }

const picture = async ({ context }: Awaited<ReturnType<typeof network>>, letter: string): Promise<string> => {
  const _id = letter.repeat(64)
  await context.db
    .insertInto('picture')
    .values({ _id, type: 'image/png', width: 1, height: 1, bytes: Buffer.from('x') })
    .execute()
  return _id
}

describe('a new brand', () => {
  test('is ACTIVE, gets a slug from its name, and is in the list immediately', async () => {
    const { as } = await network()
    await as(10).send(listBrands)
    const brand = await as(6).send(createBrand, { body: right })
    expect(brand).toMatchObject({
      ...right,
      status: 'ACTIVE',
      slug: 'cedar-lane-learning',
      brandPhoto: null,
      brandIcon: null,
      charters: [],
    })
    expect((await as(10).send(listBrands)).map(({ _id }) => _id)).toContain(brand._id)
    const second = await as(6).send(createBrand, { body: right })
    expect(second.slug).toBe('cedar-lane-learning-2')
  })

  test('needs a name, two web addresses of at most 50 characters, and existing pictures', async () => {
    const { as } = await network()
    const errors = async (body: object) => {
      const answer = await as(6).trySend(createBrand, { body: body as typeof right })
      expect(answer.statusCode).toBe(422)
      return (answer.json().errors as { path: string }[]).map(({ path }) => path).toSorted()
    }
    expect(await errors({})).toEqual(['EnrollmentsUrl', 'brandName', 'websiteUrl'])
    expect(await errors({ ...right, websiteUrl: `https://${'x'.repeat(43)}` })).toEqual(['websiteUrl'])
    expect(await errors({ ...right, EnrollmentsUrl: 'javascript:alert(1)' })).toEqual(['EnrollmentsUrl'])
    expect(await errors({ ...right, brandIcon: 'f'.repeat(64) })).toEqual(['brandIcon'])
    expect(await errors({ ...right, status: 'OPEN', slug: 'x' })).toEqual(['slug', 'status'])
    expect((await as(6).send(createBrand, { body: { ...right, websiteUrl: `https://${'x'.repeat(42)}` } })).websiteUrl).toHaveLength(50)
  })

  test('needs level 6', async () => {
    const { as } = await network()
    expect((await as(7).trySend(createBrand, { body: right })).statusCode).toBe(403)
  })
})

describe('a brand', () => {
  test('has every field written, read back, cleared if it may be empty, and read again', async () => {
    const net = await network()
    const { as, make } = net
    const { _id, slug } = await make.brand()
    const [photo, icon] = [await picture(net, 'a'), await picture(net, 'b')]
    const body = { brandName: 'Harbor', websiteUrl: 'h.example', EnrollmentsUrl: 'e.example', status: 'PENDING', brandPhoto: photo, brandIcon: icon } as const // prettier-ignore
    const shown = { ...body, brandPhoto: `/api/pictures/${photo}`, brandIcon: `/api/pictures/${icon}` }
    expect(await as(6).send(updateBrand, { params: { id: slug }, body })).toMatchObject(shown)
    expect(await as(10).send(readBrand, { params: { id: _id } })).toMatchObject({ ...shown, slug })
    const cleared = await as(6).send(updateBrand, { params: { id: _id }, body: { brandPhoto: null, brandIcon: '' } })
    expect(cleared).toMatchObject({ brandName: 'Harbor', brandPhoto: null, brandIcon: null })
    expect(await as(10).send(viewBrand, { params: { id: _id } })).toEqual(cleared)
    expect((await as(6).trySend(updateBrand, { params: { id: _id }, body: { brandName: ' ' } })).statusCode).toBe(422)
    expect((await as(7).trySend(updateBrand, { params: { id: _id }, body: { brandName: 'X' } })).statusCode).toBe(403)
    expect((await as(6).trySend(updateBrand, { params: { id: 'nowhere' }, body: {} })).statusCode).toBe(404)
  })

  test('accepts an imported invalid value that is sent back unchanged', async () => {
    const { as, make } = await network()
    const websiteUrl = `https://${'x'.repeat(80)}`
    const { _id } = await make.brand({ websiteUrl, EnrollmentsUrl: null })
    const body = { brandName: 'New name', websiteUrl, EnrollmentsUrl: null }
    expect(await as(6).send(updateBrand, { params: { id: _id }, body: body as never })).toMatchObject(body)
  })
})
