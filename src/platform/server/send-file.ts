import { finished, Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'

import { memoize } from '../../contract/memoize.ts'
import { Problem } from '../../contract/problem.ts'
import type { AppContext, SignedIn } from './app-context.ts'
import { getAuditActor } from './audit.ts'
import { insertDownload, recordDownloadEnd } from './download-log.ts'
import { KeyedSemaphore, AcquireTimeout, Semaphore } from './semaphore.ts'
import { TemporaryFile } from './temporary-file.ts'

/** Files generated concurrently: each uses a database connection until it is complete, however slowly it is downloaded. */
const MAX_CONCURRENT_FILES = 3
/** Concurrent downloads per account, and waiting requests; further requests are refused and can be retried later. */
const MAX_PER_ACCOUNT = 2
const MAX_WAITING_PER_ACCOUNT = 8
const MAX_WAIT_MS = 20_000
/** Concurrent downloads of all accounts. */
const MAX_CONCURRENT_DOWNLOADS = 50
/** A client that reads nothing for this long is disconnected. */
const MAX_STALL_MS = 30_000
/** The same while others are waiting. */
const MAX_STALL_WHEN_FULL_MS = 5_000
/** No download takes longer than this, however slowly the client reads. */
const MAX_DOWNLOAD_MS = 15 * 60_000
/** Bytes buffered for one client. */
const STREAM_BUFFER_BYTES = 131_072

export interface DownloadContext {
  readonly context: AppContext
  readonly user: SignedIn
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A file about to be written. */
export interface GeneratedFile {
  /** Its name in the download log. */
  readonly kind: string
  readonly name: string
  readonly type: string
  readonly chunks: AsyncIterable<Buffer>
  /** Rows in it so far, if it has rows. */
  readonly rows?: () => number
  /** Releases its resources; may be called more than once. */
  readonly close: () => void
}

export interface ActiveDownload {
  lastReadAt: number
  readonly end: () => void
}

/** Of a server, also for files of past days. */
const getLimits = memoize((_pool: Pool) => ({
  generating: new Semaphore(MAX_CONCURRENT_FILES),
  accounts: new KeyedSemaphore(MAX_PER_ACCOUNT, MAX_WAITING_PER_ACCOUNT),
  sending: new Set<ActiveDownload>(),
}))

const tooManyDownloads = (detail: string): Problem => new Problem(429, 'Several downloads are already running', { detail, retryAfter: 10 })

const acquireOrRefuse = async (acquired: Promise<() => void>): Promise<() => void> => {
  try {
    return await acquired
  } catch (error) {
    if (!(error instanceof AcquireTimeout)) throw error
    throw tooManyDownloads('Try again in a moment.')
  }
}

/** Ends the download that has stalled longest if the limit is reached, so that stalled clients never block others. Throws 429 if none has stalled. */
export const endStalledDownload = (sending: ReadonlySet<ActiveDownload>): void => {
  if (sending.size < MAX_CONCURRENT_DOWNLOADS) return
  const slowest = [...sending].reduce((one, other) => (other.lastReadAt < one.lastReadAt ? other : one))
  if (Date.now() - slowest.lastReadAt < MAX_STALL_WHEN_FULL_MS) throw tooManyDownloads('Try again in a moment.')
  slowest.end()
}

/** Passes chunks through, and calls `onStall` if the next one is not requested in time. */
const watchStalls = async function* (
  chunks: AsyncIterable<Buffer>,
  onChunk: (bytes: number) => void,
  onStall: () => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onChunk(chunk.length)
    const stall = setTimeout(onStall, MAX_STALL_MS)
    try {
      yield chunk
    } finally {
      clearTimeout(stall)
    }
  }
}

/** `attachment` with the file name, and an ASCII version without colons for old clients (RFC 6266, RFC 8187). */
const formatContentDisposition = (name: string): string => {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(':', '-')
    .replaceAll(/[^ -~]|["\\]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}

const setFileHeaders = (reply: FastifyReply, type: string, name: string): FastifyReply =>
  reply.type(type).header('cache-control', 'no-store').header('content-disposition', formatContentDisposition(name))

/** Answers a HEAD request: nothing is read, and no download is logged. */
export const sendFileHead = (reply: FastifyReply, type: string, name: string): FastifyReply => setFileHeaders(reply, type, name).send()

const openSpool = async ({ configuration, log }: AppContext): Promise<TemporaryFile> => {
  try {
    return await TemporaryFile.open(configuration.dataDir)
  } catch (error) {
    log.error({ err: error }, 'There is no disk space for a download')
    throw new Problem(503, 'The server has no room for this download right now', { retryAfter: 60, cause: error })
  }
}

/**
 * Generates a file, sends it while it is being generated, and logs the download. The file is buffered on disk, so that a slow client occupies no
 * database connection, memory or queue slot.
 */
export const sendFile = async (
  { context, user, request, reply }: DownloadContext,
  generate: () => Promise<GeneratedFile>,
): Promise<FastifyReply> => {
  const { db } = context
  // The network address can no longer be read once the connection is closed.
  const by = getAuditActor(request)
  const { generating, accounts, sending } = getLimits(context.pool)
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const createWaitSignal = (): AbortSignal => AbortSignal.any([disconnected.signal, AbortSignal.timeout(MAX_WAIT_MS)])
  const releaseAccount = await acquireOrRefuse(accounts.acquire(user.account, createWaitSignal()))
  let releaseAll = releaseAccount
  try {
    const release = await acquireOrRefuse(generating.acquire(createWaitSignal()))
    releaseAll = () => {
      release()
      releaseAccount()
    }
    endStalledDownload(sending)
    const file = await generate()
    releaseAll = () => {
      file.close()
      release()
      releaseAccount()
    }
    const spool = await openSpool(context)
    const download = await insertDownload(db, user, file.kind).catch((error: unknown) => {
      spool.close()
      throw error
    })
    void spool.fill(file.chunks).finally(() => {
      file.close()
      release()
    })
    return send(file, spool, download)
  } catch (error) {
    releaseAll()
    throw error
  }

  function send(file: GeneratedFile, spool: TemporaryFile, download: Awaited<ReturnType<typeof insertDownload>>): FastifyReply {
    let bytes = 0
    const entry: ActiveDownload = { lastReadAt: Date.now(), end: () => stream.destroy() }
    const onChunk = (more: number): void => {
      bytes += more
      entry.lastReadAt = Date.now()
    }
    const stream: Readable = Readable.from(watchStalls(spool.read(), onChunk, entry.end), {
      objectMode: false,
      highWaterMark: STREAM_BUFFER_BYTES,
    })
    sending.add(entry)
    const deadline = setTimeout(() => stream.destroy(new Error('A download took too long')), MAX_DOWNLOAD_MS).unref()
    stream.once('close', () => {
      clearTimeout(deadline)
      sending.delete(entry)
    })
    finished(reply.raw, (error) => {
      releaseAccount()
      spool.close()
      file.close()
      const outcome = stream.errored ? 'failed' : error ? 'broken off' : 'whole'
      void recordDownloadEnd(context, by, { ...download, kind: file.kind }, { outcome, rows: file.rows?.() ?? null, bytes })
    })
    return setFileHeaders(reply, file.type, file.name).send(stream)
  }
}
