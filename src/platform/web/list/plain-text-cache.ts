import { buildSearchText, type GetSearchTexts } from '../../../contract/lists.ts'

/** The number of records converted at once, which takes a few milliseconds. */
const BATCH_SIZE = 500

const caches = new WeakMap<GetSearchTexts<never>, WeakMap<object, string>>()

const getCache = <T>(getSearchTexts: GetSearchTexts<T>): WeakMap<object, string> => {
  const cache = caches.get(getSearchTexts) ?? new WeakMap<object, string>()
  caches.set(getSearchTexts, cache)
  return cache
}

/** The searchable text of a record in plain letters; computed once per record. */
export const getPlainText = <T extends object>(record: T, getSearchTexts: GetSearchTexts<T>): string => {
  const cache = getCache(getSearchTexts)
  const known = cache.get(record)
  if (known !== undefined) return known
  const text = buildSearchText(record, getSearchTexts)
  cache.set(record, text)
  return text
}

/** Converts the records' texts in idle time, so that no keystroke has to wait for it. Returns a function that stops it. */
export const preparePlainTexts = <T extends object>(records: readonly T[], getSearchTexts: GetSearchTexts<T>): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const normalizeFrom = (from: number): void => {
    for (const record of records.slice(from, from + BATCH_SIZE)) getPlainText(record, getSearchTexts)
    if (from + BATCH_SIZE < records.length) timer = setTimeout(() => normalizeFrom(from + BATCH_SIZE))
  }
  timer = setTimeout(() => normalizeFrom(0))
  return () => clearTimeout(timer)
}
