import { createHash } from 'node:crypto'

import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'

import { network, type SignedInCaller } from '../../../../test/support/app.ts'
import { measureComparableCpu } from '../../../../test/support/cpu-time.ts'
import { createPixelBomb, createNoisyImage, createFile, createIcon, createPlainImage } from '../../../../test/support/pictures.ts'
import {
  DAMAGED,
  MAX_PICTURE_BYTES,
  readPicture,
  TOO_LARGE,
  TOO_MANY_PIXELS,
  uploadPicture,
  WRONG_TYPE,
} from '../../../contract/pictures.ts'
import { readSite, updateSite } from '../../../records/sites/contract.ts'

type Net = Awaited<ReturnType<typeof network>>

let net: Net
let administrator: SignedInCaller
let reader: SignedInCaller
beforeAll(async () => {
  net = await network()
  administrator = net.as(6)
  reader = net.as(10)
})

const upload = (bytes: Uint8Array | string, name?: string, type?: string) =>
  administrator.trySend(uploadPicture, { file: createFile(bytes, name, type) })
const uploadBytes = async (bytes: Uint8Array, name?: string) => administrator.send(uploadPicture, { file: createFile(bytes, name) })
const read = (_id: string, width?: '320') =>
  reader.trySend(readPicture, { params: { id: _id }, query: width === undefined ? {} : { width } })
const pictures = async (): Promise<number> =>
  Number(
    (
      await net.context.db
        .selectFrom('picture')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

/** A multipart form of these parts; text is a plain field. */
const form = (...parts: readonly (readonly [name: string, value: File | string])[]): FormData => {
  const formData = new FormData()
  for (const [name, value] of parts) formData.append(name, value)
  return formData
}
const sendForm = (payload: FormData) => administrator.request('POST', uploadPicture.path, { payload })
const errorsOf = (response: { json: () => { errors?: { path: string; message: string }[] } }): string[] =>
  (response.json().errors ?? []).map(({ path, message }) => `${path}: ${message}`)

describe('a stored picture', () => {
  test.each(['jpeg', 'png'] as const)('is returned with its id, address and size, and is still a %s', async (format) => {
    const answer = await uploadBytes(await createPlainImage(400, 250).toFormat(format).toBuffer())
    expect(answer).toEqual({ _id: expect.stringMatching(/^[0-9a-f]{64}$/), url: `/api/pictures/${answer._id}`, width: 400, height: 250 })
    const picture = await read(answer._id)
    expect(picture.headers).toMatchObject({ 'content-type': `image/${format}`, 'x-content-type-options': 'nosniff' })
    expect(createHash('sha256').update(picture.rawPayload).digest('hex')).toBe(answer._id)
    expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ format, width: 400, height: 250 })
  })

  test('is stored once, however often it is uploaded', async () => {
    const bytes = await createPlainImage(31, 17).png().toBuffer()
    const first = await uploadBytes(bytes)
    const count = await pictures()
    expect(await uploadBytes(bytes, 'again.png')).toEqual(first)
    expect(await pictures()).toBe(count)
  })

  test('has no metadata', async () => {
    const secret = 'Taken at home'
    const bytes = await createNoisyImage(64, 64)
      .withExif({ IFD0: { ImageDescription: secret, Copyright: secret }, IFD3: { GPSLatitude: '36/1 52/1 0/1' } })
      .withIccProfile('p3')
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
      .jpeg()
      .toBuffer()
    expect(bytes.includes(secret)).toBe(true)
    const { rawPayload } = await read((await uploadBytes(bytes))._id)
    expect(rawPayload.includes(secret)).toBe(false)
    const { exif, icc, xmp, iptc } = await sharp(rawPayload).metadata()
    expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined])
  })

  test('is rotated by its orientation tag', async () => {
    // The image is stored rotated: its left half is the upper half here.
    const bytes = await createPlainImage(200, 100)
      .composite([
        {
          input: await sharp({ create: { width: 100, height: 100, channels: 3, background: '#0000ff' } })
            .png()
            .toBuffer(),
          left: 0,
          top: 0,
        },
      ]) // prettier-ignore
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const answer = await uploadBytes(bytes)
    expect(answer).toMatchObject({ width: 100, height: 200 })
    const { data } = await sharp((await read(answer._id)).rawPayload)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const blueAt = (y: number): number => data[(y * 100 + 50) * 3 + 2] ?? 0
    expect(blueAt(20)).toBeGreaterThan(200)
    expect(blueAt(180)).toBeLessThan(100)
  })

  test('is at most 2560 pixels on its longer side', async () => {
    expect(await uploadBytes(await createPlainImage(4000, 1000).jpeg().toBuffer())).toMatchObject({ width: 2560, height: 640 })
    expect(await uploadBytes(await createPlainImage(1000, 4000).png().toBuffer())).toMatchObject({ width: 640, height: 2560 })
  })

  test('has no data after its end', async () => {
    const script = '<script>alert(document.domain)</script>'
    for (const format of ['jpeg', 'png'] as const) {
      const bytes = Buffer.concat([await createNoisyImage(40, 40).toFormat(format).toBuffer(), Buffer.from(script)])
      expect((await read((await uploadBytes(bytes))._id)).rawPayload.includes('script')).toBe(false)
    }
  })

  test.each(['../../../etc/passwd', '..\\..\\x.png', 'a\u0000.png', '<script>.png', 'x'.repeat(300)])('may be named %j', async (name) => {
    const answer = await uploadBytes(await createPlainImage(20, 20).png().toBuffer(), name)
    expect(answer.url).toBe(`/api/pictures/${answer._id}`)
  })

  test('is recognized by its content: a PNG named as a JPEG is a PNG', async () => {
    const { _id } = await uploadBytes(await createPlainImage(21, 20).png().toBuffer(), 'photo.jpg')
    expect((await read(_id)).headers['content-type']).toBe('image/png')
  })

  test('is an icon unchanged', async () => {
    const answer = await uploadBytes(createIcon(), 'favicon.ico')
    expect(answer).toMatchObject({ width: 16, height: 16 })
    for (const width of [undefined, '320'] as const) {
      const response = await read(answer._id, width)
      expect(response.headers['content-type']).toBe('image/x-icon')
      expect(response.rawPayload.equals(createIcon())).toBe(true)
    }
  })

  test('is a site’s photo after the site is saved with its id', async () => {
    const { _id, url } = await uploadBytes(await createPlainImage(80, 50).jpeg().toBuffer())
    await administrator.send(updateSite, { params: { id: net.site._id }, body: { photo: _id } })
    expect((await reader.send(readSite, { params: { slug: net.site._id } })).photo).toBe(url)
  })
})

