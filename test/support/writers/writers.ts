import { setTimeout as pause } from 'node:timers/promises'

import type { Call } from '../../../src/contract/call.ts'
import type { World } from './known-records.ts'
import { KINDS } from './save-types.ts'
import type { Kept, Kind, Save } from './save.ts'

/** A save that was answered with 2xx, and what has to be found of it. */
export interface Acknowledged {
  readonly kind: string
  /** The id of the request, under which the history keeps it. */
  readonly request: string
  readonly kept: readonly Kept[]
  /** When it was sent and when its answer had come, by the clock. */
  readonly sentAt: number
  readonly answeredAt: number
}

export interface Tally {
  readonly acknowledged: Acknowledged[]
  /** Answered with 409 or 412, or refused since somebody else’s save took away what it was about: somebody else was there first. */
  conflicts: number
  /** Answered with 503 and Retry-After. */
  turnedAway: number
  /** No answer, since the server was not there. */
  unanswered: number
  /** Anything else, in words; there must be none. */
  readonly wrong: string[]
}

export interface Writers {
  readonly tally: Tally
  /** While the server is away a broken connection is no wonder; while it is mute no answer counts but an acknowledgement. */
  readonly serverIsAway: (isAway: boolean, more?: { isMute: boolean }) => void
  readonly stop: () => Promise<void>
}

/** Longer than any answer may take, however busy the machine is. */
const LONGEST_ANSWER = 45_000
const BREATH = 150
/** A writer that never rests would come to the limit of saves that one person has. */
const BETWEEN = 20

const ALL = KINDS.reduce((sum, [, weight]) => sum + weight, 0)
const anyKind = (): Kind => {
  let at = Math.random() * ALL
  for (const [kind, weight] of KINDS) if ((at -= weight) < 0) return kind
  return KINDS[0]![0]
}

const pathOf = ({ path }: Call, params: Readonly<Record<string, unknown>> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/** One writer for each of the people, by their headers; each sends one save after the other until it is stopped. */
export const startWriters = (url: string, world: World, people: readonly Record<string, string>[]): Writers => {
  const tally: Tally = { acknowledged: [], conflicts: 0, turnedAway: 0, unanswered: 0, wrong: [] }
  const over = new AbortController()
  let isAway = false
  let isMute = false
  let goings = 0

  const send = async (headers: Record<string, string>, one: Save): Promise<void> => {
    const { call, params, body, file, version } = one
    const form = new FormData()
    if (file && call.upload) form.set(call.upload.field, file, 'a.png')
    const [before, wasAway, sentAt] = [goings, isAway, Date.now()]
    const forget = (): void => void (one.of !== undefined && world.versions.delete(one.of))
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
        signal: AbortSignal.timeout(LONGEST_ANSWER),
        ...(file ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (error) {
      forget()
      if (wasAway || isAway || goings !== before) tally.unanswered++
      else tally.wrong.push(`${one.kind}: no answer though the server was there (${reasonOf(error)})`)
      await pause(BREATH)
      return
    }
    const { status } = response
    if (status >= 200 && status < 300) {
      const request = response.headers.get('x-request-id') ?? ''
      const kept = one.kept(text === '' ? undefined : JSON.parse(text))
      tally.acknowledged.push({ kind: one.kind, request, kept, sentAt, answeredAt: Date.now() })
      return
    }
    forget()
    if (isMute) tally.unanswered++
    else if (status === 409 || status === 412 || ((status === 404 || status === 422) && one.isOvertaken?.())) tally.conflicts++
    else if (status === 503 && Number(response.headers.get('retry-after')) > 0) tally.turnedAway++
    else tally.wrong.push(`${one.kind}: ${status} ${text.slice(0, 300)}`)
    await pause(BREATH)
  }

  const write = async (writer: number, headers: Record<string, string>): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at++) {
      const one = await anyKind()(world, `w${writer}-${at}`)
      if (one) await send(headers, one).catch((error: unknown) => tally.wrong.push(`${one.kind}: ${reasonOf(error)}`))
      await pause(BETWEEN)
    }
  }
  const writing = Promise.all(people.map((headers, writer) => write(writer, headers)))

  return {
    tally,
    serverIsAway: (now, more) => {
      if (now) goings++
      isAway = now
      isMute = more?.isMute === true
    },
    stop: async () => {
      over.abort()
      await writing
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}` : String(error)
