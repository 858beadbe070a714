import { expect, test } from 'vitest'

import { SharedReads } from './shared-reads.ts'

/** A read that is answered by hand, and returns how often it has run. */
const createRead = () => {
  const ends: (() => void)[] = []
  let runs = 0
  const run = async (): Promise<number> => {
    const number = ++runs
    await new Promise<void>((resolve) => ends.push(resolve))
    return number
  }
  const end = async (): Promise<void> => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return { run, end, count: () => runs }
}

test('everyone who asks at the same time gets one result', async () => {
  const reads = new SharedReads<number>()
  const { run, end } = createRead()
  const asked = [1, 2, 3].map(() => reads.read('a', run))
  await end()
  expect(await Promise.all(asked)).toEqual([1, 1, 1])
})

test('who asks during a read gets the next one, which sees what was saved since', async () => {
  const reads = new SharedReads<number>()
  const { run, end, count } = createRead()
  const first = reads.read('a', run)
  await expect.poll(count).toBe(1)
  const later = [reads.read('a', run), reads.read('a', run)]
  await end()
  expect(await first).toBe(1)
  await end()
  expect(await Promise.all(later)).toEqual([2, 2])
  const again = reads.read('a', run)
  await end()
  expect(await again).toBe(3)
})

test('a failed read fails for those who share it, not for the next ones or for other keys', async () => {
  const reads = new SharedReads<string>()
  const fail = async (): Promise<string> => {
    throw new Error('The database is gone')
  }
  const failing = [reads.read('a', fail), reads.read('a', fail)]
  expect(await reads.read('b', async () => 'other')).toBe('other')
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await reads.read('a', async () => 'next')).toBe('next')
})
