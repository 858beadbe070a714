import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { findShortcut, isTyping } from '../keyboard.ts'
import { useListedShortcuts } from '../shortcuts.ts'
import { SELECTION_GROUP, SELECTION_KEYS } from './list-keys.ts'

const getStorageKey = (name: string): string => `ticks.${name}`

/** The selected records of a list in this tab. */
export const readTicks = (name: string): ReadonlySet<string> => {
  try {
    const ticks: unknown = JSON.parse(sessionStorage.getItem(getStorageKey(name)) ?? '[]')
    return new Set(Array.isArray(ticks) ? ticks.filter((one) => typeof one === 'string') : [])
  } catch {
    return new Set()
  }
}

const saveTicks = (name: string, ticks: ReadonlySet<string>): void => {
  try {
    sessionStorage.setItem(getStorageKey(name), JSON.stringify([...ticks]))
  } catch {
    // Storage is disabled: the selection lasts only as long as the page.
  }
}

/** The selected rows of a list. */
export interface Selection<T> {
  readonly isTicked: (key: string) => boolean
  /** Toggles the record at an index; with `isRange`, all since the last one. */
  readonly toggle: (index: number, isRange?: boolean) => void
  /** The selected records among those listed, in order. */
  readonly records: readonly T[]
  /** The number of listed records. */
  readonly total: number
  readonly selectAll: () => void
  readonly clear: () => void
  /** Cards are shown as checkboxes. */
  readonly isChoosing: boolean
  readonly setChoosing: (isChoosing: boolean) => void
}

/** While a dialog is open, keys belong to it. */
const isCovered = (): boolean => document.querySelector('[role=dialog], :popover-open') !== null

/** Ctrl A selects the listed rows if one is selected or the focus is in the list; Escape clears the selection. */
const useSelectionKeys = <T>(selection: Selection<T> | null): void => {
  const latest = useRef(selection)
  useEffect(() => {
    latest.current = selection
  })
  const isOn = selection !== null
  useListedShortcuts(isOn ? SELECTION_GROUP : null)
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const now = latest.current
      if (!now || event.defaultPrevented || event.altKey || isTyping(event.target) || isCovered()) return
      const isInList = event.target instanceof Element && event.target.closest('[data-place], thead') !== null
      const pressed = findShortcut(event, SELECTION_KEYS)
      if (pressed === 'clear' && now.records.length > 0) now.clear()
      else if (pressed === 'all' && (isInList || now.records.length > 0)) {
        event.preventDefault()
        now.selectAll()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}

/**
 * The selection among the listed records; kept in this tab until it is cleared. Records hidden by a filter stay selected but do not count. Null if
 * the user may not change them. `getKey` must be stable between renders.
 */
export const useSelection = <T>(
  name: string,
  shown: readonly T[],
  getKey: (record: T) => string,
  isAllowed: boolean,
): Selection<T> | null => {
  const [ticks, setTicks] = useState(() => readTicks(name))
  const [isChoosing, setChoosing] = useState(false)
  const last = useRef<number | null>(null)
  const change = useCallback(
    (update: (before: ReadonlySet<string>) => ReadonlySet<string>) =>
      setTicks((before) => {
        const next = update(before)
        saveTicks(name, next)
        return next
      }),
    [name],
  )
  const toggle = useCallback(
    (index: number, isRange = false) => {
      const from = isRange && last.current !== null ? last.current : index
      last.current = index
      const keys = shown.slice(Math.min(from, index), Math.max(from, index) + 1).map(getKey)
      const own = shown[index] === undefined ? '' : getKey(shown[index])
      change((before) => {
        const next = new Set(before)
        const isOn = !before.has(own)
        for (const key of keys) {
          if (isOn) next.add(key)
          else next.delete(key)
        }
        return next
      })
    },
    [shown, getKey, change],
  )
  const selection = useMemo(
    () =>
      isAllowed
        ? {
            isTicked: (key: string) => ticks.has(key),
            toggle,
            records: shown.filter((record) => ticks.has(getKey(record))),
            total: shown.length,
            selectAll: () => change(() => new Set(shown.map(getKey))),
            clear: () => change(() => new Set()),
            isChoosing,
            setChoosing,
          }
        : null,
    [isAllowed, ticks, toggle, shown, getKey, change, isChoosing],
  )
  useSelectionKeys(selection)
  return selection
}
