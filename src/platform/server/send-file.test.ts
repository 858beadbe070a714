import { expect, test } from 'vitest'

import { endStalledDownload, type ActiveDownload } from './send-file.ts'

const SECOND = 1000

/** Fifty running downloads, with the given times since their last read. */
const fifty = (ages: readonly number[]) => {
  const ended: number[] = []
  const sending = new Set(
    Array.from({ length: 50 }, (_, at): ActiveDownload => ({ lastReadAt: Date.now() - (ages[at] ?? 0), end: () => void ended.push(at) })),
  )
  return { sending, ended }
}

test('with a free slot, no download is ended', () => {
  const { sending, ended } = fifty([60 * SECOND])
  sending.delete([...sending].at(-1) ?? { lastReadAt: 0, end: () => {} })
  endStalledDownload(sending)
  expect(ended).toEqual([])
})

test('without a free slot, the download that has stalled longest is ended', () => {
  const { sending, ended } = fifty([6 * SECOND, 20 * SECOND, 10 * SECOND])
  endStalledDownload(sending)
  expect(ended).toEqual([1])
})

test('if no download has stalled, the new one is refused with Retry-After', () => {
  const { sending, ended } = fifty([SECOND])
  expect(() => endStalledDownload(sending)).toThrow(expect.objectContaining({ status: 429, retryAfter: 10 }))
  expect(ended).toEqual([])
})
