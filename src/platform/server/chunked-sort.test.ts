import { expect, test } from 'vitest'

import { sortInChunks } from './chunked-sort.ts'

/** Many items with few distinct keys, so that unstable sorting would be noticed. */
const items = (count: number) => Array.from({ length: count }, (_, at) => ({ key: (at * 7919) % 13, at }))

test.each([0, 1, 999, 1000, 1001, 12_345])('sorts %d values as toSorted does, keeping the order of equal ones', async (count) => {
  const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key
  expect(await sortInChunks(items(count), compare)).toEqual(items(count).toSorted(compare))
})

test('lets other work run while it sorts', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await sortInChunks(items(50_000), (a, b) => a.key - b.key)
  isOver = true
  expect(turns).toBeGreaterThan(100)
})
