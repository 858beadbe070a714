import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Whether a focused field takes letters: shortcuts of letters do nothing then. A checkbox or a radio button takes none. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))

/** Whether a focused field takes arrow keys: also a radio button, where they choose another one. */
export const takesArrowKeys = (target: EventTarget | null): boolean =>
  isTyping(target) || (target instanceof HTMLInputElement && target.type === 'radio')

/** Keys belong to an open dialog. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null

/** Whether a key is pressed together with Alt, Ctrl or Cmd. */
export const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => altKey || ctrlKey || metaKey

/** Ctrl S, or Cmd S. */
export const isSaveKey = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 's' && (ctrlKey || metaKey) && !altKey && !shiftKey

/** Handles the keys that are pressed anywhere on the page, or within an element that stays the same. */
export const useKeyDown = (handle: (event: KeyboardEvent) => void, within?: RefObject<HTMLElement | null>): void => {
  const onKeyDown = useEffectEvent(handle)
  useEffect(() => {
    const element = within ? within.current : document
    const listener = (event: Event) => {
      if (event instanceof KeyboardEvent) onKeyDown(event)
    }
    element?.addEventListener('keydown', listener)
    return () => element?.removeEventListener('keydown', listener)
  }, [within])
}

/** Keyboard shortcuts that work anywhere on the page except in fields and dialogs. */
export const usePageKeys = (keys: Readonly<Record<string, () => void>>): void =>
  useKeyDown((event) => {
    if (hasModifier(event) || event.defaultPrevented || isDialogOpen() || isTyping(event.target)) return
    if (!Object.hasOwn(keys, event.key)) return
    event.preventDefault()
    keys[event.key]?.()
  })
