import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'

import { plain } from '../../contract/text-match.ts'
import { useAddress } from '../address.ts'

/** Browsers refuse an address that changes with every letter. */
const WRITE_AFTER = 200

export interface Typed {
  /** What stands in the search field. */
  text: string
  /** What the list goes by; it may lag behind fast fingers, so that typing never waits for 10,000 rows. */
  wanted: string
  type: (text: string) => void
  /** The field is in use, and leads whatever happens to the address. */
  enter: () => void
  /** Writes what was typed to the address now. */
  settle: () => void
  /** The field is left. */
  leave: () => void
}

/** Text of a list's search field. It lives in the address as `?q=` and is kept there by Back (section "Lists" of the look). */
export const useTyped = (): Typed => {
  const [{ q: inAddress = '' }, change] = useAddress()
  const [text, setText] = useState(inAddress)
  const inUse = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    // Somebody else changed the address: a link of the menu, 'Clear search'. While the field is in use, it leads.
    if (!inUse.current) setText(inAddress)
  }, [inAddress])
  useEffect(() => () => clearTimeout(timer.current), [])

  const write = (next: string) => {
    clearTimeout(timer.current)
    timer.current = undefined
    change({ q: next || undefined })
  }
  const settle = () => {
    if (timer.current !== undefined) write(text)
  }
  return {
    text,
    wanted: useDeferredValue(text),
    type: (next) => {
      setText(next)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => write(next), WRITE_AFTER)
    },
    enter: () => {
      inUse.current = true
    },
    settle,
    leave: () => {
      inUse.current = false
      settle()
    },
  }
}

/** The records one of whose texts contains what is wanted (D40): each record's texts are made plain once, not with every letter. */
export const useMatching = <T>(
  records: readonly T[],
  textsOf: (record: T) => readonly (string | null | undefined)[],
  wanted: string,
): readonly T[] => {
  const searched = plain(wanted.trim())
  const needed = searched !== ''
  const texts = useMemo(
    () => (needed ? records.map((record) => textsOf(record).map((text) => plain(text ?? ''))) : []),
    [records, textsOf, needed],
  )
  return useMemo(
    () => (needed ? records.filter((_, at) => texts[at]?.some((text) => text.includes(searched))) : records),
    [records, texts, searched, needed],
  )
}
