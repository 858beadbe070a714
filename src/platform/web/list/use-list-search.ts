import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'

import type { GetSearchTexts } from '../../../contract/lists.ts'
import { createTextMatcher } from '../../../contract/text-match.ts'
import { useSearchParams } from '../search-params.ts'
import { getPlainText, preparePlainTexts } from './plain-text-cache.ts'
import type { ParseWords } from './use-plain-words.ts'

/** Browsers limit how often the URL may change. */
const URL_DEBOUNCE_MS = 200
/** After this pause the words count as complete. */
const PARSE_DELAY_MS = 700

export interface ListSearch {
  /** The text in the search field. */
  text: string
  /** The text that the list is filtered by; it may lag behind, so that typing never waits for 10,000 rows. */
  deferredText: string
  /** `atEnd` is false if letters are inserted in the middle: then plain words are parsed on blur. */
  setText: (text: string, atEnd?: boolean) => void
  /** The focused field takes precedence over changes of the URL. */
  handleFocus: () => void
  /** Writes the text to the URL now. */
  commit: () => void
  /** Called on blur. */
  handleBlur: () => void
  /** The filters last recognized in plain words, for screen readers: 'Filters: closed, ohio'. */
  announcement: string
}

/**
 * Text of a list's search field. It is stored in the URL as `?q=`, so Back keeps it. With `parseWords`, plain words become filters in the URL once
 * they are complete: on Enter, on blur, or after a pause.
 */
export const useListSearch = (parseWords?: ParseWords): ListSearch => {
  const [{ q: inAddress = '' }, change] = useSearchParams()
  const [text, setText] = useState(inAddress)
  const inUse = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [announcement, setAnnouncement] = useState('')
  // The records may have loaded by the end of the pause, which then needs the current parser.
  const parseRef = useRef(parseWords)
  useEffect(() => {
    parseRef.current = parseWords
  }, [parseWords])

  useEffect(() => {
    // The URL was changed elsewhere: a menu link, 'Clear search'. While the field is focused, it takes precedence.
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

/** The records one of whose texts contains the query, also with other spaces. */
export const useMatchingRecords = <T extends object>(
  records: readonly T[],
  getSearchTexts: GetSearchTexts<T>,
  inputText: string,
): readonly T[] => {
  const searched = inputText.trim()
  useEffect(() => preparePlainTexts(records, getSearchTexts), [records, getSearchTexts])
  return useMemo(() => {
    if (searched === '') return records
    const matches = createTextMatcher(searched)
    return records.filter((record) => matches(getPlainText(record, getSearchTexts)))
  }, [records, getSearchTexts, searched])
}
