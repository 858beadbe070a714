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

/** What a shortcut does, and its keys as the list of shortcuts writes them: 'A', '↓', 'Ctrl S' (with Cmd on a Mac), 'Page Up'. */
export interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  'Page Up': 'PageUp',
  'Page Down': 'PageDown',
  Space: ' ',
  Esc: 'Escape',
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Whether the keys of a shortcut are pressed. Shift counts only together with Ctrl, because some signs need it. */
export const isPressed = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyPress, { keys }: Shortcut): boolean =>
  !altKey &&
  keys.some((written) => {
    const name = written.replace('Ctrl ', '')
    const hasCtrl = name !== written
    return (
      hasCtrl === (ctrlKey || metaKey) &&
      !(hasCtrl && shiftKey) &&
      [KEY_NAMES[name], name].includes(key.length === 1 ? key.toUpperCase() : key)
    )
  })

/** The name of the shortcut that is pressed. */
export const findShortcut = <Name extends string>(press: KeyPress, shortcuts: Readonly<Record<Name, Shortcut>>): Name | undefined =>
  (Object.keys(shortcuts) as Name[]).find((name) => isPressed(press, shortcuts[name]))

export const SAVE: Shortcut = { keys: ['Ctrl S'], does: 'Save' }
export const isSaveKey = (event: KeyboardEvent): boolean => isPressed(event, SAVE)

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

/** Shortcuts that work anywhere on the page except in fields and dialogs. */
export const usePageKeys = <Name extends string>(shortcuts: Readonly<Record<Name, Shortcut>>, run: (name: NoInfer<Name>) => void): void =>
  useKeyDown((event) => {
    if (hasModifier(event) || event.defaultPrevented || isDialogOpen() || isTyping(event.target)) return
    const name = findShortcut(event, shortcuts)
    if (name === undefined) return
    event.preventDefault()
    run(name)
  })
