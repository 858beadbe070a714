import { EventSourceParserStream } from 'eventsource-parser/stream'

import type { LiveChange, LiveEvents } from '../../src/features/changing/live/contract.ts'
import { waitUntil } from './wait-until.ts'

interface LiveEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: unknown
}

/** A stream of `GET /api/live`, as a client reads it. */
export interface LiveStream {
  readonly status: number
  readonly headers: Headers
  readonly events: readonly LiveEvent[]
  /** All changes that it has got so far. */
  readonly changes: () => LiveChange[]
  readonly list: <Name extends keyof LiveEvents>(name: Name) => LiveEvents[Name][]
  readonly isEnded: () => boolean
  readonly close: () => void
}

/** Opens a stream, and waits until it is complete. */
export const openLiveStream = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  { lastEvent, query = '' }: { lastEvent?: string; query?: string } = {},
): Promise<LiveStream> => {
  const closing = new AbortController()
  const response = await fetch(`${url}/api/live${query}`, {
    headers: { ...headers, ...(lastEvent === undefined ? {} : { 'last-event-id': lastEvent }) },
    signal: closing.signal,
  })
  const events: LiveEvent[] = []
  let isEnded = false
  const read = async (): Promise<void> => {
    const source = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    if (source) for await (const { event = '', id, data } of source) events.push({ event, id, data: JSON.parse(data) })
  }
  const list = <Name extends keyof LiveEvents>(name: Name) =>
    events.flatMap(({ event, data }) => (event === name ? [data as LiveEvents[Name]] : []))
  if (response.ok) {
    void read()
      .catch(() => {})
      .finally(() => (isEnded = true))
    await waitUntil('the stream is open', () => list('open').length > 0, { timeoutMs: 10_000 })
  }
  return {
    status: response.status,
    headers: response.headers,
    events,
    list,
    changes: () => list('changes').flatMap(({ changes }) => changes),
    isEnded: () => isEnded,
    close: () => closing.abort(),
  }
}
