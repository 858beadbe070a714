import { createParser } from 'eventsource-parser'

import { Problem } from '../../../../contract/problem.ts'
import { sendRequest } from '../../../../platform/web/client.ts'
import { isSignedOut } from '../../../../platform/web/failures.ts'
import { LIVE_EVENTS, type LiveEvents, MAX_AGE_SECONDS, streamChanges } from '../contract.ts'

/** An event of the stream. */
export type LiveEvent = { readonly [Name in keyof LiveEvents]: { readonly name: Name; readonly data: LiveEvents[Name] } }[keyof LiveEvents]

interface StreamReader {
  /** The event after which the stream continues. */
  readonly getLastEvent: () => string | undefined
  readonly onEvent: (event: LiveEvent, id: string | undefined) => void
  /** Called when the stream is up, and when it is not any more. */
  readonly onState: (isUp: boolean) => void
}

/** The server sends at least a comment every 20 seconds. */
const SILENT_MS = 45_000
/** After sleep or a change of the network, a stream that was silent for this long is not waited for. */
const DOUBTFUL_MS = 22_000
const CHECK_MS = 10_000
const MIN_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/** Waits, or until the page is shown or the network is back. */
const pauseUntilAwake = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const waking = new AbortController()
    const wake = (): void => {
      clearTimeout(timer)
      waking.abort()
      resolve()
    }
    const timer = setTimeout(wake, ms)
    const options = { signal: waking.signal }
    window.addEventListener('online', wake, options)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake(), options)
    signal.addEventListener('abort', wake, options)
  })

const toEvent = (name: string | undefined, text: string): LiveEvent | null => {
  if (name === undefined || !Object.hasOwn(LIVE_EVENTS, name)) return null
  return { name, data: JSON.parse(text) as unknown } as LiveEvent
}

/** Reads one stream until it ends or is silent. */
const readOnce = async ({ getLastEvent, onEvent, onState }: StreamReader, signal: AbortSignal): Promise<void> => {
  const giveUp = new AbortController()
  let heardAt = Date.now()
  const endIfSilent = (forMs: number): void => void (Date.now() - heardAt > forMs && giveUp.abort())
  const wake = (): void => {
    if (document.visibilityState === 'visible') endIfSilent(DOUBTFUL_MS)
  }
  const timer = setInterval(() => endIfSilent(SILENT_MS), CHECK_MS)
  const listening = { signal: giveUp.signal }
  window.addEventListener('online', wake, listening)
  document.addEventListener('visibilitychange', wake, listening)
  const parser = createParser({
    onEvent: ({ event: name, id, data }) => {
      const event = toEvent(name, data)
      if (event) onEvent(event, id)
    },
  })
  const lastEvent = getLastEvent()
  const age = Math.ceil(performance.now() / 1000) + 1
  const sent = {
    signal: AbortSignal.any([signal, giveUp.signal]),
    headers: { accept: 'text/event-stream', ...(lastEvent === undefined ? {} : { 'last-event-id': lastEvent }) },
    query: lastEvent === undefined ? { age: Math.min(age, MAX_AGE_SECONDS) } : {},
  }
  try {
    await sendRequest(streamChanges, sent, async ({ body }) => {
      const reader = body?.getReader()
      const decoder = new TextDecoder()
      onState(true)
      if (lastEvent === undefined && age > MAX_AGE_SECONDS) onEvent({ name: 'reset', data: {} }, undefined)
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) return
        heardAt = Date.now()
        parser.feed(decoder.decode(value, { stream: true }))
      }
    })
  } finally {
    clearInterval(timer)
    giveUp.abort()
    onState(false)
  }
}

/** Reads the stream until `signal` ends it, and opens it again when it ends: at once at first, then more and more slowly, so that a server comes up again. */
export const readStream = async (stream: StreamReader, signal: AbortSignal): Promise<void> => {
  for (let pause = MIN_PAUSE_MS; !signal.aborted;) {
    let isUp = false
    const onState = (now: boolean): void => {
      isUp ||= now
      stream.onState(now)
    }
    const error = await readOnce({ ...stream, onState }, signal).catch((thrown: unknown) => thrown)
    // The page is being left, or asks to sign in again; the next stream is opened by then.
    if (isUp) pause = MIN_PAUSE_MS
    const asked = error instanceof Problem ? 1000 * (error.retryAfter ?? 0) : 0
    const wait = isSignedOut(error) ? MAX_PAUSE_MS : Math.max(pause, asked)
    // Browsers whose server was stopped do not come back all at once.
    if (!signal.aborted) await pauseUntilAwake(wait * (0.5 + Math.random()), signal)
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
  }
}
