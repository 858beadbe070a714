import { constants, crc32, createDeflateRaw, createInflateRaw, type DeflateRaw, type InflateRaw } from 'node:zlib'

import { Semaphore } from './semaphore.ts'

// Builds a gzip file from parts that were compressed separately, so that a change of one part recompresses only that part (RFC 1951, RFC 1952).

/** Independently compressed bytes: their deflated form ends on a byte boundary and refers to nothing outside itself. */
export interface CompressedPart {
  readonly packed: Buffer
  /** The size before compression. */
  readonly length: number
  readonly crc: number
  /** The effect of its bytes on the checksum of what is before them. */
  readonly shift: number
}

/** A part that is larger than its buffer is returned in several chunks. */
const CHUNK_BYTES = 64 << 10

/**
 * One stream that packs or unpacks part after part. Creating a stream for each part would cost more than packing it: zlib allocates a quarter of a
 * megabyte, which goes back to the system right after.
 */
class PartStream {
  readonly #stream: DeflateRaw | InflateRaw
  readonly #chunks: Buffer[] = []
  #fail: (error: Error) => void = () => {}

  constructor(stream: DeflateRaw | InflateRaw) {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    stream.on('error', (error) => this.#fail(error))
  }

  get isUsable(): boolean {
    return !this.#stream.destroyed
  }

  /** The result is a copy: the stream's own buffers are shared by several parts. */
  run(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#fail = reject
      this.#stream.write(bytes, () => {
        const length = this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0)
        const result = Buffer.allocUnsafeSlow(length)
        let at = 0
        for (const chunk of this.#chunks.splice(0)) at += chunk.copy(result, at)
        resolve(result)
      })
    })
  }
}

/** Runs parts one after the other. */
const createLane = (create: () => DeflateRaw | InflateRaw): ((bytes: Buffer) => Promise<Buffer>) => {
  const semaphore = new Semaphore(1)
  let stream: PartStream | undefined
  return (bytes) =>
    semaphore.run(() => {
      if (!stream?.isUsable) stream = new PartStream(create())
      return stream.run(bytes)
    })
}

const pack = createLane(() => createDeflateRaw({ level: 3, flush: constants.Z_FULL_FLUSH, chunkSize: CHUNK_BYTES }))
const unpack = createLane(() => createInflateRaw({ flush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES }))

/** Compresses bytes that do not change until it resolves. */
export const compressPart = async (plain: Buffer): Promise<CompressedPart> => ({
  packed: await pack(plain),
  ...toSum(plain),
})

/** Decompresses a part, which has no end marker of its own. */
export const decompressPart = ({ packed }: Pick<CompressedPart, 'packed'>): Promise<Buffer> => unpack(packed)

/** A few uncompressed bytes between parts. */
export const toStoredPart = (text: string): CompressedPart => {
  const plain = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.writeUInt16LE(plain.length, 1)
  head.writeUInt16LE(plain.length ^ 0xff_ff, 3)
  return { packed: Buffer.concat([head, plain]), ...toSum(plain) }
}

const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block. */
const LAST = Buffer.from([0x03, 0x00])

/** The gzip file of the parts in order, as chunks. */
export const buildGzip = (parts: readonly CompressedPart[]): Buffer[] => {
  let crc = 0
  let length = 0
  for (const part of parts) {
    crc = (multiplyPolynomials(part.shift, crc) ^ part.crc) >>> 0
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

const getShift = (length: number): number => {
  let shift = 1 << 31 // one, in reflected bit order
  for (let at = 0, remaining = length; remaining > 0; at++, remaining = Math.floor(remaining / 2)) {
    const power = (shifts[at] ??= multiplyPolynomials(shifts[at - 1] ?? 0, shifts[at - 1] ?? 0))
    if (remaining % 2 === 1) shift = multiplyPolynomials(power, shift)
  }
  return shift >>> 0
}

const toSum = (plain: Buffer): Omit<CompressedPart, 'packed'> => ({
  length: plain.length,
  crc: crc32(plain),
  shift: getShift(plain.length),
})
