import { hasModifier, isDialogOpen, isTyping, useKeyDown } from '../../../../platform/web/keyboard.ts'

/** Keyboard shortcuts that work anywhere on the page except in fields and dialogs. */
export const usePageKeys = (keys: Readonly<Record<string, () => void>>): void =>
  useKeyDown((event) => {
    if (hasModifier(event) || event.defaultPrevented || isDialogOpen() || isTyping(event.target)) return
    if (!Object.hasOwn(keys, event.key)) return
    event.preventDefault()
    keys[event.key]?.()
  })
