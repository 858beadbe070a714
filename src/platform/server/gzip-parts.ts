import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, inflateRaw } from 'node:zlib'

import { freeMemory, ownsMemory, toChunks } from './compression.ts'
import { Semaphore } from './semaphore.ts'

// Builds a gzip file from parts that were compressed separately, so that a change of one part recompresses only that part (RFC 1951, RFC 1952).

/** Independently compressed bytes: their deflated form ends on a byte boundary and refers to nothing outside itself. */
export interface CompressedPart {
  readonly packed: Buffer
  /** The size before compression. */
  readonly length: number
  readonly crc: number
}

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)
const inflate = promisify<Buffer, object, Buffer>(inflateRaw)

/** libuv has four threads for this. A task that waits for one already uses a quarter of a megabyte, and a long list has a thousand parts. */
const threadPool = new Semaphore(4)

/** Larger than what zlib allocates from the shared pool of buffers, which each part would keep alive. */
const DEFLATE_CHUNK = 48 << 10

export const compressPart = (plain: Buffer): Promise<CompressedPart> =>
  threadPool.run(async () => {
    const deflated = await deflate(plain, { level: 6, finishFlush: constants.Z_FULL_FLUSH, chunkSize: DEFLATE_CHUNK })
    const packed = Buffer.allocUnsafeSlow(deflated.length)
    deflated.copy(packed)
    if (ownsMemory(deflated)) freeMemory(toChunks([deflated]))
    return { packed, length: plain.length, crc: crc32(plain) }
  })

/** Decompresses a part, which has no end marker of its own. */
export const decompressPart = ({ packed, length }: CompressedPart): Promise<Buffer> =>
  inflate(packed, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: Math.max(length + 1, DEFLATE_CHUNK) })

/** A few uncompressed bytes between parts. */
export const toStoredPart = (text: string): CompressedPart => {
  const plain = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.writeUInt16LE(plain.length, 1)
  head.writeUInt16LE(plain.length ^ 0xff_ff, 3)
  return { packed: Buffer.concat([head, plain]), length: plain.length, crc: crc32(plain) }
}

const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block. */
const LAST = Buffer.from([0x03, 0x00])

/** The gzip file of the parts in order, as chunks. */
export const buildGzip = (parts: readonly CompressedPart[]): Buffer[] => {
  let crc = 0
  let length = 0
  for (const part of parts) {
    crc = combineCrc(crc, part.crc, part.length)
    length += part.length
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc, 0)
  tail.writeUInt32LE(length % 2 ** 32, 4)
  return [HEAD, ...parts.map(({ packed }) => packed), LAST, tail]
}

const POLYNOMIAL = 0xed_b8_83_20

/** The product of two polynomials modulo CRC-32's, in reflected bit order. */
const multiplyPolynomials = (a: number, b: number): number => {
  let sum = 0
  let factor = b
  for (let bit = 1 << 31; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= factor
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL
  }
  return sum >>> 0
}

/** x to the power of eight times two to the power of the index: the effect of that many further bytes on a checksum. */
const shifts: number[] = [0x00_80_00_00]

/** The checksum of two concatenated byte sequences, from the checksum of each and the length of the second. */
const combineCrc = (first: number, second: number, secondLength: number): number => {
  let crc = first
  for (let at = 0, remaining = secondLength; remaining > 0; at++, remaining = Math.floor(remaining / 2)) {
    const shift = (shifts[at] ??= multiplyPolynomials(shifts[at - 1] ?? 0, shifts[at - 1] ?? 0))
    if (remaining % 2 === 1) crc = multiplyPolynomials(shift, crc)
  }
  return (crc ^ second) >>> 0
}
