import { deflateRawSync, deflateSync } from 'node:zlib'

import { MAX_PICTURE_BYTES, uploadPicture } from '../../../src/contract/pictures.ts'
import { createPixelBomb, createNoisyImage, createPngChunk, createIcon, createPlainImage } from '../../support/pictures.ts'

/** A request body, with its headers except authentication. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const BOUNDARY = 'homeroom-hostile'
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const SCRIPT = '<script>alert(document.domain)</script>'
const PHP = '<?php system($_GET["c"]); ?>'
/** Texts that must not remain in an accepted picture. */
export const FORBIDDEN_TEXTS: readonly string[] = ['<script', '<?php', 'alert(', 'GPSLatitude', 'onload']

/** One part of a form: a PNG unless it says otherwise. */
interface Part {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  readonly bytes?: Bytes | (() => Bytes | Promise<Bytes>)
  readonly heads?: string
}
type Bytes = Buffer | string

/** Compressed less than by our encoder, so that a re-encoded picture differs. */
const png = (): Promise<Buffer> => createPlainImage(60, 40).png({ compressionLevel: 1 }).toBuffer()

const partOf = async (part: Part): Promise<Buffer> => {
  const { name = uploadPicture.upload.field, filename = 'photo.png', type = 'image/png', bytes = png, heads = '' } = part
  const disposition = `Content-Disposition: form-data; name="${name}"; filename="${filename}"`
  const head = Buffer.from(`--${BOUNDARY}\r\n${disposition}\r\nContent-Type: ${type}\r\n${heads}\r\n`)
  return Buffer.concat([head, Buffer.from(typeof bytes === 'function' ? await bytes() : bytes), Buffer.from('\r\n')])
}
const END = Buffer.from(`--${BOUNDARY}--\r\n`)
const form =
  (...parts: readonly Part[]) =>
  async (): Promise<Sent> => ({ headers: TYPE, body: Buffer.concat([...(await Promise.all(parts.map(partOf))), END]) })

/** A JPEG with a segment after its first two bytes: a comment (FE), or application data. */
const jpegWithSegment = async (marker: number, text: string): Promise<Buffer> => {
  const bytes = await createPlainImage(60, 40).jpeg().toBuffer()
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([bytes.subarray(0, 2), head, Buffer.from(text), bytes.subarray(2)])
}
/** A PNG with a chunk after its header. */
const withChunk = (bytes: Buffer, name: string, data: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 33), createPngChunk(name, data), bytes.subarray(33)])
const pngWithChunk = async (name: string, data: Buffer): Promise<Buffer> => withChunk(await png(), name, data)
const COMMENT = Buffer.from(`Comment\0${SCRIPT}`)

/** An icon with one image. */
const iconOf = (image: Buffer): Buffer => {
  const bytes = Buffer.concat([createIcon().subarray(0, 22), image])
  bytes.writeUInt32LE(image.length, 14)
  return bytes
}
/** An icon whose image starts like a PNG of 16 by 16 and continues with garbage. */
const iconOfGarbage = (): Buffer => {
  const start = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex')
  return iconOf(Buffer.concat([start, Buffer.from(SCRIPT + PHP)]))
}
/** A valid icon whose image is a PNG with a text in it. */
const iconOfPng = async (): Promise<Buffer> =>
  iconOf(withChunk(await createPlainImage(16, 16).png({ compressionLevel: 1 }).toBuffer(), 'tEXt', COMMENT))

/** A ZIP with one entry that claims to be 4 GB. */
const zipBomb = (): Buffer => {
  const data = deflateRawSync(Buffer.alloc(5_000_000))
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(data.length, 18)
  head.writeUInt32LE(0xffff_ffff, 22)
  head.writeUInt16LE(5, 26)
  return Buffer.concat([head, Buffer.from('a.png'), data])
}

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`
const EXIF = { IFD0: { ImageDescription: SCRIPT, Copyright: PHP }, IFD3: { GPSLatitude: '34/1 3/1 0/1' } }
const XMP = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SCRIPT}</x:xmpmeta>`
const buildLongComment = () => Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(30_000_000))])
const GIF = { filename: 'a.js.gif', type: 'image/gif', bytes: 'GIF89a/*\u0001\u0001\u0000*/=1;alert(1)' }
const ICON = { filename: 'favicon.ico', type: 'image/x-icon' }
const MIXED = { type: 'multipart/mixed; boundary=inner', bytes: `--inner\r\nContent-Type: image/png\r\n\r\n${SVG}\r\n--inner--` }

