import { randomBytes } from 'node:crypto'
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

const CHUNK = 65_536

/**
 * A file that buffers bytes between a producer and its consumers: each works at its own speed, a consumer can read while the file grows, and only a
 * chunk is in memory. The file is unlinked when it is created, so it disappears even if the server crashes.
 */
export class TemporaryFile {
  readonly #file: FileHandle
  #written = 0
  #isFull = false
  #failed: Error | undefined
  #grown = Promise.withResolvers<void>()
  #isClosed = false
  #users = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(folder: string): Promise<TemporaryFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `spool-${randomBytes(9).toString('hex')}`)
    const file = await open(path, 'wx+', 0o600)
    await unlink(path).catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    return new TemporaryFile(file)
  }

  /** Writes everything; a failure is passed to the reader. Ends early once the file is closed. */
  async fill(chunks: AsyncIterable<Buffer>): Promise<void> {
    this.#users++
    try {
      for await (const chunk of chunks) {
        if (this.#isClosed) return
        for (let at = 0; at < chunk.length;) {
          const { bytesWritten } = await this.#file.write(chunk, at, chunk.length - at, this.#written)
          at += bytesWritten
          this.#written += bytesWritten
        }
        this.#wake()
      }
      this.#isFull = true
    } catch (error) {
      this.#failed = error instanceof Error ? error : new Error(String(error))
    } finally {
      this.#wake()
      this.#leave()
    }
  }

  /**
   * Everything from the start, as it is written; throws the error of `fill`. With a `place` each chunk overwrites the previous one there, for a
   * consumer that is finished with a chunk when it requests the next.
   */
  async *read(place?: Buffer): AsyncGenerator<Buffer> {
    this.#users++
    try {
      for (let at = 0; !this.#isClosed;) {
        if (at < this.#written) {
          const length = Math.min(place?.length ?? CHUNK, this.#written - at)
          const { bytesRead, buffer } = await this.#file.read(place ?? Buffer.allocUnsafeSlow(length), 0, length, at)
          at += bytesRead
          yield buffer.subarray(0, bytesRead)
          continue
        }
        if (this.#failed) throw this.#failed
        if (this.#isFull) return
        await this.#grown.promise
      }
    } finally {
      this.#leave()
    }
  }

  /** Frees the disk space as soon as no one writes or reads anymore; may be called more than once. */
  close(): void {
    this.#isClosed = true
    this.#wake()
    if (this.#users === 0) void this.#file.close().catch(() => {})
  }

  #wake(): void {
    this.#grown.resolve()
    this.#grown = Promise.withResolvers()
  }

  #leave(): void {
    this.#users--
    if (this.#isClosed && this.#users === 0) void this.#file.close().catch(() => {})
  }
}
