import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'

/** How many milliseconds work on many records may block other requests. */
const SLICE_MS = 2

/** The pause between slices of work on a whole file: other requests run at nearly full speed, and the work takes 20 % longer. */
export const LONG_WORK_REST_MS = 1

/** Returns a function to call between two records, which yields to other requests after each time slice and pauses for `restMs`. */
export const createTimeSlices = (restMs = 0): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await (restMs > 0 ? rest(restMs) : nextTurn())
    since = performance.now()
  }
}
