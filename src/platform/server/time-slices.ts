import { setImmediate as pause } from 'node:timers/promises'

/** So long, in milliseconds, work on many records holds up other requests. */
const SLICE_MS = 2

/** Lets other requests have their turn where work on many records has lasted for a slice of time; call it between two records. */
export const createTimeSlices = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await pause()
    since = performance.now()
  }
}
