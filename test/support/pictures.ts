import { crc32, deflateSync } from 'node:zlib'

import sharp from 'sharp'

/** Incompressible bytes, the same in each run. */
const noise = (length: number): Buffer => {
  let seed = 7
  return Buffer.from(Array.from({ length }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16))
}

export const createPlainImage = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c86432' } })
export const createNoisyImage = (width: number, height: number) => sharp(noise(width * height * 3), { raw: { width, height, channels: 3 } })

export const createFile = (bytes: Uint8Array | string, name = 'photo.jpg', type = 'image/jpeg'): File =>
  new File([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)], name, { type })
/** An icon with one bitmap. */
export const createIcon = (): Buffer => {
  const bytes = Buffer.alloc(6 + 16 + 40 + 16 * 16 * 4)
  bytes.writeUInt16LE(1, 2)
  bytes.writeUInt16LE(1, 4)
  bytes.writeUInt32LE(bytes.length - 22, 14)
  bytes.writeUInt32LE(22, 18)
  bytes.writeUInt32LE(40, 22)
  bytes.writeInt32LE(16, 26)
  bytes.writeInt32LE(32, 30)
  return bytes
}

/** A PNG chunk with its checksum. */
export const createPngChunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A few bytes that claim to be 30,000 by 30,000 pixels. */
export const createPixelBomb = (): Buffer => {
  const head = Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0])
  const data = deflateSync(Buffer.alloc(1_000_000))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    createPngChunk('IHDR', head),
    createPngChunk('IDAT', data),
    createPngChunk('IEND', Buffer.alloc(0)),
  ])
}