/** Uploads to refuse, by what they are. */
const REFUSED: Readonly<Record<string, () => Promise<Sent>>> = {
  'an SVG with a script': form({ filename: 'a.svg', type: 'image/svg+xml', bytes: SVG }),
  'an SVG that says it is a PNG': form({ bytes: SVG }),
  'a page of HTML': form({ filename: 'a.html', type: 'text/html', bytes: `<!doctype html>${SCRIPT}` }),
  'a GIF that is JavaScript as well': form(GIF),
  'a PNG of 30,000 by 30,000 pixels': form({ bytes: createPixelBomb }),
  'a cut JPEG': form({ type: 'image/jpeg', bytes: async () => (await createNoisyImage(300, 300).jpeg().toBuffer()).subarray(0, 20_000) }),
  'an empty file': form({ bytes: '' }),
  'one byte more than 10 MB': form({ bytes: () => Buffer.alloc(MAX_PICTURE_BYTES + 1) }),
  'a ZIP that says it unpacks to 4 GB': form({ filename: 'a.zip', type: 'application/zip', bytes: zipBomb }),
  'an icon with garbage for a PNG': form({ ...ICON, bytes: iconOfGarbage }),
  'two files in one form': form({}, {}),
  'a file under another field': form({ name: 'photo' }),
  'a field called __proto__': form({ name: '__proto__', bytes: 'x' }, {}),
  'a form of 10,000 parts': form(...Array.from({ length: 10_000 }, (_, n) => ({ name: `p${n}`, bytes: 'x' }))),
  'a part of 10,000 headers': form({ heads: 'X-Evil: 1\r\n'.repeat(10_000), bytes: SVG }),
  'a part with a header of 1 MB': form({ heads: `X-Evil: ${'1'.repeat(1_000_000)}\r\n`, bytes: SVG }),
  'another boundary than was said': async () => ({
    ...(await form({})()),
    headers: { 'content-type': 'multipart/form-data; boundary=another' },
  }),
  'no boundary': async () => ({ ...(await form({})()), headers: { 'content-type': 'multipart/form-data' } }),
  'a form without an end': async () => ({ headers: TYPE, body: await partOf({}) }),
  'a form within the form': form(MIXED),
}
/** Uploads accepted only after conversion: nothing relevant of the original bytes may remain. */
const KEPT: typeof REFUSED = {
  'a JPEG with HTML in a comment': form({ bytes: () => jpegWithSegment(0xfe, SCRIPT) }),
  'a JPEG with a script in its EXIF': form({ bytes: () => createPlainImage(60, 40).withExif(EXIF).jpeg().toBuffer() }),
  'a JPEG with a script in its XMP': form({ bytes: () => jpegWithSegment(0xe1, XMP) }),
  'a PNG with PHP and HTML behind its end': form({
    filename: 'a.php',
    bytes: async () => Buffer.concat([await png(), Buffer.from(PHP + SCRIPT)]),
  }),
  'a PNG with a script in a text chunk': form({ bytes: () => pngWithChunk('tEXt', COMMENT) }),
  'a PNG whose compressed text is 30 MB': form({ bytes: () => pngWithChunk('zTXt', buildLongComment()) }),
  'an animated PNG of four billion pictures': form({ bytes: () => pngWithChunk('acTL', Buffer.from('ffffffff00000000', 'hex')) }),
  'a path for a name': form({ filename: '../../../../etc/cron.d/x.png' }),
  'a name with NUL and a line break': form({ filename: 'a.png\u0000.php%0d%0aX-Evil: 1' }),
  'a name of 300 characters': form({ filename: `${'x'.repeat(296)}.png` }),
  'a PNG that says it is a page': form({ filename: 'a.html', type: 'text/html' }),
  'an icon of a PNG with a script in it': form({ ...ICON, bytes: iconOfPng }),
}
/** Uploads designed to harm the server, or people who view the picture later. */
export const HOSTILE_UPLOADS = [
  ...Object.entries(REFUSED).map(([what, make]) => ({ what, make, mayBeKept: false })),
  ...Object.entries(KEPT).map(([what, make]) => ({ what, make, mayBeKept: true })),
]
export type HostileUpload = (typeof HOSTILE_UPLOADS)[number]
