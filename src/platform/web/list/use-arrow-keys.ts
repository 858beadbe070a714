import { useEffect } from 'react'
import type { RefObject } from 'react'

import { findShortcut } from '../keyboard.ts'
import { MOVE_KEYS } from './list-keys.ts'

/** The attribute with an element's index in its list, by which arrow keys find it. */
const INDEX_ATTRIBUTE = 'data-place'
/** A record outside the viewport is rendered after a frame or two. */
const MAX_FRAMES = 30

/** What takes the focus of a record: its link, or its cell in a column. */
const findFocusable = (list: ParentNode | null, index: number, column?: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(
    `[${INDEX_ATTRIBUTE}="${index}"] ${column === undefined ? ':is(a, button)' : `> [data-column="${column}"]`}`,
  ) ?? null

/** The first record of the page's list, for Arrow Down in the search field. */
export const findFirstRecord = (): HTMLElement | null => document.querySelector<HTMLElement>(`#main [${INDEX_ATTRIBUTE}] :is(a, button)`)

const searchField = (): HTMLElement | null => document.querySelector('#main search input')

/** The index that a key moves to from `index` among `count` records in `columns`; undefined for other keys. */
const getNextIndex = (event: KeyboardEvent, index: number, count: number, columns: number): number | undefined => {
  switch (findShortcut(event, MOVE_KEYS)) {
    case 'down':
      return index + columns < count ? index + columns : index
    case 'up':
      return index - columns
    case 'right':
      return columns > 1 ? Math.min(count - 1, index + 1) : undefined
    case 'left':
      return columns > 1 ? Math.max(0, index - 1) : undefined
    case 'first':
      return 0
    case 'last':
      return count - 1
    case undefined:
      return undefined
  }
}

/**
 * Arrow keys, Home and End move between records, and from the first one up to the search field. `reveal` renders a record outside the viewport; it
 * must be stable between renders. Records carry their index in `data-place`; `places` lists those that are shown, if not all are. A focused cell of a
 * table moves in its column.
 */
export const useArrowKeys = (
  list: RefObject<HTMLElement | null>,
  count: number,
  columns: number,
  reveal: (index: number) => void,
  places?: readonly number[],
): void => {
  useEffect(() => {
    const element = list.current
    const focus = (index: number, column: string | undefined, attempts: number): void => {
      const found = findFocusable(element, index, column)
      if (found) found.focus()
      else if (attempts > 0) requestAnimationFrame(() => focus(index, column, attempts - 1))
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
      const record = event.target instanceof Element ? event.target.closest(`[${INDEX_ATTRIBUTE}]`) : null
      const place = Number(record?.getAttribute(INDEX_ATTRIBUTE))
      const index = record ? getNextIndex(event, places?.indexOf(place) ?? place, places?.length ?? count, columns) : undefined
      const next = index === undefined ? undefined : (places?.[index] ?? index)
      if (next === undefined) return
      event.preventDefault()
      if (next < 0) searchField()?.focus()
      else {
        const column = event.target instanceof HTMLElement ? event.target.dataset['column'] : undefined
        if (!findFocusable(element, next, column)) reveal(next)
        focus(next, column, MAX_FRAMES)
      }
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [list, count, columns, reveal, places])
}
