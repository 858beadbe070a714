import { useEffect } from 'react'

import { isDialogOpen, isTyping } from '../../../../platform/web/keyboard.ts'

/** Keyboard shortcuts that work anywhere on the page except in fields and dialogs. `keys` must be stable between renders. */
export const usePageKeys = (keys: Readonly<Record<string, () => void>>): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || isDialogOpen() || isTyping(event.target)) return
      if (!Object.hasOwn(keys, event.key)) return
      event.preventDefault()
      keys[event.key]?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [keys])
}
