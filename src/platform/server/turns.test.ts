import { expect, test } from 'vitest'

import { KeyedTurns, NoTurn, Turns } from './turns.ts'

/** Whether a turn has come, once all that was under way is done. */
const hasCome = async (turn: Promise<unknown>): Promise<boolean> => {
  let come = false
  void turn.then(() => (come = true))
  await new Promise((resolve) => setImmediate(resolve))
  return come
}

test('a heavy turn waits until there is room for all of it, and nobody who came later goes before it', async () => {
  const turns = new Turns(10)
  const first = await turns.take(undefined, 6)
  const heavy = turns.take(undefined, 8)
  const light = turns.take(undefined, 1)
  expect([await hasCome(heavy), await hasCome(light)]).toEqual([false, false])
  first()
  expect([await hasCome(heavy), await hasCome(light)]).toEqual([true, true])
})

test('where a heavy one stops waiting, those behind it go on', async () => {
  const turns = new Turns(2)
  await turns.take()
  const over = new AbortController()
  const heavy = turns.take(over.signal, 2)
  const light = turns.take()
  over.abort()
  await expect(heavy).rejects.toThrow(NoTurn)
  expect(await hasCome(light)).toBe(true)
})

test('a turn given back twice is one turn', async () => {
  const turns = new Turns(1)
  const giveBack = await turns.take()
  giveBack()
  giveBack()
  await turns.take()
  expect(await hasCome(turns.take())).toBe(false)
})

test('one key never takes the turns of another, and no more wait for it than may', async () => {
  const turns = new KeyedTurns(1, 1)
  const giveBack = await turns.take('a')
  const second = turns.take('a')
  await expect(turns.take('a')).rejects.toThrow(NoTurn)
  expect(await hasCome(turns.take('b'))).toBe(true)
  expect(await hasCome(second)).toBe(false)
  giveBack()
  expect(await hasCome(second)).toBe(true)
})
