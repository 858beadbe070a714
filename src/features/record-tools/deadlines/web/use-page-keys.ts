import { useEffect } from 'react'

const isElsewhere = (target: EventTarget | null): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  (target instanceof Element && target.closest('input:not([type="radio"]), textarea, select, [contenteditable]') !== null)

/** Keyboard shortcuts that work anywhere on the page except in fields and dialogs. `keys` must be stable between renders. */
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
