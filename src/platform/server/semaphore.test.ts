import { expect, test } from 'vitest'

import { KeyedSemaphore, AcquireTimeout, Semaphore } from './semaphore.ts'

/** Whether a semaphore was acquired, once all pending work is done. */
const hasCome = async (turn: Promise<unknown>): Promise<boolean> => {
  let come = false
  void turn.then(() => (come = true))
  await new Promise((resolve) => setImmediate(resolve))
  return come
}

test('a heavy turn waits until there is room for all of it, and no one who came later goes before it', async () => {
  const turns = new Semaphore(10)
  const first = await turns.acquire(undefined, 6)
  const heavy = turns.acquire(undefined, 8)
  const light = turns.acquire(undefined, 1)
  expect([await hasCome(heavy), await hasCome(light)]).toEqual([false, false])
  first()
  expect([await hasCome(heavy), await hasCome(light)]).toEqual([true, true])
})

test('where a heavy one stops waiting, those behind it continue', async () => {
  const turns = new Semaphore(2)
  await turns.acquire()
  const over = new AbortController()
  const heavy = turns.acquire(over.signal, 2)
  const light = turns.acquire()
  over.abort()
  await expect(heavy).rejects.toThrow(AcquireTimeout)
  expect(await hasCome(light)).toBe(true)
})

test('a turn given back twice is one turn', async () => {
  const turns = new Semaphore(1)
  const giveBack = await turns.acquire()
  giveBack()
  giveBack()
  await turns.acquire()
  expect(await hasCome(turns.acquire())).toBe(false)
})

test('one key never takes the turns of another, and no more wait for it than may', async () => {
  const turns = new KeyedSemaphore(1, 1)
  const giveBack = await turns.acquire('a')
  const second = turns.acquire('a')
  await expect(turns.acquire('a')).rejects.toThrow(AcquireTimeout)
  expect(await hasCome(turns.acquire('b'))).toBe(true)
  expect(await hasCome(second)).toBe(false)
  giveBack()
  expect(await hasCome(second)).toBe(true)
})
