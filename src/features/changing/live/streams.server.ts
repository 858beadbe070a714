import type { ServerResponse } from 'node:http'

import { tooManyStreams } from './rules.ts'

/** One open response of `GET /api/live`. */
export interface Stream {
  readonly response: ServerResponse
  readonly account: string
  /** The session, or the hash of the API token. */
  readonly credential: string
  readonly level: number
}

/** A browser has one, and a new one while the server has not noticed that the old one is dead. */
export const MAX_STREAMS_OF_SESSION = 8
export const MAX_STREAMS_OF_ACCOUNT = 40
export const MAX_STREAMS = 5000
/** What a reader may leave unread, besides what the system holds: a few changes of many records. */
export const MAX_UNREAD_BYTES = 256 * 1024
/** More often than proxies close what is silent, which is mostly after 60 seconds. */
const HEARTBEAT_MS = 20_000
/** How long the end of a stream may take to be sent. */
const END_MS = 1000
/** A comment, which clients ignore. */
const HEARTBEAT = ':\n\n'

/** The open streams of a server: bounded, and never more behind than what one reader may leave unread. */
export class LiveStreams {
  readonly #streams = new Set<Stream>()
  #heartbeat: NodeJS.Timeout | undefined
  #isClosed = false

  get size(): number {
    return this.#streams.size
  }

  [Symbol.iterator](): IterableIterator<Stream> {
    return this.#streams.values()
  }

  /** Throws 503 if there are too many. Someone who opens too many loses the oldest, which a phone that lost its network has left open. */
  add(stream: Stream): void {
    if (this.#isClosed || this.#streams.size >= MAX_STREAMS) throw tooManyStreams()
    this.#endOldest(MAX_STREAMS_OF_SESSION, ({ credential }) => credential === stream.credential)
    this.#endOldest(MAX_STREAMS_OF_ACCOUNT, ({ account }) => account === stream.account)
    this.#streams.add(stream)
    const { response } = stream
    response.on('error', () => {}) // `close` follows
    response.once('close', () => this.#streams.delete(stream))
    if (response.destroyed) this.#streams.delete(stream)
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
  }

  #endOldest(most: number, isSame: (stream: Stream) => boolean): void {
    const same = [...this.#streams].filter(isSame)
    for (const stream of same.slice(0, Math.max(0, same.length - most + 1))) this.end(stream)
  }

  /** Sends text to a stream, unless it reads too slowly, which ends it: its client then learns what it missed from another one. */
  send(stream: Stream, text: string): void {
    if (!this.#streams.has(stream)) return
    if (!stream.response.writable) return this.#drop(stream)
    stream.response.write(text)
    if (stream.response.writableLength > MAX_UNREAD_BYTES) this.#drop(stream)
  }

  #drop(stream: Stream): void {
    this.#streams.delete(stream)
    stream.response.destroy()
  }

  end(stream: Stream): void {
    this.#streams.delete(stream)
    const { response } = stream
    response.end()
    setTimeout(() => {
      if (!response.writableFinished) response.destroy()
    }, END_MS).unref()
  }

  #beat(): void {
    for (const stream of this.#streams) this.send(stream, HEARTBEAT)
    if (this.#streams.size > 0) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }

  /** Ends all, and admits no more. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    for (const stream of this.#streams) this.end(stream)
  }
}
