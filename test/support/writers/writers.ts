import { setTimeout as pause } from 'node:timers/promises'

import { fillPath } from '../api-client.ts'
import { createFileForm } from '../http-requests.ts'
import { type KnownRecords, pickRandom } from './known-records.ts'
import { type Client, sendAndReadBody } from './requests.ts'
import { SAVE_TYPES, type ExpectedChange, type BuildSave, type Save } from './save-types.ts'

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

const PAUSE_AFTER_FAILURE_MS = 150
/** Writers without a pause would reach the limit of saves per person. */
const PAUSE_BETWEEN_SAVES_MS = 20

/** Each type of save as often as its share. */
const WEIGHTED_TYPES = SAVE_TYPES.flatMap(([share, types]) => types.flatMap((build) => Array<BuildSave>(share).fill(build)))

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

  const send = async (writer: Writer, { kind, call, version, versionKey, ...one }: Save): Promise<void> => {
    const [before, wasDown, sentAt] = [running, isDown, Date.now()]
    const body = one.file && call.upload ? createFileForm(one.file, call.upload.field) : one.body
    const headers = { ...writer.headers, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) }
    const answer = await sendAndReadBody({ url: writer.url, headers }, call.method, fillPath(call, one.params), body)
    const { status, text, request } = answer
    tally.slowestMs = Math.max(tally.slowestMs, answer.ms)
    if (status >= 200 && status < 300) {
      const expectedChanges = one.expectedChanges(text === '' ? undefined : JSON.parse(text))
      const save = { kind, request, expectedChanges, sentAt, answeredAt: Date.now() }
      tally.acknowledged.push(save)
      await onAcknowledged(writer, save)
      return
    }
    if (versionKey !== undefined) writer.records.versions.delete(versionKey)
    if (status === 0 && !wasDown && !isDown && running === before)
      tally.broken.push(`${kind}: no response though the server was up (${text})`)
    else if (status === 0 || isMute) tally.unanswered++
    else if (status === 409 || status === 412 || ((status === 404 || status === 422) && one.isOvertaken?.())) tally.conflicts++
    else if (answer.isUnavailable) tally.unavailable.push(request)
    else tally.wrong.push(`${kind}: ${status} ${text.slice(0, 300)}`)
    await pause(PAUSE_AFTER_FAILURE_MS)
  }

  const write = async (writer: Writer, number: number): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at++) {
      const one = await pickRandom(WEIGHTED_TYPES)?.(writer.records, `w${number}-${at}`)
      if (one) await send(writer, one).catch((error: unknown) => tally.wrong.push(`${one.kind}: ${String(error)}`))
      await pause(PAUSE_BETWEEN_SAVES_MS)
    }
  }
  const writing = Promise.all(writers.map(write))
  const stop = async (): Promise<void> => {
    over.abort()
    await writing
  }
  const setServerDown: Writers['setServerDown'] = (now, more) => {
    if (now) running++
    isDown = now
    isMute = more?.isMute === true
  }
  return { tally, setServerDown, stop, [Symbol.asyncDispose]: stop }
}
