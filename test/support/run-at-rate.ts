import { setTimeout as pause } from 'node:timers/promises'

/** Starts work `count` times at a steady rate, whether or not earlier work has ended, and waits for all of it; `due` is when it should have started. */
export const runAtRate = async (count: number, perSecond: number, work: (at: number, due: number) => Promise<void>): Promise<void> => {
  const pending = new Set<Promise<void>>()
  const startedAt = performance.now()
  for (let at = 0; at < count; at++) {
    const due = startedAt + (at * 1000) / perSecond
    await pause(Math.max(0, due - performance.now()))
    const started = work(at, due)
    pending.add(started)
    void started.finally(() => pending.delete(started))
  }
  await Promise.all(pending)
}
