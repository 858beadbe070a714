import { setImmediate as nextLoop } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { createTimeSlices, shareTurn } from './time-slices.ts'

const SLICE_MS = 2

const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test('work of many requests gives others a turn after each slice, not after one slice for each request', async () => {
  let slices = 0
  const requests = Array.from({ length: 20 }, async () => {
    const rest = createTimeSlices()
    for (let slice = 0; slice < 5; slice++) {
      work(SLICE_MS)
      slices++
      await rest()
    }
  })
  const perTurn: number[] = []
  for (let turn = 0; turn < 100; turn++) {
    const before = slices
    await nextLoop()
    perTurn.push(slices - before)
  }
  await Promise.all(requests)
  expect(slices).toBe(100)
  expect(Math.max(...perTurn)).toBe(1)
})

test('requests that continue together do not all work in one turn', async () => {
  const done: string[] = []
  const handle = async (name: string): Promise<void> => {
    await Promise.resolve()
    const turn = shareTurn()
    if (turn) await turn
    work(2 * SLICE_MS)
    done.push(name)
  }
  const requests = [handle('first'), handle('second')]
  setImmediate(() => done.push('another request'))
  await Promise.all(requests)
  expect(done).toEqual(['first', 'another request', 'second'])
})