describe('an upload is refused', () => {
  test.each(['png', 'jpeg'] as const)('if a small %s declares many pixels, before they are decoded', async (format) => {
    const bytes = await createPlainImage(5000, 4000)
      .toColorspace('b-w')
      .toFormat(format, { quality: 1, palette: format === 'png' })
      .toBuffer()
    expect(bytes.length).toBeLessThan(300_000)
    const ms = await measureComparableCpu(async () => {
      const response = await sendForm(form(['file', new File([bytes], 'a')]))
      expect(errorsOf(response)).toEqual([expect.stringContaining('far more pixels than its file size')])
    })
    expect(ms, 'milliseconds of CPU time').toBeLessThan(100)
  })

  test('that is larger than 10 MB', async () => {
    // The largest allowed file: it is examined, and is not a picture.
    expect((await upload(Buffer.alloc(MAX_PICTURE_BYTES))).statusCode).toBe(415)
    for (const bytes of [Buffer.alloc(MAX_PICTURE_BYTES + 1), Buffer.alloc(MAX_PICTURE_BYTES + 1_000_000)]) {
      const response = await upload(bytes)
      expect(response.statusCode).toBe(413)
      expect(response.json()).toMatchObject({ title: TOO_LARGE, status: 413 })
      expect(response.json().title).toContain('File size exceeds 10MB')
    }
  })

  test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['a GIF named .png', () => createPlainImage(20, 20).gif().toBuffer()],
    ['a WebP', () => createPlainImage(20, 20).webp().toBuffer()],
    ['a TIFF', () => createPlainImage(20, 20).tiff().toBuffer()],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['an SVG with an XML declaration', () => Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%\u00e2\u00e3')],
    [
      'HTML followed by a JPEG',
      async () => Buffer.concat([Buffer.from('<script></script>'), await createPlainImage(20, 20).jpeg().toBuffer()]),
    ],
    [
      'a GIF followed by a JPEG',
      async () => Buffer.concat([await createPlainImage(9, 9).gif().toBuffer(), await createPlainImage(20, 20).jpeg().toBuffer()]),
    ],
  ])('%s', async (_what, bytes) => {
    const count = await pictures()
    const response = await upload(await bytes(), 'photo.png', 'image/png')
    expect(response.statusCode).toBe(415)
    expect(response.json().title).toBe('Invalid file type. Please upload a .jpg, .jpeg, .png, or .ico file.')
    expect(WRONG_TYPE).toBe(response.json().title)
    expect(await pictures()).toBe(count)
  })

  test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['a truncated JPEG', async () => (await createNoisyImage(300, 300).jpeg().toBuffer()).subarray(0, 20_000)],
    ['a JPEG without its end', async () => (await createNoisyImage(300, 300).jpeg().toBuffer()).subarray(0, -400)],
    ['the beginning of a JPEG', async () => (await createNoisyImage(300, 300).jpeg().toBuffer()).subarray(0, 100)],
    ['a truncated PNG', async () => (await createNoisyImage(300, 300).png().toBuffer()).subarray(0, 20_000)],
    ['a PNG without its end', async () => (await createNoisyImage(300, 300).png().toBuffer()).subarray(0, -400)],
    [
      'a PNG with a wrong byte',
      async () => ((bytes) => (bytes.writeUInt32BE(1, 9000), bytes))(await createNoisyImage(300, 300).png().toBuffer()),
    ],
    ['an icon with data after it', () => Buffer.concat([createIcon(), Buffer.from('<script>alert(1)</script>')])],
    ['a truncated icon', () => createIcon().subarray(0, 200)],
  ])('%s', async (_what, bytes) => {
    const count = await pictures()
    const response = await upload(await bytes())
    expect(response.statusCode).toBe(422)
    expect(errorsOf(response)).toEqual([`file: ${DAMAGED}`])
    expect(await pictures()).toBe(count)
  })

  test('that has more than 50 million pixels, without decoding', async () => {
    const bomb = createPixelBomb()
    const ms = await measureComparableCpu(async () => {
      const response = await upload(bomb, 'bomb.png')
      expect(response.statusCode).toBe(422)
      expect(errorsOf(response)).toEqual([`file: ${TOO_MANY_PIXELS}`])
    })
    expect(ms, 'milliseconds of CPU time').toBeLessThan(1000)
  })

  test('if the form has no file, several files, or other fields', async () => {
    const picture = createFile(await createPlainImage(20, 20).png().toBuffer())
    expect(errorsOf(await sendForm(form()))).toEqual(['file: Choose a file'])
    expect(errorsOf(await sendForm(form(['file', createFile('', '')])))).toEqual(['file: Choose a file'])
    expect(errorsOf(await sendForm(form(['file', 'text'])))).toEqual(['file: Choose a file'])
    expect(errorsOf(await sendForm(form(['file', picture], ['file', picture])))).toEqual(['file: Choose one file, not several'])
    expect(errorsOf(await sendForm(form(['photo', picture])))).toEqual(['photo: Unknown field', 'file: Choose a file'])
    for (const parts of [
      [
        ['file', picture],
        ['_id', 'mine'],
      ],
      [
        ['_id', 'mine'],
        ['file', picture],
      ],
    ] as const) {
      const response = await sendForm(form(...parts))
      expect(response.statusCode).toBe(422)
      expect(errorsOf(response)).toEqual(['_id: Unknown field'])
    }
    expect((await sendForm(form(['constructor', 'x'], ['file', picture]))).statusCode).toBe(422)
  })

  test('if it is not a form', async () => {
    const json = await administrator.request('POST', uploadPicture.path, { payload: { file: 'x' } })
    expect(json.statusCode).toBe(415)
    expect(json.json().detail).toContain('multipart/form-data')
    expect((await administrator.request('POST', uploadPicture.path)).statusCode).toBe(415)
    for (const type of ['image/png', 'multipart/mixed; boundary=x', 'text/plain'])
      expect(
        (await administrator.request('POST', uploadPicture.path, { payload: 'x', headers: { 'content-type': type } })).statusCode,
      ).toBe(415)
  })

  test('if the form is invalid', async () => {
    for (const [type, payload] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=x', 'no boundary at all'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nand no end'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/json\r\n\r\n{\r\n--x--',
      ],
    ] as const) {
      const response = await administrator.request('POST', uploadPicture.path, { payload, headers: { 'content-type': type } })
      expect([400, 422]).toContain(response.statusCode)
    }
  })

  test('if it is a form for a JSON call', async () => {
    const response = await administrator.request('PATCH', `/locations-api/sites/${net.site._id}`, { payload: form(['name', 'x']) })
    expect(response.statusCode).toBe(415)
    expect(response.json().title).toBe('Only JSON is supported')
  })

  test('if the caller may not edit a site, before its body is read', async () => {
    const picture = createFile(await createPlainImage(77, 78).png().toBuffer())
    const count = await pictures()
    expect((await net.as(7).trySend(uploadPicture, { file: picture })).statusCode).toBe(403)
    expect((await net.anonymous.trySend(uploadPicture, { file: picture })).statusCode).toBe(401)
    const tooLarge = createFile(Buffer.alloc(MAX_PICTURE_BYTES + 1))
    expect((await net.as(7).trySend(uploadPicture, { file: tooLarge })).statusCode).toBe(403)
    expect(await pictures()).toBe(count)
  })
})

