import { afterEach, expect, test, vi } from 'vitest'

import { PhotoCache, CACHE_DURATIONS, toEtag } from './photo-cache.server.ts'

const photoOf = (length: number) => {
  const bytes = Buffer.alloc(length, length)
  return { type: 'image/webp', bytes, etag: toEtag(bytes) }
}
afterEach(() => {
  vi.useRealTimers()
})

test('the number of photos is limited; the least recently used are removed first', () => {
  const cache = new PhotoCache(3, 1000)
  for (const name of ['a', 'b', 'c']) cache.set(name, photoOf(10), CACHE_DURATIONS.photo)
  cache.find('a')
  cache.set('d', null, CACHE_DURATIONS.none)
  expect(['a', 'b', 'c', 'd'].map((name) => cache.find(name) !== undefined)).toEqual([true, false, true, true])
  expect(cache.size).toEqual({ photos: 3, bytes: 20 })
})

test('the number of bytes is limited, and a replaced photo counts once', () => {
  const cache = new PhotoCache(100, 1000)
  for (let turn = 0; turn < 5; turn++) cache.set('same', photoOf(600), CACHE_DURATIONS.photo)
  expect(cache.size).toEqual({ photos: 1, bytes: 600 })
  cache.set('other', photoOf(500), CACHE_DURATIONS.photo)
  expect(cache.size).toEqual({ photos: 1, bytes: 500 })
  for (let person = 0; person < 10_000; person++) cache.set(`p${person}`, photoOf(9), CACHE_DURATIONS.photo)
  expect(cache.size).toEqual({ photos: 100, bytes: 900 })
})

test('a photo is cached for a day, a missing one for six hours, a failure for five minutes', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const cache = new PhotoCache()
  cache.set('photo', photoOf(1), CACHE_DURATIONS.photo)
  cache.set('none', null, CACHE_DURATIONS.none)
  cache.set('failed', null, CACHE_DURATIONS.failed)
  const fresh = () => ['photo', 'none', 'failed'].map((name) => cache.find(name)?.fresh)
  expect(fresh()).toEqual([true, true, true])
  vi.advanceTimersByTime(5 * 60_000)
  expect(fresh()).toEqual([true, true, false])
  vi.advanceTimersByTime(6 * 3_600_000)
  expect(fresh()).toEqual([true, false, false])
  vi.advanceTimersByTime(24 * 3_600_000)
  expect(fresh()).toEqual([false, false, false])
  // An expired photo is still better than nothing while the directory is unavailable.
  expect(cache.find('photo')?.photo).not.toBeNull()
})
