import { hasModifier, isDialogOpen, isSaveKey, takesArrowKeys, useKeyDown } from '../../../../platform/web/keyboard.ts'

interface DecideKeys {
  /** Moves to the next or previous field. */
  readonly move: (step: 1 | -1) => void
  /** Presses a button of the current field. */
  readonly press: (button: 'accept' | 'edit' | 'decline') => void
  readonly save: () => void
  /** Opens the next or previous suggestion. */
  readonly turn: (step: 1 | -1) => void
}

const BUTTONS: Readonly<Record<string, 'accept' | 'edit' | 'decline'>> = { a: 'accept', e: 'edit', d: 'decline' }

/** Arrow keys move between fields, A, E and D decide, Ctrl S saves, [ and ] open the previous or next suggestion. Letters do nothing while typing. */
export const useDecideKeys = ({ move, press, save, turn }: DecideKeys): void =>
  useKeyDown((event) => {
    const run = (act: () => void) => {
      event.preventDefault()
      act()
    }
    const hasDialog = isDialogOpen()
    if (isSaveKey(event)) return run(() => (hasDialog ? undefined : save()))
    if (hasModifier(event) || event.shiftKey || hasDialog || takesArrowKeys(event.target)) return
    const button = BUTTONS[event.key.toLowerCase()]
    if (button) run(() => press(button))
    else if (event.key === 'ArrowDown') run(() => move(1))
    else if (event.key === 'ArrowUp') run(() => move(-1))
    else if (event.key === ']') run(() => turn(1))
    else if (event.key === '[') run(() => turn(-1))
  })
