import { TemporaryFile } from './temporary-file.ts'

/** How long a file stays after its last use. */
const UNUSED_MS = 5000
/** Larger than the buffer of a socket, and few enough calls that a file is sent nearly as fast as bytes in memory. */
const CHUNK = 262_144

/** Streams from a folder; each chunk is valid until the next one is requested. */
type SpooledStream = (folder: string) => AsyncGenerator<Buffer>

/**
 * Bytes that are expensive to generate and too long to keep in memory: generated once into a file for everyone who asks while it is in use. Without
 * room on the disk they are generated for each.
 */
export const createSpooledStream = (generate: () => AsyncIterable<Buffer>): SpooledStream => {
  let opened: Promise<TemporaryFile> | undefined
  let users = 0
  let unused: NodeJS.Timeout | undefined

  const open = async (folder: string): Promise<TemporaryFile> => {
    const file = await TemporaryFile.open(folder)
    void file.fill(generate())
    return file
  }
  const close = (): void => {
    opened?.then((file) => file.close()).catch(() => {}) // it was never opened
    opened = undefined
  }
  async function* readFile(folder: string): AsyncGenerator<Buffer> {
    clearTimeout(unused)
    users++
    try {
      opened ??= open(folder)
      yield* (await opened).read(Buffer.allocUnsafeSlow(CHUNK))
    } finally {
      users--
      if (users === 0) unused = setTimeout(close, UNUSED_MS).unref()
    }
  }
  return async function* read(folder) {
    let sent = 0
    try {
      for await (const chunk of readFile(folder)) {
        sent += chunk.length
        yield chunk
      }
    } catch {
      yield* skipBytes(generate(), sent)
    }
  }
}

async function* skipBytes(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let rest = count
  for await (const chunk of chunks) {
    if (rest < chunk.length) yield chunk.subarray(rest)
    rest = Math.max(0, rest - chunk.length)
  }
}
