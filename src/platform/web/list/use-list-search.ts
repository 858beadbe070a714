import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'

import { normalizeSearch, type GetSearchTexts } from '../../../contract/lists.ts'
import { useSearchParams } from '../search-params.ts'
import { getPlainText, preparePlainTexts } from './plain-text-cache.ts'
import type { ParseWords } from './use-plain-words.ts'

/** Browsers refuse an address that changes with every letter. */
const URL_DEBOUNCE_MS = 200
/** After such a pause the words count as finished. */
const PARSE_DELAY_MS = 700

export interface ListSearch {
  /** What is in the search field. */
  text: string
  /** What the list goes by; it may lag behind fast fingers, so that typing never waits for 10,000 rows. */
  deferredText: string
  /** `atEnd` unless letters are put in between others: those words are read when the field loses focus. */
  setText: (text: string, atEnd?: boolean) => void
  /** The field is in use, and leads whatever happens to the address. */
  handleFocus: () => void
  /** Writes what was typed to the address now. */
  commit: () => void
  /** The field lost focus. */
  handleBlur: () => void
  /** What plain words last became, to be read out: 'Filters: closed, ohio'. */
  announcement: string
}

/**
 * Text of a list's search field. It lives in the address as `?q=` and is kept there by Back. With `parseWords`,
 * plain words become filters of the address once they are finished: on Enter, when the field loses focus, or after a pause.
 */
export const useListSearch = (parseWords?: ParseWords): ListSearch => {
  const [{ q: inAddress = '' }, change] = useSearchParams()
  const [text, setText] = useState(inAddress)
  const inUse = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [announcement, setAnnouncement] = useState('')
  // A pause may end after the records have come, and goes by them.
  const parseRef = useRef(parseWords)
  useEffect(() => {
    parseRef.current = parseWords
  }, [parseWords])

  useEffect(() => {
    // Someone else changed the address: a link of the menu, 'Clear search'. While the field is in use, it leads.
    if (!inUse.current) setText(inAddress)
  }, [inAddress])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      clearTimeout(pause.current)
    },
    [],
  )

  const write = (next: string, filters: Readonly<Record<string, string | undefined>> = {}) => {
    clearTimeout(timer.current)
    timer.current = undefined
    change({ ...filters, q: next || undefined })
  }
  const applyFilters = (next: string, finished: boolean): boolean => {
    const understood = parseRef.current?.(next, finished)
    if (!understood) return false
    const { remainingText, filters, matchedWords } = understood
    setText(remainingText)
    setAnnouncement(`Filters: ${matchedWords.join(', ')}`)
    write(remainingText, filters)
    return true
  }
  const commit = () => {
    clearTimeout(pause.current)
    if (!applyFilters(text, true) && timer.current !== undefined) write(text)
  }
  return {
    text,
    deferredText: useDeferredValue(text),
    setText: (next, atEnd = true) => {
      setText(next)
      setAnnouncement('')
      clearTimeout(timer.current)
      clearTimeout(pause.current)
      timer.current = setTimeout(() => write(next), URL_DEBOUNCE_MS)
      if (atEnd && parseWords) pause.current = setTimeout(() => applyFilters(next, false), PARSE_DELAY_MS)
    },
    handleFocus: () => {
      inUse.current = true
    },
    commit,
    handleBlur: () => {
      inUse.current = false
      commit()
    },
    announcement,
  }
}

/** The records one of whose texts contains what is searched for. */
export const useMatchingRecords = <T extends object>(
  records: readonly T[],
  getSearchTexts: GetSearchTexts<T>,
  inputText: string,
): readonly T[] => {
  const searched = normalizeSearch(inputText)
  useEffect(() => preparePlainTexts(records, getSearchTexts), [records, getSearchTexts])
  return useMemo(
    () => (searched === '' ? records : records.filter((record) => getPlainText(record, getSearchTexts).includes(searched))),
    [records, getSearchTexts, searched],
  )
}
