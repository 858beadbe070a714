import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

const getStorageKey = (name: string): string => `ticks.${name}`

/** The ticks of a list in this tab. */
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
    // A browser that keeps nothing forgets the ticks with the page.
  }
}

/** The rows of a list that are ticked. */
export interface Selection<T> {
  readonly isTicked: (key: string) => boolean
  /** Ticks or unticks the record at a place; with `isRange` all from the last one on. */
  readonly toggle: (place: number, isRange?: boolean) => void
  /** The ticked records that show, in their order. */
  readonly records: readonly T[]
  /** How many show. */
  readonly total: number
  readonly selectAll: () => void
  readonly clear: () => void
  /** Cards become ticks. */
  readonly isChoosing: boolean
  readonly setChoosing: (isChoosing: boolean) => void
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]')

/** Keys belong to what lies over the page while it is open. */
const isCovered = (): boolean => document.querySelector('[role=dialog], :popover-open') !== null

/** Ctrl A takes the rows that show, once one is ticked or the focus is in the list; Escape clears. */
const useSelectionKeys = <T>(selection: Selection<T> | null): void => {
  const latest = useRef(selection)
  useEffect(() => {
    latest.current = selection
  })
  const isOn = selection !== null
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      const now = latest.current
      if (!now || event.defaultPrevented || event.altKey || isTextField(event.target) || isCovered()) return
      const isInList = event.target instanceof Element && event.target.closest('[data-place], thead') !== null
      if (event.key === 'Escape' && now.records.length > 0) now.clear()
      else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && (isInList || now.records.length > 0)) {
        event.preventDefault()
        now.selectAll()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}

/**
 * Which of the records that show are ticked; kept in this tab until they are cleared. Records that a filter hides stay ticked and do not count.
 * Null where the reader may not change them. Keep `getKey` the same between renderings.
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
    (place: number, isRange = false) => {
      const from = isRange && last.current !== null ? last.current : place
      last.current = place
      const keys = shown.slice(Math.min(from, place), Math.max(from, place) + 1).map(getKey)
      const own = shown[place] === undefined ? '' : getKey(shown[place])
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
