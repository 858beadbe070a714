import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { LiveChange } from '../contract.ts'
import { createRefresher } from './refresh-queries.ts'

let client: QueryClient
let visibilityState: string
beforeEach(() => {
  vi.useFakeTimers()
  visibilityState = 'visible'
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibilityState
    },
    querySelectorAll: () => [],
  })
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16))
  client = new QueryClient()
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A response on the page; returns how often it was read again. */
const show = async (name: string, data: unknown, shows?: readonly string[]): Promise<() => number> => {
  let reads = 0
  const observer = new QueryObserver(client, {
    queryKey: [name],
    queryFn: () => {
      reads++
      return data
    },
    meta: { shows },
  })
  observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  return () => reads - 1
}
const change = (kind: string, _id: string): LiveChange => ({ kind, _id, action: 'changed', at: '2026-11-28T12:00:00.000Z', by: 'Ana Ruiz' })

test('exactly the responses that show a change are read again, within half a second', async () => {
  const page = await show('page of 1', { _id: 'site 1' })
  const other = await show('page of 2', { _id: 'site 2' })
  const list = await show('sites', [], ['site', 'person'])
  const requests = await show('requests', [{ about: 'site 1' }], ['request'])
  const { add } = createRefresher(client, () => {})
  add({ changes: [change('site', 'site 1')] })
  await vi.advanceTimersByTimeAsync(500)
  expect([page(), other(), list(), requests()]).toEqual([1, 0, 1, 0])
})

test('a change of very many records names kinds, and reads their lists and every record', async () => {
  const page = await show('page of 1', { _id: 'site 1' })
  const list = await show('sites', [], ['site'])
  const never = await show('preview', { _id: 'site 1' }, [])
  const { add } = createRefresher(client, () => {})
  add({ kinds: ['person'], isMany: true })
  await vi.advanceTimersByTimeAsync(500)
  expect([page(), list(), never()]).toEqual([1, 0, 0])
  add({ kinds: ['site'], isMany: true })
  await vi.advanceTimersByTimeAsync(4000)
  expect([page(), list(), never()]).toEqual([2, 1, 0])
  add({ isEverything: true })
  await vi.advanceTimersByTimeAsync(5000)
  expect([page(), list(), never()]).toEqual([3, 2, 0])
})

test('an import of 1,000 records in ten seconds reads a list a few times, and a record no more than once a second', async () => {
  const page = await show('page of 1', { _id: 'site 1' })
  const list = await show('sites', [], ['site'])
  const { add } = createRefresher(client, () => {})
  for (let nth = 0; nth < 20; nth++) {
    add({ changes: Array.from({ length: 50 }, (_, at) => change('site', `site ${at}`)) })
    await vi.advanceTimersByTimeAsync(500)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(page()).toBeGreaterThan(5)
  expect(page()).toBeLessThanOrEqual(12)
  expect(list()).toBeGreaterThan(1)
  expect(list()).toBeLessThanOrEqual(6)
})

test('someone who saves again and again is followed within two seconds', async () => {
  const list = await show('sites', [], ['site'])
  const { add } = createRefresher(client, () => {})
  for (let nth = 1; nth <= 10; nth++) {
    add({ changes: [change('site', 'site 1')] })
    await vi.advanceTimersByTimeAsync(1500)
    expect(list()).toBe(nth)
  }
})

test('a hidden page reads nothing until it is shown', async () => {
  const page = await show('page of 1', { _id: 'site 1' })
  const { add } = createRefresher(client, () => {})
  visibilityState = 'hidden'
  add({ changes: [change('site', 'site 1')] })
  await vi.advanceTimersByTimeAsync(2000)
  expect(page()).toBe(0)
  expect(client.getQueryState(['page of 1'])?.isInvalidated).toBe(true)
})
