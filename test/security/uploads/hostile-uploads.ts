import { deflateRawSync, deflateSync } from 'node:zlib'

import { MAX_PICTURE_BYTES, uploadPicture } from '../../../src/features/record-tools/pictures/contract.ts'
import { createPixelBomb, createNoisyImage, createPngChunk, createIcon, createPlainImage } from '../../support/pictures.ts'

/** Uploads designed to harm the server, or people who view the picture later. */
export interface HostileUpload {
  readonly what: string
  /** The request body, with its headers except authentication. */
  readonly make: () => Promise<Sent> | Sent
  /** Accepted only after conversion: nothing relevant of the original bytes may remain. */
  readonly mayBeKept?: true
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const BOUNDARY = 'homeroom-hostile'
const TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const SCRIPT = '<script>alert(document.domain)</script>'
const PHP = '<?php system($_GET["c"]); ?>'
/** Texts that must not remain in an accepted picture. */
export const FORBIDDEN_TEXTS: readonly string[] = ['<script', '<?php', 'alert(', 'GPSLatitude', 'onload']

interface Part {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  readonly bytes: Buffer | string
  readonly heads?: string
}

const partOf = ({ name = uploadPicture.upload.field, filename = 'photo.png', type = 'image/png', bytes, heads = '' }: Part): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n${heads}\r\n`,
    ),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
const END = Buffer.from(`--${BOUNDARY}--\r\n`)
const form = (...parts: readonly Part[]): Sent => ({ headers: TYPE, body: Buffer.concat([...parts.map(partOf), END]) })
const one = (part: Part) => (): Sent => form(part)

const jpeg = (): Promise<Buffer> => createPlainImage(60, 40).jpeg().toBuffer()
/** Compressed less than by our encoder, so that a re-encoded picture differs. */
const png = (): Promise<Buffer> => createPlainImage(60, 40).png({ compressionLevel: 1 }).toBuffer()

/** A segment of a JPEG after its first two bytes: a comment (FE), or application data. */
const withSegment = (bytes: Buffer, marker: number, text: string): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([bytes.subarray(0, 2), head, Buffer.from(text), bytes.subarray(2)])
}
/** A chunk of a PNG after its header. */
const withChunk = (bytes: Buffer, name: string, data: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 33), createPngChunk(name, data), bytes.subarray(33)])

/** An icon whose image starts like a PNG of 16 by 16 and continues with garbage. */
const iconOfGarbage = (): Buffer => {
  const image = Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex'),
    Buffer.from(SCRIPT + PHP),
  ])
  const bytes = Buffer.concat([createIcon().subarray(0, 22), image])
  bytes.writeUInt32LE(image.length, 14)
  return bytes
}
/** A valid icon whose image is a PNG with a text in it. */
const iconOfPng = async (): Promise<Buffer> => {
  const image = withChunk(await createPlainImage(16, 16).png({ compressionLevel: 1 }).toBuffer(), 'tEXt', Buffer.from(`Comment\0${SCRIPT}`))
  const bytes = Buffer.concat([createIcon().subarray(0, 22), image])
  bytes.writeUInt32LE(image.length, 14)
  return bytes
}

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

/** An animated PNG that claims to have four billion frames. */
const endlessAnimation = async (): Promise<Buffer> => withChunk(await png(), 'acTL', Buffer.from('ffffffff00000000', 'hex'))

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`

/** More than twenty malicious uploads. */
export const HOSTILE_UPLOADS: readonly HostileUpload[] = [
  { what: 'an SVG with a script', make: one({ filename: 'a.svg', type: 'image/svg+xml', bytes: SVG }) },
  { what: 'an SVG that says it is a PNG', make: one({ bytes: SVG }) },
  { what: 'a page of HTML', make: one({ filename: 'a.html', type: 'text/html', bytes: `<!doctype html>${SCRIPT}` }) },
  {
    what: 'a GIF that is JavaScript as well',
    make: one({ filename: 'a.js.gif', type: 'image/gif', bytes: 'GIF89a/*\u0001\u0001\u0000*/=1;alert(1)' }),
  },
  { what: 'a JPEG with HTML in a comment', mayBeKept: true, make: async () => form({ bytes: withSegment(await jpeg(), 0xfe, SCRIPT) }) },
  { what: 'a JPEG with a script in its EXIF', mayBeKept: true, make: async () => form({ bytes: await createPlainImage(60, 40).withExif({ IFD0: { ImageDescription: SCRIPT, Copyright: PHP }, IFD3: { GPSLatitude: '34/1 3/1 0/1' } }).jpeg().toBuffer() }) }, // prettier-ignore
  { what: 'a JPEG with a script in its XMP', mayBeKept: true, make: async () => form({ bytes: withSegment(await jpeg(), 0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${SCRIPT}</x:xmpmeta>`) }) }, // prettier-ignore
  { what: 'a PNG with PHP and HTML behind its end', mayBeKept: true, make: async () => form({ filename: 'a.php', bytes: Buffer.concat([await png(), Buffer.from(PHP + SCRIPT)]) }) }, // prettier-ignore
  { what: 'a PNG with a script in a text chunk', mayBeKept: true, make: async () => form({ bytes: withChunk(await png(), 'tEXt', Buffer.from(`Comment\0${SCRIPT}`)) }) }, // prettier-ignore
  { what: 'a PNG whose compressed text is 30 MB', mayBeKept: true, make: async () => form({ bytes: withChunk(await png(), 'zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(30_000_000))])) }) }, // prettier-ignore
  { what: 'a PNG of 30,000 by 30,000 pixels', make: one({ bytes: createPixelBomb() }) },
  { what: 'an animated PNG of four billion pictures', mayBeKept: true, make: async () => form({ bytes: await endlessAnimation() }) },
  {
    what: 'a cut JPEG',
    make: async () => form({ type: 'image/jpeg', bytes: (await createNoisyImage(300, 300).jpeg().toBuffer()).subarray(0, 20_000) }),
  },
  { what: 'a path for a name', mayBeKept: true, make: async () => form({ filename: '../../../../etc/cron.d/x.png', bytes: await png() }) },
  { what: 'a name with NUL and a line break', mayBeKept: true, make: async () => form({ filename: 'a.png\u0000.php%0d%0aX-Evil: 1', bytes: await png() }) }, // prettier-ignore
  { what: 'a name of 300 characters', mayBeKept: true, make: async () => form({ filename: `${'x'.repeat(296)}.png`, bytes: await png() }) },
  {
    what: 'a PNG that says it is a page',
    mayBeKept: true,
    make: async () => form({ filename: 'a.html', type: 'text/html', bytes: await png() }),
  },
  { what: 'an empty file', make: one({ bytes: '' }) },
  { what: 'one byte more than 10 MB', make: one({ bytes: Buffer.alloc(MAX_PICTURE_BYTES + 1) }) },
  { what: 'a ZIP that says it unpacks to 4 GB', make: one({ filename: 'a.zip', type: 'application/zip', bytes: zipBomb() }) },
  { what: 'an icon with garbage for a PNG', make: one({ filename: 'favicon.ico', type: 'image/x-icon', bytes: iconOfGarbage() }) },
  { what: 'an icon of a PNG with a script in it', mayBeKept: true, make: async () => form({ filename: 'favicon.ico', type: 'image/x-icon', bytes: await iconOfPng() }) }, // prettier-ignore
  { what: 'two files in one form', make: async () => form({ bytes: await png() }, { bytes: await png() }) },
  { what: 'a file under another field', make: async () => form({ name: 'photo', bytes: await png() }) },
  { what: 'a field called __proto__', make: async () => form({ name: '__proto__', bytes: 'x' }, { bytes: await png() }) },
  { what: 'a form of 10,000 parts', make: () => form(...Array.from({ length: 10_000 }, (_, n) => ({ name: `p${n}`, bytes: 'x' }))) },
  { what: 'a part of 10,000 headers', make: one({ heads: 'X-Evil: 1\r\n'.repeat(10_000), bytes: SVG }) },
  { what: 'a part with a header of 1 MB', make: one({ heads: `X-Evil: ${'1'.repeat(1_000_000)}\r\n`, bytes: SVG }) },
  { what: 'another boundary than was said', make: async () => ({ ...form({ bytes: await png() }), headers: { 'content-type': 'multipart/form-data; boundary=another' } }) }, // prettier-ignore
  { what: 'no boundary', make: async () => ({ ...form({ bytes: await png() }), headers: { 'content-type': 'multipart/form-data' } }) },
  { what: 'a form without an end', make: async () => ({ headers: TYPE, body: partOf({ bytes: await png() }) }) },
  { what: 'a form within the form', make: one({ type: 'multipart/mixed; boundary=inner', bytes: `--inner\r\nContent-Type: image/png\r\n\r\n${SVG}\r\n--inner--` }) }, // prettier-ignore
]
