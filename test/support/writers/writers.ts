import { setTimeout as pause } from 'node:timers/promises'

import { fillPath } from '../api-client.ts'
import type { KnownRecords } from './known-records.ts'
import { SAVE_TYPES } from './save-types.ts'
import type { ExpectedChange, BuildSave, Save } from './save.ts'

/** A save with a 2xx response, and the expected result. */
export interface AcknowledgedSave {
  readonly kind: string
  /** The id of the request, as stored in the history. */
  readonly request: string
  readonly expectedChanges: readonly ExpectedChange[]
  /** When it was sent and when its response arrived. */
  readonly sentAt: number
  readonly answeredAt: number
}

export interface Tally {
  readonly acknowledged: AcknowledgedSave[]
  /** Responses of 409 or 412, or refusals because someone else's save came first. */
  conflicts: number
  /** Request ids of responses of 503 with Retry-After. */
  readonly unavailable: string[]
  /** No response, since the server was down. */
  unanswered: number
  /** No response although the server was up, as text; there must be none. */
  readonly broken: string[]
  /** Anything else, as text; there must be none. */
  readonly wrong: string[]
  slowestMs: number
}

/** A user of a server: someone's authentication headers, and the server that they send requests to. */
export interface Client {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A client that saves, and what it knows: writers of one server share it, so that their saves conflict. */
export interface Writer extends Client {
  readonly records: KnownRecords
}

export interface Writers extends AsyncDisposable {
  readonly tally: Tally
  /** While the server is away, broken connections are expected; while it is mute, only acknowledgements count. */
  readonly setServerDown: (isDown: boolean, more?: { isMute: boolean }) => void
  readonly stop: () => Promise<void>
}

/** Longer than any response may take, however busy the machine is. */
const MAX_RESPONSE_MS = 45_000
const PAUSE_AFTER_FAILURE_MS = 150
/** Writers without a pause would reach the limit of saves per person. */
const PAUSE_BETWEEN_SAVES_MS = 20

const ALL = SAVE_TYPES.reduce((sum, [, weight]) => sum + weight, 0)
const pickSaveType = (): BuildSave => {
  let at = Math.random() * ALL
  for (const [kind, weight] of SAVE_TYPES) if ((at -= weight) < 0) return kind
  return SAVE_TYPES[0]![0]
}

/** Each writer sends one save after the other until stopped. */
export const startWriters = (
  writers: readonly Writer[],
  onAcknowledged: (client: Client, save: AcknowledgedSave) => Promise<void> = async () => {},
): Writers => {
  const tally: Tally = { acknowledged: [], conflicts: 0, unavailable: [], unanswered: 0, broken: [], wrong: [], slowestMs: 0 }
  const over = new AbortController()
  let isDown = false
  let isMute = false
  let running = 0

  const send = async (writer: Writer, one: Save): Promise<void> => {
    const { url, headers, records } = writer
    const { call, params, body, file, version } = one
    const form = new FormData()
    if (file && call.upload) form.set(call.upload.field, file, 'a.png')
    const [before, wasDown, sentAt] = [running, isDown, Date.now()]
    const forget = (): void => void (one.versionKey !== undefined && records.versions.delete(one.versionKey))
    let response: Response
    let text: string
    try {
      response = await fetch(url + fillPath(call, params as Record<string, string>), {
        method: call.method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
        },
        signal: AbortSignal.timeout(MAX_RESPONSE_MS),
        ...(file ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
      }).finally(() => {
        tally.slowestMs = Math.max(tally.slowestMs, Date.now() - sentAt)
      })
      text = await response.text()
    } catch (error) {
      forget()
      if (wasDown || isDown || running !== before) tally.unanswered++
      else tally.broken.push(`${one.kind}: no answer though the server was up (${formatReason(error)})`)
      await pause(PAUSE_AFTER_FAILURE_MS)
      return
    }
    const { status } = response
    const request = response.headers.get('x-request-id') ?? ''
    if (status >= 200 && status < 300) {
      const expectedChanges = one.expectedChanges(text === '' ? undefined : JSON.parse(text))
      const save = { kind: one.kind, request, expectedChanges, sentAt, answeredAt: Date.now() }
      tally.acknowledged.push(save)
      await onAcknowledged(writer, save)
      return
    }
    forget()
    if (isMute) tally.unanswered++
    else if (status === 409 || status === 412 || ((status === 404 || status === 422) && one.isOvertaken?.())) tally.conflicts++
    else if (status === 503 && Number(response.headers.get('retry-after')) > 0) tally.unavailable.push(request)
    else tally.wrong.push(`${one.kind}: ${status} ${text.slice(0, 300)}`)
    await pause(PAUSE_AFTER_FAILURE_MS)
  }

  const write = async (writer: Writer, number: number): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at++) {
      const one = await pickSaveType()(writer.records, `w${number}-${at}`)
      if (one) await send(writer, one).catch((error: unknown) => tally.wrong.push(`${one.kind}: ${formatReason(error)}`))
      await pause(PAUSE_BETWEEN_SAVES_MS)
    }
  }
  const writing = Promise.all(writers.map(write))
  const stop = async (): Promise<void> => {
    over.abort()
    await writing
  }

  return {
    tally,
    setServerDown: (now, more) => {
      if (now) running++
      isDown = now
      isMute = more?.isMute === true
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const formatReason = (error: unknown): string =>
  error instanceof Error ? `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}` : String(error)
