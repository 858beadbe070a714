import { isLive } from '../../../../platform/web/live.ts'
import { type LiveEvent, readStream } from './read-stream.ts'

const NAME = 'homeroom.live'
/** How long a visible tab waits for the tab that has the stream: a phone freezes those in the background. */
const ANSWER_MS = 1000
/** What a tab that has just been opened may have missed. */
const MAX_RECENT = 50
const RECENT_MS = 60_000

interface KnownEvent {
  readonly event: LiveEvent
  readonly id: string | undefined
  readonly at: number
}
type Message =
  | { readonly type: 'event'; readonly known: KnownEvent }
  | { readonly type: 'state'; readonly isUp: boolean }
  | { readonly type: 'ask' }
  | { readonly type: 'answer'; readonly isUp: boolean; readonly recent: readonly KnownEvent[] }

/**
 * Gives events to every tab of this browser from one stream: the tab that holds a lock reads it. A tab that is closed gives the lock up, and from one
 * that does not answer a visible tab takes it. Without locks, which browsers have only on safe connections, each tab reads a stream of its own.
 */
export const shareStream = (onEvent: (event: LiveEvent) => void): (() => void) => {
  const ending = new AbortController()
  const channel = new BroadcastChannel(NAME)
  let lastEvent: string | undefined
  let recent: KnownEvent[] = []
  let leading: AbortController | undefined
  let isAnswered = false
  const loadedAt = performance.timeOrigin

  const receive = ({ event, id, at }: KnownEvent): void => {
    lastEvent = id ?? lastEvent
    if (at >= loadedAt) onEvent(event)
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  const post = (message: Message): void => channel.postMessage(message)
  const lead = async (): Promise<void> => {
    leading = new AbortController()
    const signal = AbortSignal.any([leading.signal, ending.signal])
    await readStream(
      {
        getLastEvent: () => lastEvent,
        onEvent: (event, id) => {
          const known = { event, id, at: Date.now() }
          recent = [...recent.filter(({ at }) => known.at - at < RECENT_MS), known].slice(-MAX_RECENT)
          receive(known)
          post({ type: 'event', known })
        },
        onState: (isUp) => {
          isLive.set(isUp)
          if (!ending.signal.aborted) post({ type: 'state', isUp })
        },
      },
      signal,
    )
    leading = undefined
  }

  const { locks } = navigator as { locks?: LockManager }
  const waitForLock = (isTaken = false): void => {
    const options = isTaken ? { steal: true } : { signal: ending.signal }
    locks?.request(NAME, options, lead).catch(() => {
      // Another tab took the lock, or this one is closed.
      leading?.abort()
      // WebKit refuses a page that is being left immediately: without a pause, this would never end.
      setTimeout(() => {
        if (!ending.signal.aborted) waitForLock()
      }, ANSWER_MS)
    })
  }
  const askLeader = (): void => {
    if (leading || document.visibilityState !== 'visible') return
    isAnswered = false
    post({ type: 'ask' })
    setTimeout(() => {
      if (!isAnswered && !leading && !ending.signal.aborted && document.visibilityState === 'visible') waitForLock(true)
    }, ANSWER_MS)
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'ask') {
      if (leading) post({ type: 'answer', isUp: isLive.get(), recent })
      return
    }
    if (leading) return
    isAnswered = true
    if (data.type === 'event') return receive(data.known)
    isLive.set(data.isUp)
    if (data.type === 'answer' && lastEvent === undefined) for (const known of data.recent) receive(known)
  })
  document.addEventListener('visibilitychange', askLeader, { signal: ending.signal })
  if (locks) {
    waitForLock()
    askLeader()
  } else void lead()
  return () => {
    ending.abort()
    channel.close()
    isLive.set(false)
  }
}
