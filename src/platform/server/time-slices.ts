import { setTimeout as rest } from 'node:timers/promises'

/** How many milliseconds work on many records may block other requests. */
const SLICE_MS = 2

/** The pause between slices of work on a whole file: other requests run at nearly full speed, and the work takes 20 % longer. */
export const LONG_WORK_REST_MS = 1

/** Work that has paused, in the order in which it continues. */
const paused: (() => void)[] = []

const continueNext = (): void => {
  paused.shift()?.()
  if (paused.length > 0) setImmediate(continueNext)
}

/** Waits for a turn of the event loop. Each turn continues one of all that wait: the slices of fifty requests in one turn would block like one long one. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (paused.push(resolve) === 1) setImmediate(continueNext)
  })

let turnBegan: number | undefined
const forgetTurn = (): void => void (turnBegan = undefined)

/**
 * A later turn to wait for if requests have used up this one: several large bodies or responses in one turn would block the others. Otherwise
 * undefined, so that the work begins at once: after an `await`, all who asked before it would begin in this turn.
 */
export const shareTurn = (): Promise<void> | undefined => {
  if (turnBegan !== undefined) return performance.now() - turnBegan < SLICE_MS ? undefined : nextTurn()
  turnBegan = performance.now()
  setImmediate(forgetTurn)
  return undefined
}

/** Returns a function to call between two records, which yields to other requests after each time slice and pauses for `restMs`. */
export const createTimeSlices = (restMs = 0): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    if (restMs > 0) await rest(restMs)
    await nextTurn()
    since = performance.now()
  }
}
