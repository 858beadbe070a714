import type { RefObject } from 'react'

import { hasModifier, isDialogOpen, takesArrowKeys, useKeyDown } from '../../../../platform/web/keyboard.ts'
import type { Deadline } from '../contract.ts'
import { useDeadlineActions } from './deadline-actions.ts'

/** Focuses the link of a list's row. */
const focusRow = (list: HTMLElement, row: Element, step: number | 'first' | 'last'): void => {
  const rows = [...list.querySelectorAll('[data-deadline]')]
  const at = step === 'first' ? 0 : step === 'last' ? rows.length - 1 : rows.indexOf(row) + step
  const next = at < 0 ? document.querySelector<HTMLElement>('#main search input') : rows[at]?.querySelector<HTMLElement>('a')
  next?.focus()
}

/** Focuses the row after one that is about to leave its list or, without another, the heading of the page. */
export const focusBeside = (row: Element | null): void => {
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const target = beside?.querySelector<HTMLElement>('a') ?? document.querySelector<HTMLElement>('#main h1[tabindex]')
  target?.focus()
}

const STEPS: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: 'first',
  End: 'last',
}

/** Arrow keys, J and K move between rows; C, H, P, A and U act on the focused row only. */
export const useRowKeys = (list: RefObject<HTMLElement | null>, deadlines: ReadonlyMap<string, Deadline>): void => {
  const actions = useDeadlineActions()
  useKeyDown((event) => {
    if (hasModifier(event) || event.shiftKey || event.defaultPrevented) return
    const row =
      event.target instanceof Element && !takesArrowKeys(event.target) && !isDialogOpen() ? event.target.closest('[data-deadline]') : null
    if (!list.current || !row) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const step = STEPS[key]
    if (step !== undefined) {
      event.preventDefault()
      focusRow(list.current, row, step)
      return
    }
    const deadline = deadlines.get(row.getAttribute('data-deadline') ?? '')
    if (deadline && actOnDeadline(key, deadline, actions)) {
      event.preventDefault()
      if (key === 'c') focusBeside(row)
      else row.querySelector<HTMLElement>('a')?.focus()
    }
  }, list)
}

/** Runs the action of a letter; false if the letter has none. */
export const actOnDeadline = (key: string, deadline: Deadline, actions: ReturnType<typeof useDeadlineActions>): boolean => {
  if (!actions.mayAct(deadline)) return false
  if (deadline.proposed) {
    if (key !== 'c') return false
    void actions.confirm(deadline, deadline.date)
    return true
  }
  const isHandled = deadline.state === 'handled'
  if (key === 'h' && !isHandled) actions.handle(deadline)
  else if (key === 'p' && !isHandled) actions.putOff(deadline)
  else if (key === 'a' && !isHandled && actions.mayManage) actions.assign(deadline)
  else if (key === 'u' && deadline.state !== 'open') actions.undo(deadline)
  else return false
  return true
}
