import { useEffect } from 'react'
import type { RefObject } from 'react'

import { findShortcut, hasModifier } from '../keyboard.ts'
import { useListedShortcuts } from '../shortcuts.ts'
import type { TableCells } from './cells.ts'
import { CELL_GROUP, CELL_KEYS, MOVE_KEYS } from './list-keys.ts'

/** The attribute with the column of a cell. */
const CELL = '[data-column]'

const findCell = (target: EventTarget | null): HTMLElement | null => (target instanceof Element ? target.closest<HTMLElement>(CELL) : null)

/** The cell to the left or right; of a cell that opens its record, the link. */
const findBeside = (cell: HTMLElement, event: KeyboardEvent): HTMLElement | null => {
  const move = findShortcut(event, MOVE_KEYS)
  const next = move === 'right' ? cell.nextElementSibling : move === 'left' ? cell.previousElementSibling : null
  if (!(next instanceof HTMLElement) || !next.matches(CELL)) return null
  return next.matches('th') ? (next.querySelector('a') ?? next) : next
}

/** Keys that replace the content of a cell. Space selects its row. */
const isTypingKey = ({ key }: KeyboardEvent): boolean =>
  (key.length === 1 && key !== ' ') || key === 'Process' || key === 'Backspace' || key === 'Delete'

/**
 * The keys of cells that can be edited: Arrow Left and Right move between them, Enter, F2, a double click or typing opens one. What is pasted goes to
 * the cells from the focused one on.
 */
export const useCellKeys = (body: RefObject<HTMLElement | null>, cells: TableCells | null): void => {
  useListedShortcuts(cells ? CELL_GROUP : null)
  useEffect(() => {
    const element = body.current
    if (!element || !cells) return undefined
    const listening = new AbortController()
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      handle: (event: HTMLElementEventMap[Name], cell: HTMLElement) => void,
    ) =>
      element.addEventListener(
        name,
        (event) => {
          const cell = findCell(event.target)
          if (cell && !event.defaultPrevented) handle(event, cell)
        },
        listening,
      )
    const at = (cell: HTMLElement): readonly [place: number, column: string] => [
      Number(cell.parentElement?.dataset['place']),
      cell.dataset['column'] ?? '',
    ]
    const isEditable = (cell: HTMLElement): boolean => cells.editable.has(at(cell)[1])
    on('keydown', (event, cell) => {
      const isOwn = event.target === cell
      const pressed = findShortcut(event, CELL_KEYS)
      if (isOwn && pressed === 'undo') {
        event.preventDefault()
        return cells.undo()
      }
      if (hasModifier(event)) return
      const beside = event.shiftKey ? null : findBeside(cell, event)
      if (beside) {
        event.preventDefault()
        return beside.focus()
      }
      const isTyped = isOwn && isTypingKey(event)
      // Enter on a link follows it.
      const isOpening = pressed === 'open' && (isOwn || event.key !== 'Enter')
      if (!isEditable(cell) || !(isTyped || isOpening)) return
      // The input has the focus before the browser writes the letter, which must not be a shortcut of the page.
      event.stopPropagation()
      if (isOpening) event.preventDefault()
      cells.start(...at(cell), isTyped)
    })
    on('dblclick', (event, cell) => {
      if (isEditable(cell) && event.target instanceof Element && event.target.closest('a') === null) cells.start(...at(cell), false)
    })
    on('copy', (event, cell) => {
      if (event.target !== cell || getSelection()?.isCollapsed === false) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', cell.innerText.trim())
    })
    on('paste', (event, cell) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (text === '') return
      event.preventDefault()
      cells.paste(...at(cell), text)
    })
    return () => listening.abort()
  }, [body, cells])
}
