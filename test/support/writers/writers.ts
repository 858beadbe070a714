import { setTimeout as pause } from 'node:timers/promises'

import type { Call } from '../../../src/contract/call.ts'
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
  /** Responses of 503 with Retry-After. */
  unavailable: number
  /** No response, since the server was down. */
  unanswered: number
  /** Anything else, as text; there must be none. */
  readonly wrong: string[]
}

export interface Writers {
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

const pathOf = ({ path }: Call, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** One writer per user, by their headers; each sends one save after the other until stopped. */
export const startWriters = (url: string, records: KnownRecords, people: readonly Record<string, string>[]): Writers => {
  const tally: Tally = { acknowledged: [], conflicts: 0, unavailable: 0, unanswered: 0, wrong: [] }
  const over = new AbortController()
  let isDown = false
  let isMute = false
  let running = 0

  const send = async (headers: Record<string, string>, one: Save): Promise<void> => {
    const { call, params, body, file, version } = one
    const form = new FormData()
    if (file && call.upload) form.set(call.upload.field, file, 'a.png')
    const [before, wasDown, sentAt] = [running, isDown, Date.now()]
    const forget = (): void => void (one.versionKey !== undefined && records.versions.delete(one.versionKey))
    let response: Response
    let text: string
    try {
      response = await fetch(url + pathOf(call, params), {
        method: call.method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
        },
        signal: AbortSignal.timeout(MAX_RESPONSE_MS),
        ...(file ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (error) {
      forget()
      if (wasDown || isDown || running !== before) tally.unanswered++
      else tally.wrong.push(`${one.kind}: no answer though the server was there (${formatReason(error)})`)
      await pause(PAUSE_AFTER_FAILURE_MS)
      return
    }
    const { status } = response
    if (status >= 200 && status < 300) {
      const request = response.headers.get('x-request-id') ?? ''
      const expectedChanges = one.expectedChanges(text === '' ? undefined : JSON.parse(text))
      tally.acknowledged.push({ kind: one.kind, request, expectedChanges, sentAt, answeredAt: Date.now() })
      return
    }
    forget()
    if (isMute) tally.unanswered++
    else if (status === 409 || status === 412 || ((status === 404 || status === 422) && one.isOvertaken?.())) tally.conflicts++
    else if (status === 503 && Number(response.headers.get('retry-after')) > 0) tally.unavailable++
    else tally.wrong.push(`${one.kind}: ${status} ${text.slice(0, 300)}`)
    await pause(PAUSE_AFTER_FAILURE_MS)
  }

  const write = async (writer: number, headers: Record<string, string>): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at++) {
      const one = await pickSaveType()(records, `w${writer}-${at}`)
      if (one) await send(headers, one).catch((error: unknown) => tally.wrong.push(`${one.kind}: ${formatReason(error)}`))
      await pause(PAUSE_BETWEEN_SAVES_MS)
    }
  }
  const writing = Promise.all(people.map((headers, writer) => write(writer, headers)))

  return {
    tally,
    setServerDown: (now, more) => {
      if (now) running++
      isDown = now
      isMute = more?.isMute === true
    },
    stop: async () => {
      over.abort()
      await writing
    },
  }
}

const formatReason = (error: unknown): string =>
  error instanceof Error ? `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}` : String(error)
