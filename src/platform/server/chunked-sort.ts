import { nextTurn } from './time-slices.ts'

/** Number of items sorted or merged before yielding to the event loop: a few milliseconds of work. */
const CHUNK_SIZE = 1000

/** A stable sort like `toSorted` that regularly yields to the event loop, for lists of 100,000 items. */
export const sortInChunks = async <T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> => {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += CHUNK_SIZE) {
    runs.push(items.slice(at, at + CHUNK_SIZE).toSorted(compare))
    await nextTurn()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

const merge = async <T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> => {
  const merged: T[] = []
  let [l, r] = [0, 0]
  while (l < left.length && r < right.length) {
    merged.push(compare(left[l] as T, right[r] as T) <= 0 ? (left[l++] as T) : (right[r++] as T))
    if (merged.length % CHUNK_SIZE === 0) await nextTurn()
  }
  return merged.concat(left.slice(l), right.slice(r))
}
