import { expect, test } from 'vitest'

import { KeyedSemaphore, AcquireTimeout, Semaphore } from './semaphore.ts'

/** Whether a semaphore was acquired, once all pending work is done. */
const isSettled = async (acquired: Promise<unknown>): Promise<boolean> => {
  let settled = false
  void acquired.then(() => (settled = true))
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

test('a request for several slots waits until all of them are free, and later requests do not pass it', async () => {
  const semaphore = new Semaphore(10)
  const first = await semaphore.acquire(undefined, 6)
  const heavy = semaphore.acquire(undefined, 8)
  const light = semaphore.acquire(undefined, 1)
  expect([await isSettled(heavy), await isSettled(light)]).toEqual([false, false])
  first()
  expect([await isSettled(heavy), await isSettled(light)]).toEqual([true, true])
})

test('if the first in the queue times out, those behind it continue', async () => {
  const semaphore = new Semaphore(2)
  await semaphore.acquire()
  const over = new AbortController()
  const heavy = semaphore.acquire(over.signal, 2)
  const light = semaphore.acquire()
  over.abort()
  await expect(heavy).rejects.toThrow(AcquireTimeout)
  expect(await isSettled(light)).toBe(true)
})

test('a slot that is released twice counts once', async () => {
  const semaphore = new Semaphore(1)
  const release = await semaphore.acquire()
  release()
  release()
  await semaphore.acquire()
  expect(await isSettled(semaphore.acquire())).toBe(false)
})

test('one key never uses the slots of another, and its queue is limited', async () => {
  const semaphore = new KeyedSemaphore(1, 1)
  const release = await semaphore.acquire('a')
  const second = semaphore.acquire('a')
  await expect(semaphore.acquire('a')).rejects.toThrow(AcquireTimeout)
  expect(await isSettled(semaphore.acquire('b'))).toBe(true)
  expect(await isSettled(second)).toBe(false)
  release()
  expect(await isSettled(second)).toBe(true)
})
