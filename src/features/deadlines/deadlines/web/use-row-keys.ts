import type { RefObject } from 'react'

import { findShortcut, hasModifier, isDialogOpen, takesArrowKeys, useKeyDown } from '../../../../platform/web/keyboard.ts'
import type { Deadline } from '../contract.ts'
import { useDeadlineActions } from './deadline-actions.ts'
import { ACTION_KEYS, type DeadlineAction, ROW_KEYS } from './deadline-keys.ts'

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

const STEPS = { down: 1, up: -1, first: 'first', last: 'last' } as const

/** Arrow keys, J and K move between rows; C, H, P, A and U act on the focused row only. */
export const useRowKeys = (list: RefObject<HTMLElement | null>, deadlines: ReadonlyMap<string, Deadline>): void => {
  const actions = useDeadlineActions()
  useKeyDown((event) => {
    if (hasModifier(event) || event.shiftKey || event.defaultPrevented) return
    const row =
      event.target instanceof Element && !takesArrowKeys(event.target) && !isDialogOpen() ? event.target.closest('[data-deadline]') : null
    if (!list.current || !row) return
    const move = findShortcut(event, ROW_KEYS)
    if (move !== undefined) {
      event.preventDefault()
      focusRow(list.current, row, STEPS[move])
      return
    }
    const action = findShortcut(event, ACTION_KEYS)
    const deadline = deadlines.get(row.getAttribute('data-deadline') ?? '')
    if (action && deadline && actOnDeadline(action, deadline, actions)) {
      event.preventDefault()
      if (action === 'confirm') focusBeside(row)
      else row.querySelector<HTMLElement>('a')?.focus()
    }
  }, list)
}

/** Runs an action; false if the deadline does not have it. */
export const actOnDeadline = (action: DeadlineAction, deadline: Deadline, actions: ReturnType<typeof useDeadlineActions>): boolean => {
  if (!actions.mayAct(deadline)) return false
  if (deadline.proposed) {
    if (action !== 'confirm') return false
    void actions.confirm(deadline, deadline.date)
    return true
  }
  const isHandled = deadline.state === 'handled'
  if (action === 'handle' && !isHandled) actions.handle(deadline)
  else if (action === 'putOff' && !isHandled) actions.putOff(deadline)
  else if (action === 'assign' && !isHandled && actions.mayManage) actions.assign(deadline)
  else if (action === 'undo' && deadline.state !== 'open') actions.undo(deadline)
  else return false
  return true
}