test('an upload that is too large gets its response before its end', async () => {
  // Uses a real connection, where a response sent before the end of the upload can be lost.
  const address = await net.app.listen({ port: 0, host: new URL(net.context.configuration.publicUrl).hostname })
  const sent = async (headers: Record<string, string>, length: number): Promise<number> => {
    const response = await fetch(`${address}${uploadPicture.path}`, {
      method: 'POST',
      headers,
      body: form(['file', createFile(Buffer.alloc(length))]),
    })
    await response.text()
    return response.status
  }
  const mine = await administrator.headers()
  expect(await sent(mine, 30_000_000)).toBe(413)
  expect(await sent(mine, MAX_PICTURE_BYTES + 1)).toBe(413)
  expect(await sent(await net.as(7).headers(), 30_000_000)).toBe(403)
  expect(await sent({}, 30_000_000)).toBe(401)
  expect(await sent(mine, 1000)).toBe(415)
})

test('concurrent uploads are all stored', async () => {
  const sent = await Promise.all(
    Array.from({ length: 8 }, async (_, at) =>
      uploadBytes(
        await createPlainImage(500 + at, 400)
          .jpeg()
          .toBuffer(),
      ),
    ),
  )
  expect(sent.map(({ width }) => width)).toEqual([500, 501, 502, 503, 504, 505, 506, 507])
})
