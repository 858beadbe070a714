import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, createBrotliCompress, createBrotliDecompress, createGunzip, createGzip, gzipSync } from 'node:zlib'

import { Semaphore } from './semaphore.ts'

/** Bytes in chunks, as they were produced: joining a long list would need twice the memory. */
export interface ByteChunks {
  readonly chunks: readonly Buffer[]
  readonly length: number
}

export type Compression = 'br' | 'gzip'
/** The encoding of a list in a response. */
export type ContentForm = Compression | 'plain'

const BIG = 1 << 20
const CHUNK = 16 << 10
const BIG_CHUNK = 1 << 20

/** Bytes that may arrive one by one, and their total size. */
export interface ChunkSource {
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>
  readonly length: number
  /** Whether these chunks have no other user, so that each can be freed once it is compressed. */
  readonly areOurs?: boolean
}

/** Bytes up to this size are compressed in less time than a thread needs to answer. */
const MAX_SYNCHRONOUS_BYTES = 32 << 10

/** Compresses a small response; undefined if it would take too long to do so between other requests. */
export const compressNow = ({ chunks, length }: ByteChunks, encoding: Compression): ByteChunks | undefined => {
  const [bytes] = chunks
  if (chunks.length !== 1 || !bytes || length > MAX_SYNCHRONOUS_BYTES) return undefined
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: length }
  return toChunks([
    encoding === 'br' ? brotliCompressSync(bytes, { params, chunkSize: CHUNK }) : gzipSync(bytes, { level: 3, chunkSize: CHUNK }),
  ])
}

/** A stream that compresses with brotli or gzip. `quality` is brotli's: 0 for streamed responses, 4 for bytes sent once, 5 for cached ones. */
const createCompressor = (encoding: Compression, quality: 0 | 4 | 5, length?: number) => {
  const chunkSize = length === undefined || length < BIG ? CHUNK : BIG_CHUNK
  return encoding === 'br'
    ? createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          ...(length === undefined ? {} : { [constants.BROTLI_PARAM_SIZE_HINT]: length }),
        },
        chunkSize,
      })
    : createGzip({ level: quality + 1, chunkSize })
}

/** Compresses a response while it is generated. */
export const createSendingCompressor = (encoding: Compression) => createCompressor(encoding, 0)

/** Several at a time would take all threads and processors, for which other responses would wait. */
const cached = new Semaphore(1)

/** Compresses bytes with brotli or gzip. */
export const compress = (source: ChunkSource, encoding: Compression, quality: 4 | 5): Promise<ByteChunks> => {
  const run = () => compressChunks(source, encoding, quality)
  return quality === 5 ? cached.run(run) : run()
}

const compressChunks = async (
  { chunks, length, areOurs = false }: ChunkSource,
  encoding: Compression,
  quality: 4 | 5,
): Promise<ByteChunks> => {
  const compressor = createCompressor(encoding, quality, length)
  const write = promisify<Buffer, void>((chunk, done) => void compressor.write(chunk, done))
  const feed = async (): Promise<void> => {
    try {
      for await (const chunk of chunks) {
        await write(chunk)
        if (areOurs && ownsMemory(chunk)) freeMemory(toChunks([chunk]))
      }
      compressor.end()
    } catch (error) {
      compressor.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const feeding = feed()
  const compressed = await Array.fromAsync<Buffer>(compressor)
  await feeding
  return toChunks(compressed)
}

export const decompress = async ({ chunks }: ByteChunks, encoding: Compression): Promise<ByteChunks> => {
  const unpacker = encoding === 'br' ? createBrotliDecompress({ chunkSize: BIG_CHUNK }) : createGunzip({ chunkSize: BIG_CHUNK })
  const plain: Buffer[] = []
  await pipeline(chunks, unpacker, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) plain.push(chunk)
  })
  return toChunks(plain)
}

/** Small buffers share their memory with others. */
export const ownsMemory = ({ buffer, byteOffset }: Buffer): boolean => byteOffset === 0 && buffer.byteLength !== Buffer.poolSize

export const toChunks = (chunks: readonly Buffer[]): ByteChunks => ({
  chunks,
  length: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
})

/** Immediately frees memory that the garbage collector might keep for minutes. The bytes are empty afterward. */
export const freeMemory = (bytes: ByteChunks | undefined): void => {
  for (const { buffer } of bytes?.chunks ?? []) if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
