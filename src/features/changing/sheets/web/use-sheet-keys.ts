import { findShortcut, isDialogOpen, SAVE, useKeyDown } from '../../../../platform/web/keyboard.ts'
import { useListedShortcuts } from '../../../../platform/web/shortcuts.ts'

/** Selects the controls of a row; the first one gets the focus. */
const FIRST_CONTROL = 'input[type=radio]:checked, input[type=checkbox], input:not([type=radio]), select, textarea, button'

/** Whether a control uses the arrow keys itself: a choice from a list, a multi-line text, a day. */
const usesArrows = (target: Element): boolean =>
  target.matches('select, textarea, input[type=date], [aria-haspopup=listbox], [role=combobox], [role=textbox]')

const SHEET_KEYS = {
  down: { keys: ['↓'], does: 'Next row' },
  up: { keys: ['↑'], does: 'Previous row' },
  save: SAVE,
}
const SHEET_GROUP = { title: 'This sheet', shortcuts: { ...SHEET_KEYS, tick: { keys: ['Space'], does: 'Tick the row' } } }

/** Arrow keys move between rows. */
export const useSheetKeys = (save: () => void): void => {
  useListedShortcuts(SHEET_GROUP)
  useKeyDown((event) => {
    if (event.defaultPrevented || isDialogOpen()) return
    const pressed = findShortcut(event, SHEET_KEYS)
    if (pressed === 'save') {
      event.preventDefault()
      return save()
    }
    if (pressed === undefined || event.shiftKey) return
    const { target } = event
    const row = target instanceof Element ? target.closest('[data-sheet-row]') : null
    if (!row || !(target instanceof Element) || usesArrows(target)) return
    const rows = [...document.querySelectorAll('[data-sheet-row]')]
    const next = rows[rows.indexOf(row) + (pressed === 'down' ? 1 : -1)]
    const marked = next?.querySelector<HTMLElement>('[data-fix] :is(input, select, textarea)')
    const control = marked ?? next?.querySelector<HTMLElement>(FIRST_CONTROL)
    if (!control) return
    event.preventDefault()
    control.focus()
    next?.scrollIntoView({ block: 'nearest' })
  })
}

/** Scrolls to a cell and focuses its control. */
export const goToCell = (cell: string): void => {
  const button = [...document.querySelectorAll('[data-sheet-row] button')].find(({ textContent }) => textContent.endsWith(`!${cell}`))
  const row = button?.closest<HTMLElement>('[data-sheet-row]')
  const control = row?.querySelector<HTMLElement>('[data-fix] :is(input, select, textarea), input') ?? row?.querySelector('button')
  row?.scrollIntoView({ block: 'center' })
  control?.focus({ preventScroll: true })
}
