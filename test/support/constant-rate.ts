import { setTimeout as pause } from 'node:timers/promises'

/**
 * Starts work at a constant rate, whether or not the server keeps up. `due` is when each piece of work should start: times that count from then do not
 * make a server that stalls look fast because it gets fewer requests.
 */
export const runAtConstantRate = async (
  perSecond: number,
  count: number,
  work: (at: number, due: number) => Promise<void>,
): Promise<void> => {
  const startedAt = performance.now()
  const all: Promise<void>[] = []
  for (let at = 0; at < count; at++) {
    const due = startedAt + (at * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    all.push(work(at, due))
  }
  await Promise.all(all)
}
