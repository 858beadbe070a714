import { useEffect } from 'react'

const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  (target instanceof Element && target.closest('input:not([type="radio"]), textarea, select, [contenteditable]') !== null)

/** Keys that act wherever focus is on the page, but for fields and windows. Keep `keys` the same between renderings. */
export const usePageKeys = (keys: Readonly<Record<string, () => void>>): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || isElsewhere(event.target)) return
      if (!Object.hasOwn(keys, event.key)) return
      event.preventDefault()
      keys[event.key]?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [keys])
}
