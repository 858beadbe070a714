import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'

import { normalizeSearch, type GetSearchTexts } from '../../contract/lists.ts'
import { useAddress } from '../address.ts'
import { plainTextOf, preparePlainTexts } from './plainTexts.ts'
import type { ReadWords } from './usePlainWords.ts'

/** Browsers refuse an address that changes with every letter. */
const WRITE_AFTER = 200
/** After such a pause the words are taken to be said. */
const READ_AFTER = 700

export interface Typed {
  /** What stands in the search field. */
  text: string
  /** What the list goes by; it may lag behind fast fingers, so that typing never waits for 10,000 rows. */
  wanted: string
  /** `atEnd` unless letters are put in between others: those words are read when the field is left. */
  type: (text: string, atEnd?: boolean) => void
  /** The field is in use, and leads whatever happens to the address. */
  enter: () => void
  /** Writes what was typed to the address now. */
  settle: () => void
  /** The field is left. */
  leave: () => void
  /** What plain words last became, to be read out: 'Filters: closed, ohio'. */
  said: string
}

/**
 * Text of a list's search field. It lives in the address as `?q=` and is kept there by Back (section "Lists" of the look). With `read`,
 * plain words become filters of the address once they are said: on Enter, when the field is left, or after a pause.
 */
export const useTyped = (read?: ReadWords): Typed => {
  const [{ q: inAddress = '' }, change] = useAddress()
  const [text, setText] = useState(inAddress)
  const inUse = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [said, setSaid] = useState('')
  // A pause may end after the records have come, and goes by them.
  const reading = useRef(read)
  useEffect(() => {
    reading.current = read
  }, [read])

  useEffect(() => {
    // Somebody else changed the address: a link of the menu, 'Clear search'. While the field is in use, it leads.
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
  const hear = (next: string, finished: boolean): boolean => {
    const understood = reading.current?.(next, finished)
    if (!understood) return false
    const { left, filters, heard } = understood
    setText(left)
    setSaid(`Filters: ${heard.join(', ')}`)
    write(left, filters)
    return true
  }
  const settle = () => {
    clearTimeout(pause.current)
    if (!hear(text, true) && timer.current !== undefined) write(text)
  }
  return {
    text,
    wanted: useDeferredValue(text),
    type: (next, atEnd = true) => {
      setText(next)
      setSaid('')
      clearTimeout(timer.current)
      clearTimeout(pause.current)
      timer.current = setTimeout(() => write(next), WRITE_AFTER)
      if (atEnd && read) pause.current = setTimeout(() => hear(next, false), READ_AFTER)
    },
    enter: () => {
      inUse.current = true
    },
    settle,
    leave: () => {
      inUse.current = false
      settle()
    },
    said,
  }
}

/** The records one of whose texts contains what is wanted (D40). */
export const useMatching = <T extends object>(records: readonly T[], getSearchTexts: GetSearchTexts<T>, wanted: string): readonly T[] => {
  const searched = normalizeSearch(wanted)
  useEffect(() => preparePlainTexts(records, getSearchTexts), [records, getSearchTexts])
  return useMemo(
    () => (searched === '' ? records : records.filter((record) => plainTextOf(record, getSearchTexts).includes(searched))),
    [records, getSearchTexts, searched],
  )
}
