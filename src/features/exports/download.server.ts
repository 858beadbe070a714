import { finished, Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../../platform/contract/problem.ts'
import type { House, SignedIn } from '../../platform/server/house.ts'
import { NoTurn, Turns } from '../../platform/server/turns.ts'
import { WORKBOOK_TYPE, writeWorkbook } from '../../platform/server/workbook-writing.ts'
import type { Download, ExportKind } from './contract.ts'
import { noteDownload, noteEnd, openSnapshot, type Snapshot } from './queries.server.ts'
import { fileNameOf } from './rules.ts'
import { type Column, WORKBOOKS } from './workbooks.ts'

/** Whoever takes nothing for this long is gone, or holds a connection that others need. */
const LONGEST_PAUSE = 60_000
/** No workbook takes longer than this, whoever takes it how slowly: it holds one of few turns, and one look at the database. */
const LONGEST = 15 * 60_000
/** Bytes that wait for whoever takes them. */
const AHEAD = 131_072

/** Downloads at once: each holds a connection of the database for as long as it takes. */
const AT_ONCE = 3
/** Whoever waits longer is asked to come back. */
const LONGEST_WAIT = 20_000

/** A server's own turns, for as long as there is that server. */
const turnsOf = new WeakMap<House, Turns>()
const turnsIn = (house: House): Turns => {
  const turns = turnsOf.get(house) ?? new Turns(AT_ONCE)
  turnsOf.set(house, turns)
  return turns
}

/** Waits for a turn, and answers what gives it back; 429 after a while, and at once where nobody waits for it any more. */
export const takeTurn = async (house: House, gone: AbortSignal): Promise<() => void> => {
  try {
    return await turnsIn(house).take(AbortSignal.any([gone, AbortSignal.timeout(LONGEST_WAIT)]))
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error
    throw new Problem(429, 'Several downloads are under way already', { detail: 'Try again in a moment.', retryAfter: 10 })
  }
}

const NARROWEST = 12
const WIDEST_HEAD = 34
const WIDTHS: Readonly<Record<Column['holds'], number>> = { text: 22, day: 13, 'yes or no': 13, status: 22 }
const LONG_WIDTH = 48
/** A column has room for its head and the button that filters it. */
const widthOf = ({ header, holds, long }: Column): number =>
  Math.max(long ? LONG_WIDTH : WIDTHS[holds], NARROWEST, Math.min(header.length + 4, WIDEST_HEAD))

/** What of a download has gone so far. */
interface Gone {
  /** Of the first sheet. */
  rows: number
  bytes: number
}

/**
 * The bytes of a workbook. The first rows are asked for before the first byte, so that a database that cannot answer is an answer of its own and
 * no broken file.
 */
const bytesOf = async (snapshot: Snapshot, kind: ExportKind, gone: Gone): Promise<AsyncGenerator<Buffer>> => {
  const sheets = WORKBOOKS[kind].map((sheet) => ({ sheet, batches: snapshot.batches(sheet) }))
  const [main] = sheets
  const first = await main?.batches.next()
  async function* rowsOf(batches: ReturnType<Snapshot['batches']>, isMain: boolean) {
    if (isMain && first && !first.done) {
      gone.rows += first.value.length
      yield first.value
    }
    for await (const batch of batches) {
      if (isMain) gone.rows += batch.length
      yield batch
    }
  }
  return writeWorkbook(
    sheets.map(({ sheet, batches }, at) => ({
      name: sheet.name,
      columns: sheet.columns.map((column) => ({
        header: column.header,
        kind: column.holds === 'day' ? ('day' as const) : ('text' as const),
        width: widthOf(column),
      })),
      batches: rowsOf(batches, at === 0),
    })),
  )
}

const countBytes = async function* (pieces: AsyncGenerator<Buffer>, gone: Gone, onStall: () => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    gone.bytes += piece.length
    const stall = setTimeout(onStall, LONGEST_PAUSE)
    try {
      yield piece
    } finally {
      clearTimeout(stall)
    }
  }
}

/** `attachment` with the name as it is, and in plain letters without its colon for whoever cannot read that (RFC 6266, RFC 8187). */
export const dispositionOf = (name: string): string => {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(':', '-')
    .replaceAll(/[^ -~]|["\\]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}

/** Sends a workbook as it comes out of the database, and notes who took it. */
export const sendWorkbook = async (
  kind: ExportKind,
  { house, user, request, reply }: { house: House; user: SignedIn; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> => {
  const { db, log, configuration } = house
  const named = (): FastifyReply =>
    reply
      .type(WORKBOOK_TYPE)
      .header('cache-control', 'no-store')
      .header('content-disposition', dispositionOf(fileNameOf(kind, new Date(), configuration.timeZone)))
  if (request.method === 'HEAD') return named().send()
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const giveBack = await takeTurn(house, left.signal)
  let snapshot: Snapshot | undefined
  try {
    snapshot = await openSnapshot(house)
    const gone: Gone = { rows: 0, bytes: 0 }
    const pieces = await bytesOf(snapshot, kind, gone)
    const download = await noteDownload(db, user, kind)
    const stream: Readable = Readable.from(
      countBytes(pieces, gone, () => stream.destroy()),
      { objectMode: false, highWaterMark: AHEAD },
    )
    const { close } = snapshot
    const whole = setTimeout(() => stream.destroy(new Error('A download took too long')), LONGEST).unref()
    stream.once('close', () => {
      clearTimeout(whole)
      close()
      giveBack()
    })
    const noteHow = async (outcome: NonNullable<Download['outcome']>): Promise<void> => {
      await noteEnd(db, download, { outcome, ...gone }).catch((err: unknown) =>
        log.error({ err, reqId: request.id }, 'A download’s end was not noted'),
      )
    }
    finished(reply.raw, (error) => void noteHow(stream.errored ? 'failed' : error ? 'broken off' : 'whole'))
    return named().send(stream)
  } catch (error) {
    snapshot?.close()
    giveBack()
    throw error
  }
}
