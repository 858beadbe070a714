import { createContext, use } from 'react'

import type { Deadline } from '../contract.ts'

/** What the user may do with deadlines, and how; the windows that ask for more are part of the page. */
export interface DeadlineActions {
  /** The user in the directory. */
  readonly me: string | null
  /** Whether they may change every deadline; the responsible person may do less. */
  readonly mayManage: boolean
  readonly mayAct: (deadline: Deadline) => boolean
  /** The deadlines that were handled or opened again during this visit, with the same filters, as they are now: they stay where they were. */
  readonly changedHere: ReadonlyMap<string, Deadline>
  /** The one that is being saved. */
  readonly busyId: string | null
  readonly handle: (deadline: Deadline) => void
  /** Opens a deadline again that was handled or put off. */
  readonly undo: (deadline: Deadline) => void
  readonly putOff: (deadline: Deadline) => void
  readonly assign: (deadline: Deadline) => void
  readonly addNote: (deadline: Deadline) => void
  readonly showHistory: (deadline: Deadline) => void
  /** One that people added. */
  readonly edit: (deadline: Deadline) => void
}

export const DeadlineActionsContext = createContext<DeadlineActions | null>(null)

export const useDeadlineActions = (): DeadlineActions => {
  const actions = use(DeadlineActionsContext)
  if (!actions) throw new Error('DeadlineActionsContext is missing')
  return actions
}
