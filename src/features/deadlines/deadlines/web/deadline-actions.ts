import { createContext, use } from 'react'

import type { Deadline } from '../contract.ts'

/** The actions that the user may perform on deadlines; their dialogs are part of the page. */
export interface DeadlineActionHandlers {
  /** The user's `_id` in the directory. */
  readonly me: string | null
  /** Whether they may change every deadline; a responsible person has fewer actions. */
  readonly mayManage: boolean
  readonly mayAct: (deadline: Pick<Deadline, 'responsible'>) => boolean
  /** The current state of deadlines that were handled or reopened during this visit with the same filters: they stay in place. */
  readonly changedHere: ReadonlyMap<string, Deadline>
  /** The one that is being saved. */
  readonly busyId: string | null
  /** Makes a proposed date certain. */
  readonly confirm: (deadline: Deadline, date: string) => Promise<void>
  readonly handle: (deadline: Deadline) => void
  /** Reopens a deadline that was handled or snoozed. */
  readonly undo: (deadline: Deadline) => void
  readonly putOff: (deadline: Deadline) => void
  readonly assign: (deadline: Deadline) => void
  readonly addNote: (deadline: Deadline) => void
  readonly showHistory: (deadline: Deadline) => void
  /** Edits one that people added. */
  readonly edit: (deadline: Deadline) => void
}

export const DeadlineActionsContext = createContext<DeadlineActionHandlers | null>(null)

export const useDeadlineActions = (): DeadlineActionHandlers => {
  const actions = use(DeadlineActionsContext)
  if (!actions) throw new Error('DeadlineActionsContext is missing')
  return actions
}
