import { createHash } from 'node:crypto'

import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'

import { network, type SignedInCaller } from '../../../../test/support/app.ts'
import { createNoisyImage, createFile, createPlainImage } from '../../../../test/support/pictures.ts'
import { readPicture, uploadPicture } from '../../../contract/pictures.ts'

type Net = Awaited<ReturnType<typeof network>>

let net: Net
let administrator: SignedInCaller
let reader: SignedInCaller
beforeAll(async () => {
  net = await network()
  administrator = net.as(6)
  reader = net.as(10)
})

const upload = async (bytes: Uint8Array) => administrator.send(uploadPicture, { file: createFile(bytes) })
const read = (_id: string, width?: '320' | '640' | '1280', headers: Record<string, string> = {}) =>
  reader.trySend(readPicture, { params: { id: _id }, query: width === undefined ? {} : { width }, headers })

describe('a picture in a width', () => {
  test('is a smaller copy, created once', async () => {
    const { _id } = await upload(await createNoisyImage(900, 600).jpeg().toBuffer())
    const sizes = () =>
      net.context.db.selectFrom('picture_size').select(['width', 'type']).where('picture', '=', _id).orderBy('width').execute()
    const [first, second] = await Promise.all([read(_id, '320'), read(_id, '320')])
    expect(first.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      etag: `"${_id}-320"`,
    })
    expect(await sharp(first.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 320, height: 213 })
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
    expect((await read(_id, '640')).rawPayload.length).toBeGreaterThan(first.rawPayload.length)
    expect(await sizes()).toEqual([
      { width: 320, type: 'image/webp' },
      { width: 640, type: 'image/webp' },
    ])

    await net.context.db
      .updateTable('picture_size')
      .set({ bytes: Buffer.from('kept') })
      .where('picture', '=', _id)
      .execute()
    expect((await read(_id, '320')).body).toBe('kept')
    await net.context.db.deleteFrom('picture').where('_id', '=', _id).execute()
    expect(await sizes()).toEqual([])
  })

  test('is never larger than the original', async () => {
    const { _id } = await upload(await createPlainImage(640, 100).png().toBuffer())
    const whole = await read(_id)
    for (const width of ['640', '1280'] as const) {
      const response = await read(_id, width)
      expect(response.headers).toMatchObject({ 'content-type': 'image/png', etag: `"${_id}-${width}"` })
      expect(response.rawPayload.equals(whole.rawPayload)).toBe(true)
    }
  })

  test('is not sent again to a client that has it', async () => {
    const { _id } = await upload(await createPlainImage(700, 100).png().toBuffer())
    for (const width of [undefined, '320'] as const) {
      const { headers } = await read(_id, width)
      const again = await read(_id, width, { 'if-none-match': String(headers['etag']) })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers['etag']).toBe(headers['etag'])
    }
    expect((await read(_id, '320', { 'if-none-match': `"${_id}"` })).statusCode).toBe(200)
  })

  test('is the original if no copy can be created, with its own ETag and a short lifetime', async () => {
    const bytes = Buffer.from('not really a picture, but wide')
    const _id = createHash('sha256').update(bytes).digest('hex')
    await net.context.db.insertInto('picture').values({ _id, type: 'image/webp', width: 2000, height: 1, bytes }).execute()
    const response = await read(_id, '320')
    expect(response.rawPayload.equals(bytes)).toBe(true)
    expect(response.headers).toMatchObject({ etag: `"${_id}"`, 'cache-control': 'private, max-age=60' })
  })

  test.each(['321', '0', '-1', '', '1e3', '320,640', 'x'])('is refused for an unknown width: %j', async (width) => {
    const { _id } = await upload(await createPlainImage(20, 20).png().toBuffer())
    const response = await reader.request('GET', `/api/pictures/${_id}?width=${width}`)
    expect(response.statusCode).toBe(422)
    expect(response.json().errors).toMatchObject([{ path: 'width' }])
  })

  test('of an unknown picture is not found', async () => {
    expect((await read('0'.repeat(64), '320')).statusCode).toBe(404)
  })
})
