import { setImmediate as pause } from 'node:timers/promises'

/** How many milliseconds work on many records may block other requests. */
const SLICE_MS = 2

/** Returns a function to call between two records, which yields to other requests after each time slice. */
export const createTimeSlices = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await pause()
    since = performance.now()
  }
}
